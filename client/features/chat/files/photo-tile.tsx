import { Loader, VisuallyHidden } from '@mantine/core';
import { IconPhotoOff, IconRefresh } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import { useRenewedSource } from '#client/ui/viewer/use-renewed-source.ts';
import { type LocalPart, useLocalFileUrl } from './local-files.ts';
import classes from './photo-grid.module.css';

/** A photo in a bubble, sent or not. */
export type ShownPhoto = {
  /** Of its file at the server, or of the one on this device while it is not sent. */
  id: string;
  /** The same before and after it is sent. */
  key: string;
  /** The small picture, or the photo itself where there is none; null while it is not sent. */
  url: string | null;
  /** On this device while it is not sent: the id of its file there, and which of its pictures. */
  local?: { id: string; part: LocalPart };
  /** The server has refused it. */
  isRefused?: boolean;
  /** 'Foto dari Siti: bukti.jpg' */
  alt: string;
  /** In pixels, so that its place is kept before it is loaded. */
  width: number | null;
  height: number | null;
};

type Props = {
  photo: ShownPhoto;
  style?: CSSProperties | undefined;
  /** Opens it in full size; without it the photo is no button. */
  onOpen?: (() => void) | undefined;
  /** Asks for a fresh link, because links expire (R-FILE-7). */
  onRenew?: (() => Promise<void>) | undefined;
};

/** A photo at its place. The stored photo does not replace the one on this device, which it would only make flicker. */
export function PhotoTile({ photo, style, onOpen, onRenew }: Props) {
  const { alt, local, isRefused = false } = photo;
  const localUrl = useLocalFileUrl(local?.id ?? null, local?.part);
  const url = photo.url ?? localUrl;
  const { source, handleLoad, handleError, retry } = useRenewedSource(url, onRenew);
  if (source.state === 'failed' && !onRenew) {
    // Of this device: another try reads the same bytes.
    return (
      <span className={classes['tile']} style={style} data-refused={isRefused || undefined}>
        <IconPhotoOff size={22} aria-hidden />
        <span>{isRefused ? 'Ditolak' : 'Tidak terbaca'}</span>
        <VisuallyHidden>: {alt}</VisuallyHidden>
      </span>
    );
  }
  if (source.state === 'failed') {
    return (
      <button
        type="button"
        className={classes['tile']}
        style={style}
        data-failed
        aria-label={`Muat ulang ${alt}`}
        onClick={retry}
      >
        <IconRefresh size={22} aria-hidden />
        <span>Muat ulang</span>
      </button>
    );
  }
  const picture =
    source.url === null || source.state === 'renewing' ? (
      <Loader size="sm" aria-hidden />
    ) : (
      <img
        key={source.attempt}
        src={uploadedFileUrl(source.url)}
        alt={alt}
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={handleLoad}
        onError={handleError}
      />
    );
  if (!onOpen) {
    return (
      <span className={classes['tile']} style={style} data-refused={isRefused || undefined}>
        {picture}
        {isRefused ? <span className={classes['refused']}>Ditolak</span> : null}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={classes['tile']}
      style={style}
      aria-label={alt}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {picture}
    </button>
  );
}
