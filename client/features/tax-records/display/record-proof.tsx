import { Button, Text, UnstyledButton } from '@mantine/core';
import { IconPhotoOff, IconRefresh, IconZoomIn } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { PhotoViewer } from '#client/ui/viewer/photo-viewer.tsx';
import type { ViewerPhoto } from '#client/ui/viewer/viewer-photo.ts';
import classes from './record-proof.module.css';

const ALT = 'Bukti pembayaran';

const KEY = 'proof';

function toViewerPhoto(url: string): ViewerPhoto {
  const ending = /\.\w+$/.exec(new URL(url, window.location.origin).pathname)?.[0] ?? '';
  const name = `bukti-pembayaran${ending}`;
  return { key: KEY, url, thumbUrl: null, name, alt: ALT, caption: ALT, width: null, height: null };
}

/**
 * The stored proof; a press shows it in full size.
 * @param onReload fetches the record again, because its proof link may have expired (R-PROOF-5)
 */
export function RecordProof({ url, onReload }: { url: string | null; onReload: () => void }) {
  const [opened, setOpened] = useState(false);
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const close = useCallback(() => setOpened(false), []);
  const photos = useMemo(() => (url === null ? [] : [toViewerPhoto(url)]), [url]);

  if (url === null) return <Text c="dimmed">Belum ada bukti pembayaran.</Text>;
  if (failedUrl === url) {
    return (
      <EmptyState
        icon={IconPhotoOff}
        title="Gambar tidak dapat ditampilkan"
        action={
          <Button
            variant="light"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => {
              setFailedUrl(null);
              onReload();
            }}
          >
            Muat ulang gambar
          </Button>
        }
      />
    );
  }
  return (
    <>
      <UnstyledButton className={classes['thumb']} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <img src={url} alt={ALT} onError={() => setFailedUrl(url)} />
        <span className={classes['caption']}>
          <IconZoomIn size={18} aria-hidden /> Lihat ukuran penuh
        </span>
      </UnstyledButton>
      <PhotoViewer
        label={ALT}
        photos={photos}
        openKey={opened ? KEY : null}
        onMove={() => undefined}
        onClose={close}
        onRenew={async () => onReload()}
      />
    </>
  );
}
