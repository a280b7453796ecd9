import { Button } from '@mantine/core';
import type { OutboxEntry } from '../outbox/outbox-storage.ts';
import classes from './message-bubble.module.css';
import { MessageBubble } from './message-bubble.tsx';

type Props = { entry: OutboxEntry; first: boolean; onRetry: () => void; onDiscard: () => void };

/** A message of this user that is not stored yet: waiting, or refused. */
export function UnsentBubble({ entry, first, onRetry, onDiscard }: Props) {
  const failed = entry.state === 'failed';
  return (
    <MessageBubble
      content={entry.content}
      writtenAt={new Date(entry.order).toISOString()}
      own
      sender="Anda"
      first={first}
      deliveryState={failed ? 'failed' : 'waiting'}
    >
      {failed ? (
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
      ) : null}
    </MessageBubble>
  );
}
