import { Center, Text } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useCallback, useState } from 'react';

type Props = {
  /** A URL, or a file that is not sent yet. */
  source: string | File;
  alt: string;
  className?: string | undefined;
};

/** A payment proof. Instead of a broken image it shows a text (R-PROOF-10). */
export function ProofImage({ source, alt, className }: Props) {
  const [failed, setFailed] = useState<string | File | null>(null);
  const attach = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || typeof source === 'string') return undefined;
      const url = URL.createObjectURL(source);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [source],
  );

  if (failed === source) {
    return (
      <Center p="lg" style={{ gap: 'var(--mantine-spacing-xs)' }}>
        <IconPhotoOff size={20} aria-hidden />
        <Text c="dimmed">Gambar tidak dapat ditampilkan</Text>
      </Center>
    );
  }
  const src = typeof source === 'string' ? source : undefined;
  return <img ref={attach} src={src} alt={alt} className={className} onError={() => setFailed(source)} />;
}
