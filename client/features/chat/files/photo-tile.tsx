import { Loader } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { uploadedFileUrl } from '#client/lib/uploaded-file-url.ts';
import classes from './photo-grid.module.css';

/** A photo in a bubble, sent or not. */
export type ShownPhoto = {
  key: string;
  /** The small picture, or the photo itself where there is none; null while it is not known yet. */
  url: string | null;
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

/** `attempt` grows with each new try, so that the same address is loaded again. */
type Source = { url: string | null; attempt: number; state: 'loading' | 'loaded' | 'renewing' | 'failed' };

/**
 * A photo at its place. It keeps its address while that works: a fresh link of the same photo, or the stored photo in place of
 * the one on this device, would only make it flicker.
 */
export function PhotoTile({ photo, style, onOpen, onRenew }: Props) {
  const { url, alt } = photo;
  const [source, setSource] = useState<Source>({ url, attempt: 0, state: 'loading' });
  if (source.url === null && url !== null) setSource({ ...source, url });
  const newestUrl = useRef(url);
  useEffect(() => {
    newestUrl.current = url;
  }, [url]);
  const hasRenewed = useRef(false);

  async function renew(): Promise<void> {
    setSource((before) => ({ ...before, state: 'renewing' }));
    await onRenew?.();
    // After React has drawn the fresh link.
    setTimeout(() => setSource(({ attempt }) => ({ url: newestUrl.current, attempt: attempt + 1, state: 'loading' })));
  }

  function handleError(): void {
    const isOutdated = source.url !== url;
    if (isOutdated) setSource(({ attempt }) => ({ url, attempt: attempt + 1, state: 'loading' }));
    else if (onRenew && !hasRenewed.current) {
      // An expired link is the usual reason, so the first try needs no press.
      hasRenewed.current = true;
      void renew();
    } else setSource((before) => ({ ...before, state: 'failed' }));
  }

  if (source.state === 'failed') {
    return (
      <button
        type="button"
        className={classes['tile']}
        style={style}
        data-failed
        aria-label={`Muat ulang ${alt}`}
        onClick={() => void renew()}
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
        onLoad={() => setSource((before) => ({ ...before, state: 'loaded' }))}
        onError={handleError}
      />
    );
  if (!onOpen) {
    return (
      <span className={classes['tile']} style={style}>
        {picture}
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
