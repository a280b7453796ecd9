import { Loader } from '@mantine/core';
import { type ComponentType, useEffect } from 'react';
import { notify } from '../feedback/notify.tsx';
import { useCloseOnBack } from '../page/use-close-on-back.ts';
import { useLazyComponent } from '../page/use-lazy-component.ts';
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
  const { Component, hasFailed } = useLazyComponent(loadLightbox, 'Penampil foto belum dapat dimuat', {
    wanted: openKey !== null,
    delayMs: 0,
  });
  // What is shown may be deleted meanwhile.
  const isGone = openKey !== null && !photos.some(({ key }) => key === openKey);
  const isOpen = openKey !== null && !isGone && Component !== null;
  useCloseOnBack(isOpen, onClose, 'photo');

  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  useEffect(() => {
    if (openKey === null || !hasFailed) return;
    notify.error('Foto gagal dibuka', 'Periksa koneksi Anda, lalu coba lagi.');
    onClose();
  }, [openKey, hasFailed, onClose]);

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
