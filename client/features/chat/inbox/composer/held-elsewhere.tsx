import { Button } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { outboxAtom } from '../../outbox/unsent-messages.ts';
import { useConversationSummary } from '../../session/use-chat.ts';
import classes from './admin-composer.module.css';

type Props = {
  /** The conversation on the screen, whose own bar says it. */
  userId: string | null;
  onOpen: (userId: string) => void;
};

/** Says that a message in another conversation waits for a decision: after 'Kirim & lanjut' nobody would see it there. */
export function HeldElsewhere({ userId, onOpen }: Props) {
  const held = useAtomValue(outboxAtom).find((entry) => entry.isHeld && entry.user_id !== userId);
  return held ? <HeldNotice userId={held.user_id} onOpen={onOpen} /> : null;
}

function HeldNotice({ userId, onOpen }: { userId: string; onOpen: (userId: string) => void }) {
  const name = useConversationSummary(userId)?.other_user.name ?? 'warga lain';
  return (
    <div className={classes['elsewhere']} role="alert">
      <span>Pesan Anda untuk {name} belum dikirim: rekan Anda sudah membalas.</span>
      <Button size="compact-md" mih={44} variant="subtle" onClick={() => onOpen(userId)}>
        Lihat
      </Button>
    </div>
  );
}
