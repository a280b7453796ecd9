import { type ReactNode, useState } from 'react';
import { Button, CloseButton } from '@mantine/core';
import classes from './attach.module.css';

type FileOfferProps = {
  /** The text that says what was done with these files so far. */
  text: string;
  acceptLabel: string;
  onAccept: () => void;
  onDismiss: () => void;
};

/** Asks what to do with files that came where they cannot be attached. */
export function FileOffer({ text, acceptLabel, onAccept, onDismiss }: FileOfferProps) {
  return (
    <div className={classes['offer']} role="alert">
      <span className={classes['offerText']}>{text}</span>
      <Button variant="default" size="compact-md" mih={44} onClick={onAccept}>
        {acceptLabel}
      </Button>
      <CloseButton size={44} iconSize={18} aria-label="Tidak, buang" title="Buang" onClick={onDismiss} />
    </div>
  );
}

/** A browser calls every picture of the clipboard so. */
const CLIPBOARD_NAME = /^image\.(\w+)$/;

const withOwnName = (file: File): File => {
  const ending = CLIPBOARD_NAME.exec(file.name)?.[1];
  return ending === undefined ? file : new File([file], `gambar tempel.${ending}`, { type: file.type });
};

/** `hasText`: a spreadsheet, for example, copies its cells as text and as a picture. */
export type Pasted = { files: File[]; hasText: boolean };

export function readPasted({ files, types }: DataTransfer): Pasted {
  return { files: Array.from(files, withOwnName), hasText: types.includes('text/plain') };
}

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
