import type { Message } from '#shared/api/chat/chat.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { ReactNode } from 'react';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';

/** Something else with a place in time between the messages; only its owner knows what. */
export type ThreadExtra = { key: string; atMs: number; node: ReactNode };

export type ThreadItem =
  | { kind: 'day'; key: string; atMs: number }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; message: Message; first: boolean }
  | { kind: 'extra'; key: string; node: ReactNode }
  | { kind: 'unsent'; key: string; entry: OutboxEntry; first: boolean };

/** Messages of one sender within this time are shown as one group. */
const GROUP_MAX_GAP_MS = 5 * 60_000;

/** A `client_id` is unique only among the messages of its sender. */
function itemKeyOf({ client_id, sender_id, _id }: Message): string {
  return client_id === null ? _id : `${sender_id} ${client_id}`;
}

export type ThreadContent = {
  messages: readonly Message[];
  /** The message before the first one, which is not in the page. */
  before: Message | undefined;
  unsent: readonly OutboxEntry[];
  /** Oldest first; those that belong between the messages of the page. */
  extras?: readonly ThreadExtra[];
  /** Above this message the unread ones begin. */
  firstUnreadId?: string | null;
  currentUserId: string;
};

/**
 * The extras that belong between the messages of a page. Those before its first message stand on the page before it, and those
 * after its last one on the page after it, if there is such a page.
 */
export function extrasBetween(
  extras: readonly ThreadExtra[],
  messages: readonly Message[],
  { before = messages[0], isFirst, isLast }: { before?: Message | undefined; isFirst: boolean; isLast: boolean },
): readonly ThreadExtra[] {
  const last = messages.at(-1);
  if (extras.length === 0 || !before || !last) return isFirst && isLast ? extras : [];
  const [fromMs, toMs] = [Date.parse(before.createdAt), Date.parse(last.createdAt)];
  return extras.filter(({ atMs }) => (isFirst || atMs >= fromMs) && (isLast || atMs < toMs));
}

/** The items of a conversation, from top to bottom: days, messages with the extras between them, and then unsent messages. */
export function groupThreadItems({
  messages,
  before,
  unsent,
  extras = [],
  firstUnreadId = null,
  currentUserId,
}: ThreadContent): ThreadItem[] {
  const items: ThreadItem[] = [];
  const pendingExtras = [...extras];
  const beforeAtMs = before ? Date.parse(before.createdAt) : 0;
  let day = before ? todayIn(SERVER_TIME_ZONE, beforeAtMs) : '';
  let previous: { sender: string; atMs: number } | null = before
    ? { sender: before.kind === 'notice' ? '' : before.sender_id, atMs: beforeAtMs }
    : null;

  function beginItem(atMs: number, sender: string): boolean {
    const itemDay = todayIn(SERVER_TIME_ZONE, atMs);
    const isNewDay = itemDay !== day;
    if (isNewDay) items.push({ kind: 'day', key: `day ${itemDay}`, atMs });
    const first = isNewDay || previous?.sender !== sender || atMs - previous.atMs > GROUP_MAX_GAP_MS;
    day = itemDay;
    previous = { sender, atMs };
    return first;
  }

  function addExtras(beforeMs: number): void {
    for (let next = pendingExtras[0]; next && next.atMs < beforeMs; next = pendingExtras[0]) {
      pendingExtras.shift();
      beginItem(next.atMs, next.key);
      items.push({ kind: 'extra', key: next.key, node: next.node });
    }
  }

  for (const message of messages) {
    addExtras(Date.parse(message.createdAt));
    const isFirstUnread = message._id === firstUnreadId;
    // A notice belongs to no group: what comes after it begins one.
    const sender = message.kind === 'notice' ? `notice ${message._id}` : message.sender_id;
    const first = beginItem(Date.parse(message.createdAt), sender) || isFirstUnread;
    if (isFirstUnread) items.push({ kind: 'unread', key: 'unread' });
    // A message keeps its key when it is stored: the bubble stays, only its clock becomes a tick.
    items.push({ kind: 'message', key: itemKeyOf(message), message, first });
  }
  addExtras(Number.POSITIVE_INFINITY);
  const storedKeys = new Set(items.map(({ key }) => key));
  for (const entry of unsent) {
    const key = `${currentUserId} ${entry.client_id}`;
    if (storedKeys.has(key)) continue;
    // This device's clock may be wrong: an unsent message is never earlier than a stored one.
    const atMs = Math.max(entry.order, previous ? (previous as { atMs: number }).atMs : 0);
    items.push({ kind: 'unsent', key, entry, first: beginItem(atMs, currentUserId) });
  }
  return items;
}
