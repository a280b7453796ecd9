import { Loader } from '@mantine/core';
import { type ComponentType, useEffect } from 'react';
import { useLazyOverlay } from '../lazy/use-lazy-overlay.ts';
import { useCloseOnBack } from '../page/use-close-on-back.ts';
import type { ViewerProps } from './viewer-photo.ts';
import classes from './viewer.module.css';

async function loadLightbox(): Promise<ComponentType<ViewerProps>> {
  const { PhotoLightbox } = await import('./photo-lightbox.tsx');
  return PhotoLightbox;
}

type Props = Omit<ViewerProps, 'openKey'> & { openKey: string | null };

/** Photos in full size, over the page. Its code is loaded when the first photo is opened. */
export function PhotoViewer({ openKey, ...props }: Props) {
  const { onClose, photos } = props;
  const { Component } = useLazyOverlay(loadLightbox, {
    wanted: openKey !== null,
    failure: 'Foto gagal dibuka',
    onCancel: onClose,
  });
  // The photo on the screen may be deleted meanwhile.
  const isGone = openKey !== null && !photos.some(({ key }) => key === openKey);
  const isOpen = openKey !== null && !isGone && Component !== null;
  useCloseOnBack(isOpen, onClose, 'photo');

  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);

  if (openKey === null || isGone) return null;
  if (!Component) {
    return (
      <output className={classes['opening']} aria-label="Membuka foto…">
        <Loader color="white" aria-hidden />
      </output>
    );
  }
  return <Component openKey={openKey} {...props} />;
}
