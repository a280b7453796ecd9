import { Anchor, Button, Modal, Text, UnstyledButton } from '@mantine/core';
import { IconExternalLink, IconPhotoOff, IconRefresh, IconZoomIn } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import classes from './record-proof.module.css';

const ALT = 'Bukti pembayaran';

/**
 * The stored proof; a press shows it in full size.
 * @param onReload fetches the record again, because its proof link may have expired (R-PROOF-5)
 */
export function RecordProof({ url, onReload }: { url: string | null; onReload: () => void }) {
  const [opened, setOpened] = useState(false);
  const [failedUrl, setFailedUrl] = useState<string | null>(null);

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
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={ALT}
        fullScreen
        closeButtonProps={{ 'aria-label': 'Tutup' }}
      >
        <Anchor href={url} target="_blank" rel="noreferrer" fw={600} className={classes['open']}>
          <IconExternalLink size={18} aria-hidden /> Buka di tab baru
        </Anchor>
        <img src={url} alt={ALT} className={classes['full']} />
      </Modal>
    </>
  );
}
