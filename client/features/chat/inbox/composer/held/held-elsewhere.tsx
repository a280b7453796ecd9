import { Button } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { outboxAtom } from '../../../outbox/unsent-messages.ts';
import { useConversationSummary } from '../../../session/use-chat.ts';
import classes from './held.module.css';

type Props = {
  /** The conversations on the screen, whose own bars say it. */
  shownIds: readonly string[];
  onOpen: (userId: string) => void;
};

/** Shows that a refused message in another conversation waits for a decision. After 'Kirim & lanjut' that conversation is not in view. */
export function HeldElsewhere({ shownIds, onOpen }: Props) {
  const held = useAtomValue(outboxAtom).find((entry) => entry.isHeld && !shownIds.includes(entry.user_id));
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
