import { Button } from '@mantine/core';
import { useConnectionState } from '../../session/use-chat.ts';
import classes from './list.module.css';

const badgeByState = {
  live: { level: 'good', text: 'Online', title: 'Pesan baru tampil seketika.' },
  polling: {
    level: 'slow',
    text: 'Online',
    title: 'Sambungan langsung terputus; pesan diperiksa tiap beberapa detik.',
  },
  waiting: { level: 'slow', text: 'Menghubungkan…', title: 'Menghubungkan ke server.' },
  offline: { level: 'bad', text: 'Offline', title: 'Server tidak terjangkau. Pesan Anda disimpan dan dikirim nanti.' },
} as const;

/** Shows whether this page is connected to the server. */
export function ConnectionBadge({ onRetry }: { onRetry: () => void }) {
  const state = useConnectionState();
  const { level, text, title } = badgeByState[state];
  return (
    <div className={classes['connection']}>
      {state === 'offline' ? (
        <Button size="compact-sm" variant="light" onClick={onRetry}>
          Coba lagi
        </Button>
      ) : null}
      <output className={classes['state']} data-level={level} title={title}>
        {text}
      </output>
    </div>
  );
}
