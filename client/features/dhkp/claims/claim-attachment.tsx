import { Anchor, UnstyledButton } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import { PhotoViewer } from '#client/ui/viewer/photo-viewer.tsx';
import { useRenewedSource } from '#client/ui/viewer/use-renewed-source.ts';
import type { Attachment } from '#shared/api/chat/chat.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';

type Props = {
  attachment: Attachment;
  sender: string;
  /** Asks for a fresh link, because links expire (R-FILE-7). */
  onReload: () => Promise<void>;
};

const THUMB_PX = 96;

/** The file of a request: a photo opens in the viewer, a document is downloaded. */
export function ClaimAttachment({ attachment, sender, onReload }: Props) {
  const { id, url, thumb_url: thumbUrl, name, size, width, height } = attachment;
  const isPhoto = attachment.type !== 'application/pdf';
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const { source, handleLoad, handleError } = useRenewedSource(thumbUrl ?? url, onReload);
  const alt = `Foto dari ${sender}: ${name}`;
  const photos = useMemo(
    () => [{ key: id, url, thumbUrl, name, alt, caption: `${name} · ${sender}`, width, height }],
    [id, url, thumbUrl, name, alt, sender, width, height],
  );
  if (!isPhoto)
    return (
      <Anchor
        href={uploadedFileUrl(url)}
        download={name}
        w="fit-content"
        style={{ overflowWrap: 'anywhere' }}
        aria-label={`Unduh dokumen dari ${sender}: ${name}, ${formatBytes(size)}`}
      >
        <IconFileTypePdf size={20} style={{ verticalAlign: 'text-bottom' }} aria-hidden /> {name} ({formatBytes(size)})
      </Anchor>
    );
  return (
    <>
      <UnstyledButton w="fit-content" aria-label={alt} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <img
          key={source.attempt}
          src={source.url === null ? undefined : uploadedFileUrl(source.url)}
          alt=""
          width={THUMB_PX}
          height={THUMB_PX}
          style={{ display: 'block', objectFit: 'cover', borderRadius: 'var(--mantine-radius-md)' }}
          onLoad={handleLoad}
          onError={handleError}
        />
      </UnstyledButton>
      <PhotoViewer
        photos={photos}
        openKey={isOpen ? id : null}
        onMove={() => undefined}
        onClose={close}
        onRenew={onReload}
      />
    </>
  );
}
