import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { ConversationActions } from '../actions/use-conversation-actions.ts';
import chat from '../../chat.module.css';

type Props = {
  userId: string;
  claimedBy: ConversationSummary['claimed_by'];
  currentUserId: string;
  actions: ConversationActions;
  /** Only the button, where the state stands elsewhere. */
  withoutState?: boolean;
};

/** 'Anda menangani' or 'Sari Wulandari menangani': the whole name, because two colleagues may share a given name. Null without a claim. */
export function claimText(claimedBy: ConversationSummary['claimed_by'], currentUserId: string): string | null {
  if (!claimedBy) return null;
  return claimedBy.id === currentUserId ? 'Anda menangani' : `${claimedBy.name} menangani`;
}

/** 'Ambil', 'Anda menangani · Lepas', or 'Sari menangani · Ambil alih' (R-INBOX-26). */
export function ClaimControl({ userId, claimedBy, currentUserId, actions, withoutState = false }: Props) {
  const { busy } = actions;
  const state = claimText(claimedBy, currentUserId);
  const isOwn = claimedBy?.id === currentUserId;
  const button =
    state === null ? (
      <Button
        className={chat['barButton'] ?? ''}
        disabled={busy}
        title="Percakapan ini Anda tangani"
        onClick={() => void actions.claim(userId)}
      >
        Ambil
      </Button>
    ) : (
      <Button
        className={chat['barButton'] ?? ''}
        variant="default"
        disabled={busy}
        title={
          isOwn ? 'Percakapan ini tidak lagi Anda tangani' : `Menangani percakapan ini sebagai ganti ${claimedBy?.name}`
        }
        onClick={() => void (isOwn ? actions.release(userId) : actions.take(userId))}
      >
        {isOwn ? 'Lepas' : 'Ambil alih'}
      </Button>
    );
  if (state === null || withoutState) return button;
  return (
    <StateWithButton text={state} isGood={isOwn}>
      {button}
    </StateWithButton>
  );
}

type StateProps = { text: string; isGood?: boolean; children: ReactNode };

/** The state of a conversation, before the button that ends it. */
export function StateWithButton({ text, isGood = false, children }: StateProps) {
  return (
    <Group
      component="span"
      display="inline-flex"
      gap="0.5rem"
      wrap="nowrap"
      miw={0}
      fz="sm"
      fw={600}
      {...(isGood ? { c: 'var(--mantine-color-green-light-color)' } : {})}
    >
      <Text span inherit truncate maw="18rem" title={text}>
        {text}
      </Text>
      {children}
    </Group>
  );
}

type ClaimAnnouncerProps = { claimedBy: ConversationSummary['claimed_by'] | undefined; currentUserId: string };

/** Tells screen readers what colleagues do with the open conversation; what was so before it opened is not news. */
export function ClaimAnnouncer({ claimedBy, currentUserId }: ClaimAnnouncerProps) {
  const [known, setKnown] = useState(claimedBy);
  const [text, setText] = useState('');
  if (known?.id !== claimedBy?.id || (known === undefined && claimedBy !== undefined)) {
    setKnown(claimedBy);
    if (known !== undefined) setText(changeText(known, claimedBy, currentUserId));
  }
  return (
    <VisuallyHidden>
      <output>{text}</output>
    </VisuallyHidden>
  );
}

function changeText(
  before: ConversationSummary['claimed_by'],
  after: ConversationSummary['claimed_by'],
  currentUserId: string,
): string {
  if (after && after.id !== currentUserId) return `${after.name} sekarang menangani percakapan ini`;
  if (!after && before && before.id !== currentUserId) return `${before.name} tidak lagi menangani percakapan ini`;
  return '';
}
