import type { Message } from '#shared/api/chat.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { OFFICE_TIME_ZONE } from '#client/lib/format.ts';
import type { OutboxEntry } from '../outbox/outbox-storage.ts';

export type ThreadItem =
  | { kind: 'day'; key: string; atMs: number }
  | { kind: 'message'; key: string; message: Message; first: boolean }
  | { kind: 'unsent'; key: string; entry: OutboxEntry; first: boolean };

/** Messages of one sender that follow each other closely stand together. */
const RUN_MS = 5 * 60_000;

/** The sender's own name for a message is only unique among their messages. */
function keyOf({ client_id, sender_id, _id }: Message): string {
  return client_id === null ? _id : `${sender_id} ${client_id}`;
}

/** What a conversation shows, from top to bottom: days, messages, and below them what is not stored yet. */
export function threadItems(
  messages: readonly Message[],
  unsent: readonly OutboxEntry[],
  selfId: string,
): ThreadItem[] {
  const items: ThreadItem[] = [];
  let day = '';
  let before: { sender: string; atMs: number } | null = null;

  function place(atMs: number, sender: string): boolean {
    const itsDay = todayIn(OFFICE_TIME_ZONE, atMs);
    const isNewDay = itsDay !== day;
    if (isNewDay) items.push({ kind: 'day', key: `day ${itsDay}`, atMs });
    const first = isNewDay || before?.sender !== sender || atMs - before.atMs > RUN_MS;
    day = itsDay;
    before = { sender, atMs };
    return first;
  }

  for (const message of messages) {
    const first = place(Date.parse(message.createdAt), message.sender_id);
    // A message keeps its key when it is stored: its bubble stays, only the clock becomes a tick.
    items.push({ kind: 'message', key: keyOf(message), message, first });
  }
  const shown = new Set(items.map(({ key }) => key));
  for (const entry of unsent) {
    const key = `${selfId} ${entry.client_id}`;
    if (shown.has(key)) continue;
    // By this device's clock, which may be wrong: never before what is stored already.
    const atMs = Math.max(entry.order, before ? (before as { atMs: number }).atMs : 0);
    items.push({ kind: 'unsent', key, entry, first: place(atMs, selfId) });
  }
  return items;
}
