import { Button } from '@mantine/core';
import { hasFailed, type OutboxEntry } from '../../outbox/outbox-storage.ts';
import classes from './message-bubble.module.css';

type Props = { entry: OutboxEntry; onRetry: () => void; onDiscard: () => void };

/** Below a message that the server refused: why, and what the user can do; nothing while it waits. */
export function UnsentActions({ entry, onRetry, onDiscard }: Props) {
  if (!hasFailed(entry)) return null;
  // What becomes of it is decided above the message field, which also says why.
  if (entry.isHeld) {
    return (
      <div className={classes['actions']}>
        <span className={classes['failure']}>Belum dikirim</span>
      </div>
    );
  }
  return (
    <div className={classes['actions']}>
      <span className={classes['failure']} role="alert">
        Gagal mengirim pesan
        {entry.reason ? <span className={classes['reason']}>{entry.reason}</span> : null}
      </span>
      <Button variant="subtle" size="compact-sm" mih={36} onClick={onRetry}>
        Coba lagi
      </Button>
      <Button variant="subtle" color="red" size="compact-sm" mih={36} onClick={onDiscard}>
        Buang
      </Button>
    </div>
  );
}
