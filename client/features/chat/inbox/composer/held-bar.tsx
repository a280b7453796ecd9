import { Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { useAtomValue } from 'jotai';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { takeBack } from '../../drafts/take-back.ts';
import type { OutboxEntry } from '../../state/model/outbox-entry.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { previewOf } from '../../previews/message-preview.ts';
import { idNumberOf, lastIdNumber, toIdNumber } from '../../state/model/conversation.ts';
import { useConversation, useOutbox, useConversationSummary } from '../../session/use-chat.ts';
import { discardUnsent } from '../../thread/bubble/unsent-actions.tsx';
import chat from '../../chat.module.css';
import classes from './admin-composer.module.css';
import { outboxAtom } from '../../state/selectors.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  /** The message is in the field again. */
  onEdit: () => void;
  /** The bar is about to close, with the focus in it. */
  onDone: () => void;
};

/** Above the field while a message waits because a colleague has answered first (docs/requirements.md R-REPLY-5). */
export function HeldBar({ chatSession, userId, onEdit, onDone }: Props) {
  const unsent = useOutbox(userId);
  const held = unsent.find(({ isHeld }) => isHeld);
  if (!held) return null;
  const following = unsent.filter(({ order, state }) => order > held.order && state === 'waiting').length;
  return <HeldMessage key={held.client_id} {...{ chatSession, userId, held, following, onEdit, onDone }} />;
}

function HeldMessage({
  chatSession,
  userId,
  held,
  following,
  onEdit,
  onDone,
}: Props & { held: OutboxEntry; following: number }) {
  const { id: currentUserId } = chatSession.currentUser;
  const conversation = useConversation(userId);
  const isDecided = useRef(false);
  const answer = conversation.messages.findLast(
    (message) =>
      message.from_admin &&
      message.kind !== 'notice' &&
      message.sender_id !== currentUserId &&
      idNumberOf(message) > toIdNumber(held.seen_id),
  );

  /** A second press must not decide anew. */
  const decide = (act: () => void) => () => {
    if (isDecided.current) return;
    isDecided.current = true;
    act();
  };

  function edit(): void {
    takeBack(chatSession, held);
    onEdit();
  }

  async function discard(): Promise<void> {
    if (isDecided.current || !(await discardUnsent(chatSession, held))) return;
    isDecided.current = true;
    onDone();
  }

  return (
    <section className={classes['held']} aria-label="Balasan Anda belum dikirim">
      <div role="alert">
        <Text fw={600}>
          {answer
            ? `${answer.sender_name} sudah membalas pukul ${formatTime(answer.createdAt, SERVER_TIME_ZONE)}`
            : held.reason}
        </Text>
        {answer ? (
          <blockquote className={classes['heldAnswer']} dir="auto">
            {previewOf(answer).text}
          </blockquote>
        ) : null}
        <Text fz="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          Pesan Anda belum dikirim: <span dir="auto">“{held.content}”</span>
          {following > 0 ? ` ${following} pesan sesudahnya ikut menunggu.` : ''}
        </Text>
      </div>
      <Group gap="0.5rem" pt="0.5rem">
        <Button
          size="sm"
          className={chat['barButton'] ?? ''}
          onClick={decide(() => {
            chatSession.sendHeld(held.client_id, answer ? String(lastIdNumber(conversation)) : null);
            onDone();
          })}
        >
          Tetap kirim
        </Button>
        <Button size="sm" variant="default" className={chat['barButton'] ?? ''} onClick={decide(edit)}>
          Ubah
        </Button>
        <Button
          size="sm"
          variant="subtle"
          color="red"
          className={chat['barButton'] ?? ''}
          onClick={() => void discard()}
        >
          Buang
        </Button>
      </Group>
    </section>
  );
}

type HeldElsewhereProps = {
  /** The conversations on the screen, whose own bars say it. */
  shownIds: readonly string[];
  onOpen: (userId: string) => void;
};

/** Shows that a refused message in another conversation waits for a decision. After 'Kirim & lanjut' that conversation is not in view. */
export function HeldElsewhere({ shownIds, onOpen }: HeldElsewhereProps) {
  const held = useAtomValue(outboxAtom).find((entry) => entry.isHeld && !shownIds.includes(entry.user_id));
  return held ? <HeldNotice userId={held.user_id} onOpen={onOpen} /> : null;
}

function HeldNotice({ userId, onOpen }: { userId: string; onOpen: (userId: string) => void }) {
  const name = useConversationSummary(userId)?.other_user.name ?? 'warga lain';
  return (
    <div className={classes['heldElsewhere']} role="alert">
      <span>Pesan Anda untuk {name} belum dikirim: rekan Anda sudah membalas.</span>
      <Button size="compact-md" mih={44} variant="subtle" onClick={() => onOpen(userId)}>
        Lihat
      </Button>
    </div>
  );
}
