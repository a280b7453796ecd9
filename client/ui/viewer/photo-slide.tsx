import { Button, Loader } from '@mantine/core';
import { IconPhotoOff, IconRefresh } from '@tabler/icons-react';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import { useRenewedSource } from './use-renewed-source.ts';
import type { ViewerPhoto } from './viewer-photo.ts';
import classes from './viewer.module.css';

export type Size = { width: number; height: number };

type Props = {
  photo: ViewerPhoto;
  /** Of the photo as it is stored; null until it is loaded. */
  size: Size | null;
  /** Quarter turns clockwise. */
  turns: number;
  /** The space that there is. */
  room: Size;
  onSize: (size: Size) => void;
  onRenew: () => Promise<void>;
};

/** The size as it is seen after quarter turns. */
export function turnedSize({ width, height }: Size, turns: number): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** One photo in the viewer: as large as its room, never enlarged, turned, with its thumbnail until it is loaded. */
export function PhotoSlide({ photo, size, turns, room, onSize, onRenew }: Props) {
  const { url, thumbUrl, alt } = photo;
  const { source, handleLoad, handleError, retry } = useRenewedSource(url, onRenew);
  if (source.state === 'failed') {
    return (
      <div className={classes['failed']}>
        <IconPhotoOff size={40} stroke={1.5} aria-hidden />
        <p>Foto tidak dapat ditampilkan</p>
        <Button variant="white" mih={44} leftSection={<IconRefresh size={18} aria-hidden />} onClick={retry}>
          Coba lagi
        </Button>
      </div>
    );
  }
  const shown = size && turnedSize(size, turns);
  const scale = shown ? Math.min(1, room.width / shown.width, room.height / shown.height) : 0;
  const place =
    size && shown
      ? {
          box: { width: shown.width * scale, height: shown.height * scale },
          image: {
            width: size.width * scale,
            height: size.height * scale,
            transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
          },
        }
      : null;
  const isLoaded = source.state === 'loaded';
  return (
    <div className={classes['photo']} style={place?.box}>
      {thumbUrl !== null && place && !isLoaded ? (
        <img src={uploadedFileUrl(thumbUrl)} alt="" aria-hidden draggable={false} style={place.image} />
      ) : null}
      {source.url === null || source.state === 'renewing' ? null : (
        <img
          key={source.attempt}
          src={uploadedFileUrl(source.url)}
          alt={alt}
          draggable={false}
          data-loaded={isLoaded || undefined}
          style={place?.image}
          onLoad={({ currentTarget }) => {
            onSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
            handleLoad();
          }}
          onError={handleError}
        />
      )}
      {isLoaded ? null : <Loader color="white" className={classes['loading'] ?? ''} aria-hidden />}
    </div>
  );
}
