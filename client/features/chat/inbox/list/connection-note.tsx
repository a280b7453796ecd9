import { Button } from '@mantine/core';
import { useConnectionState } from '../use-connection-state.ts';
import classes from './list.module.css';

const states = {
  live: { look: 'good', text: 'Online', title: 'Pesan baru tampil seketika.' },
  polling: { look: 'slow', text: 'Online', title: 'Sambungan langsung terputus; pesan diperiksa tiap beberapa detik.' },
  waiting: { look: 'slow', text: 'Menghubungkan…', title: 'Menghubungkan ke server.' },
  offline: { look: 'bad', text: 'Offline', title: 'Server tidak terjangkau. Pesan Anda disimpan dan dikirim nanti.' },
} as const;

/** Whether this desk hears from the server; said at once when it does not. */
export function ConnectionNote({ onRetry }: { onRetry: () => void }) {
  const state = useConnectionState();
  const { look, text, title } = states[state];
  return (
    <div className={classes['connection']}>
      {state === 'offline' ? (
        <Button size="compact-sm" variant="light" onClick={onRetry}>
          Coba lagi
        </Button>
      ) : null}
      <output className={classes['state']} data-look={look} title={title}>
        {text}
      </output>
    </div>
  );
}
