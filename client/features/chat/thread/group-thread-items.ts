import type { Message } from '#shared/api/chat.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { OutboxEntry } from '../outbox/outbox-storage.ts';

export type ThreadItem =
  | { kind: 'day'; key: string; atMs: number }
  | { kind: 'message'; key: string; message: Message; first: boolean }
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
  currentUserId: string;
};

/** The items of a conversation, from top to bottom: days, messages, and then unsent messages. */
export function groupThreadItems({ messages, before, unsent, currentUserId }: ThreadContent): ThreadItem[] {
  const items: ThreadItem[] = [];
  const beforeAtMs = before ? Date.parse(before.createdAt) : 0;
  let day = before ? todayIn(SERVER_TIME_ZONE, beforeAtMs) : '';
  let previous: { sender: string; atMs: number } | null = before
    ? { sender: before.sender_id, atMs: beforeAtMs }
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

  for (const message of messages) {
    const first = beginItem(Date.parse(message.createdAt), message.sender_id);
    // A message keeps its key when it is stored: the bubble stays, only its clock becomes a tick.
    items.push({ kind: 'message', key: itemKeyOf(message), message, first });
  }
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
