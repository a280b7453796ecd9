import { IconDownload, IconFileTypePdf } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { startDownload } from '#client/lib/browser/start-download.ts';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import classes from './document-card.module.css';

type Props = {
  name: string;
  /** In bytes. */
  size: number;
  sender: string;
  /** Null while it is not sent. */
  url: string | null;
  /** Asks for a fresh link and returns it; null where there is none any more. */
  onRenew?: (() => Promise<string | null>) | undefined;
};

/** A link that ends within this time is replaced before the browser asks for the file. */
const SOON_MS = 60_000;

/** A wrong clock of this device only leads to one more request, or to the browser's own words. */
function endsSoon(url: string): boolean {
  const expiresAt = new URL(url, window.location.origin).searchParams.get('e');
  return expiresAt !== null && Number(expiresAt) * 1000 < Date.now() + SOON_MS;
}

/** A document of a message: its name and size; a press downloads it. */
export function DocumentCard({ name, size, sender, url, onRenew }: Props) {
  const content = (
    <>
      <IconFileTypePdf size={32} stroke={1.5} className={classes['icon'] ?? ''} aria-hidden />
      <span className={classes['words']}>
        <span className={classes['name']}>{name}</span>
        <span className={classes['size']}>PDF · {formatBytes(size)}</span>
      </span>
    </>
  );
  if (url === null) return <span className={classes['card']}>{content}</span>;

  async function download(event: MouseEvent): Promise<void> {
    if (url === null || !onRenew || !endsSoon(url)) return;
    event.preventDefault();
    const fresh = await onRenew();
    startDownload(uploadedFileUrl(fresh ?? url), name);
  }
  return (
    <a
      className={classes['card']}
      href={uploadedFileUrl(url)}
      download={name}
      aria-label={`Unduh dokumen dari ${sender}: ${name}, ${formatBytes(size)}`}
      onClick={(event) => void download(event)}
    >
      {content}
      <IconDownload size={20} className={classes['download'] ?? ''} aria-hidden />
    </a>
  );
}
