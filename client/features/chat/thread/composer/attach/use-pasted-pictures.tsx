import { type ReactNode, useState } from 'react';
import { FileOffer } from './file-offer.tsx';
import type { Pasted } from './pasted-files.ts';

/** Attaches pasted files. A picture that comes with text, as from a spreadsheet, is only offered: the text is what was meant. */
export function usePastedPictures(onFiles: (files: File[]) => void): {
  take: (pasted: Pasted) => void;
  offer: ReactNode;
} {
  const [offered, setOffered] = useState<File[]>([]);
  return {
    take({ files, hasText }) {
      if (hasText) setOffered(files);
      else onFiles(files);
    },
    offer:
      offered.length === 0 ? null : (
        <FileOffer
          text="Yang ditempel juga berisi gambar."
          acceptLabel="Lampirkan gambarnya"
          onAccept={() => {
            setOffered([]);
            onFiles(offered);
          }}
          onDismiss={() => setOffered([])}
        />
      ),
  };
}
