import { IconDownload, IconExternalLink, IconRotateClockwise2 } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { Lightbox, type ZoomRef } from 'yet-another-react-lightbox';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import 'yet-another-react-lightbox/plugins/counter.css';
import { startDownload } from '#client/lib/browser/start-download.ts';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import { PhotoSlide, type Size, turnedSize } from './photo-slide.tsx';
import type { ViewerProps } from './viewer-photo.ts';
import classes from './viewer.module.css';

const labels = {
  Previous: 'Foto sebelumnya',
  Next: 'Foto berikutnya',
  Close: 'Tutup',
  'Zoom in': 'Perbesar',
  'Zoom out': 'Perkecil',
  Carousel: 'galeri',
  Slide: 'foto',
  'Photo gallery': 'Semua foto',
  '{index} of {total}': '{index} dari {total}',
};

/** A small photo may be enlarged beyond its own pixels, because small print has to be read. */
const ZOOM_PIXEL_RATIO = 3;
const plugins = [Zoom, Counter];

/**
 * The viewer itself: zoom by wheel, pinch, double tap and keys, quarter turns, download, and the way to the photos before and
 * after.
 */
export function PhotoLightbox({ label = 'Foto', photos, openKey, onMove, onClose, onRenew }: ViewerProps) {
  const zoom = useRef<ZoomRef>(null);
  const [turnsByKey, setTurnsByKey] = useState<Readonly<Record<string, number>>>({});
  const [sizes, setSizes] = useState<Readonly<Record<string, Size>>>({});
  const [isZoomed, setZoomed] = useState(false);
  const byKey = useMemo(() => new Map(photos.map((photo) => [photo.key, photo])), [photos]);
  const current = byKey.get(openKey);

  const slides = useMemo(() => {
    const sizeOf = (key: string, width: number | null, height: number | null): Size | null =>
      width && height ? { width, height } : (sizes[key] ?? null);
    return photos.map(({ key, width, height }) => {
      const size = sizeOf(key, width, height);
      // The library reads the size for its zoom; what is drawn is found by the key.
      return { type: 'image' as const, src: key, ...(size ? turnedSize(size, turnsByKey[key] ?? 0) : {}) };
    });
  }, [photos, sizes, turnsByKey]);

  function turn(): void {
    setTurnsByKey((before) => ({ ...before, [openKey]: (before[openKey] ?? 0) + 1 }));
    zoom.current?.changeZoom(1, true);
  }

  const buttons = current
    ? [
        <button key="turn" type="button" className="yarl__button" aria-label="Putar" title="Putar (R)" onClick={turn}>
          <IconRotateClockwise2 size={26} aria-hidden />
        </button>,
        <button
          key="download"
          type="button"
          className="yarl__button"
          aria-label="Unduh foto"
          title="Unduh foto"
          onClick={() => startDownload(uploadedFileUrl(current.url), current.name)}
        >
          <IconDownload size={26} aria-hidden />
        </button>,
        <a
          key="tab"
          className="yarl__button"
          href={uploadedFileUrl(current.url)}
          target="_blank"
          rel="noreferrer"
          aria-label="Buka di tab baru"
          title="Buka di tab baru"
        >
          <IconExternalLink size={26} aria-hidden />
        </a>,
      ]
    : [];

  const single = photos.length === 1;
  return (
    <Lightbox
      open
      className={classes['viewer'] ?? ''}
      close={onClose}
      index={photos.findIndex(({ key }) => key === openKey)}
      slides={slides}
      plugins={plugins}
      labels={{ ...labels, Lightbox: label }}
      carousel={{ finite: true, padding: 0 }}
      animation={{ fade: 150, swipe: 250, zoom: 200 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      zoom={{ ref: zoom, scrollToZoom: true, pinchZoomV4: true, maxZoomPixelRatio: ZOOM_PIXEL_RATIO }}
      counter={{ container: { className: single ? (classes['hidden'] ?? '') : '' } }}
      toolbar={{ buttons: [...buttons, 'close'] }}
      portal={{
        container: {
          onKeyDown: (event) => {
            // The viewer is drawn by what stands below it, which must not hear its keys.
            event.stopPropagation();
            if (event.key.toLowerCase() === 'r' && !(event.ctrlKey || event.metaKey || event.altKey)) turn();
          },
        },
      }}
      on={{
        zoom: ({ zoom: factor }) => setZoomed(factor > 1),
        view: ({ index }) => {
          const shown = photos[index];
          if (shown && shown.key !== openKey) onMove(shown.key);
        },
      }}
      render={{
        ...(single ? { buttonPrev: () => null, buttonNext: () => null } : {}),
        slide: ({ slide, rect }) => {
          const photo = 'src' in slide ? byKey.get(slide.src) : undefined;
          if (!photo) return null;
          const { key, width, height } = photo;
          return (
            <PhotoSlide
              photo={photo}
              size={width && height ? { width, height } : (sizes[key] ?? null)}
              turns={turnsByKey[key] ?? 0}
              room={rect}
              onSize={(size) => setSizes((before) => (before[key] ? before : { ...before, [key]: size }))}
              onRenew={() => onRenew(key)}
            />
          );
        },
        slideFooter: ({ slide }) => {
          const photo = 'src' in slide ? byKey.get(slide.src) : undefined;
          // Enlarged, it would lie over what is being read.
          return photo && !isZoomed ? <p className={classes['caption']}>{photo.caption}</p> : null;
        },
      }}
    />
  );
}
