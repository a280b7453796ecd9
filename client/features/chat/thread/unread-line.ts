import { useMemo, useState } from 'react';
import type { Message } from '#shared/api/chat/chat.ts';
import type { Side } from '#shared/events.ts';
import { type Conversation, idNumberOf, lastIdNumber, sideOfMessage, toIdNumber } from '../state/model/conversation.ts';

/** The state of a conversation when it was opened: the last message read, and the newest one. */
export type OpenedAt = { seenId: number; newestId: number };

/** The message above which the line 'Pesan baru' stands; null without one, or while it may be among what is not loaded. */
export function findFirstUnread(
  messages: readonly Message[],
  side: Side,
  { seenId, newestId }: OpenedAt,
): string | null {
  const oldest = messages[0];
  if (!oldest || toIdNumber(oldest.prev_id) > seenId) return null;
  const first = messages.find((message) => idNumberOf(message) > seenId && sideOfMessage(message) !== side);
  return first && idNumberOf(first) <= newestId ? first._id : null;
}

/** The line stays where it is while the conversation is open, and is gone when it is opened again. */
export function useUnreadLine(conversation: Conversation, messages: readonly Message[], side: Side): string | null {
  const [openedAt, setOpenedAt] = useState<OpenedAt | null>(null);
  if (!openedAt && conversation.loaded)
    setOpenedAt({ seenId: conversation.seen[side], newestId: lastIdNumber(conversation) });
  return useMemo(() => (openedAt ? findFirstUnread(messages, side, openedAt) : null), [messages, side, openedAt]);
}
