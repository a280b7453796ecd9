import type { ConversationSummary, Message } from '#shared/api/chat.ts';
import type { Unread } from '#shared/chat-events.ts';
import { idNumber, numberOf } from './conversation.ts';

export type ListFilter = { search: string; only: 'all' | 'unread' | 'unanswered' };

type Entry = { summary: ConversationSummary; /** When an event last changed it; see `applyRows`. */ version: number };

/** Every conversation this administrator's page knows of, in the order of the desk: latest activity first. */
export type ConversationList = {
  entries: Readonly<Record<string, Entry>>;
  order: readonly string[];
  /** Over all conversations of this side, as the server said last; null until it has. */
  totalUnread: number | null;
  /** Counts events, so that an answer that was asked for before one cannot undo it. */
  version: number;
};

export const emptyList: ConversationList = { entries: {}, order: [], totalUnread: null, version: 0 };

export type SortKey = { lastMessage: number; userId: string };

export function sortKeyOf({ last_message, other_user }: ConversationSummary): SortKey {
  return { lastMessage: idNumber(last_message?._id), userId: other_user._id };
}

/** Below 0: `a` stands above `b`. The server's own order. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (a.lastMessage !== b.lastMessage) return b.lastMessage - a.lastMessage;
  if (a.userId === b.userId) return 0;
  return a.userId > b.userId ? -1 : 1;
}

/** Puts one conversation where it belongs; a binary search, because there may be thousands. */
function place(list: ConversationList, userId: string, summary: ConversationSummary): readonly string[] {
  const key = sortKeyOf(summary);
  const known = list.entries[userId];
  if (known && compareKeys(sortKeyOf(known.summary), key) === 0) return list.order;
  const order = known ? list.order.filter((id) => id !== userId) : [...list.order];
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = list.entries[order[middle] ?? ''];
    if (entry && compareKeys(sortKeyOf(entry.summary), key) < 0) low = middle + 1;
    else high = middle;
  }
  order.splice(low, 0, userId);
  return order;
}

function put(list: ConversationList, summary: ConversationSummary, version: number): ConversationList {
  const userId = summary.other_user._id;
  return {
    ...list,
    order: place(list, userId, summary),
    entries: { ...list.entries, [userId]: { summary, version } },
  };
}

function stubOf(userId: string, name: string): ConversationSummary {
  return {
    other_user: { _id: userId, id: userId, name, email: '' },
    unread_count: 0,
    last_message: null,
    unanswered_since: null,
  };
}

/** Whether the person behind it still has to be looked up: the push that brought it named only what a push names. */
export function isStub({ other_user }: ConversationSummary): boolean {
  return other_user.email === '';
}

/** A pushed message moves its conversation up. Its unread count comes with the `unread` event of the same commit. */
export function receiveInList(list: ConversationList, message: Message): ConversationList {
  const known = list.entries[message.user_id]?.summary;
  const summary = known ?? stubOf(message.user_id, message.from_admin ? '' : message.sender_name);
  if (numberOf(message) <= idNumber(summary.last_message?._id)) return list;
  const { _id, id, content, sender_id, sender_name, from_admin, createdAt, created_at } = message;
  const version = list.version + 1;
  const next: ConversationSummary = {
    ...summary,
    last_message: { _id, id, content, sender_id, sender_name, from_admin, createdAt, created_at },
    unanswered_since: from_admin ? null : (summary.unanswered_since ?? createdAt),
  };
  return { ...put(list, next, version), version };
}

export function applyUnread(list: ConversationList, unread: Unread): ConversationList {
  const version = list.version + 1;
  const base = { ...list, version, totalUnread: unread.total_unread };
  const known = list.entries[unread.user_id]?.summary;
  return known ? put(base, { ...known, unread_count: unread.unread_count }, version) : base;
}

export function clearInList(list: ConversationList, userId: string): ConversationList {
  const version = list.version + 1;
  const known = list.entries[userId]?.summary;
  if (!known) return { ...list, version };
  const emptied = { ...known, last_message: null, unread_count: 0, unanswered_since: null };
  return { ...put(list, emptied, version), version };
}

/** Fills in who a conversation is with. */
export function namePerson(list: ConversationList, person: { _id: string; name: string; email: string }) {
  const known = list.entries[person._id];
  if (!known) return list;
  const other_user = { ...known.summary.other_user, name: person.name, email: person.email };
  return put(list, { ...known.summary, other_user }, known.version);
}

/** Two orders that are right each by itself, as one. */
function merge(
  kept: readonly string[],
  moved: readonly string[],
  isBefore: (a: string, b: string) => boolean,
): string[] {
  const order: string[] = [];
  let next = 0;
  for (const id of kept) {
    for (let other = moved[next]; other !== undefined && isBefore(other, id); other = moved[next]) {
      order.push(other);
      next += 1;
    }
    order.push(id);
  }
  return [...order, ...moved.slice(next)];
}

/**
 * Rows of an answer that was asked for at `askedAt`. What an event has changed since then is newer than the row. All at once:
 * one by one, each of a hundred rows would copy and sort a list of thousands.
 */
export function applyRows(
  list: ConversationList,
  rows: readonly ConversationSummary[],
  askedAt: number,
): ConversationList {
  const entries = { ...list.entries };
  const moved = new Set<string>();
  for (const row of rows) {
    const userId = row.other_user._id;
    const known = entries[userId];
    const isNewer = known !== undefined && known.version > askedAt;
    const summary = isNewer ? { ...known.summary, other_user: row.other_user } : row;
    if (!known || compareKeys(sortKeyOf(known.summary), sortKeyOf(summary)) !== 0) moved.add(userId);
    entries[userId] = { summary, version: isNewer ? known.version : askedAt };
  }
  if (moved.size === 0) return { ...list, entries };
  const compare = (a: string, b: string): number => {
    const [one, other] = [entries[a], entries[b]];
    return one && other ? compareKeys(sortKeyOf(one.summary), sortKeyOf(other.summary)) : 0;
  };
  const kept = list.order.filter((id) => !moved.has(id));
  const order = merge(kept, [...moved].toSorted(compare), (a, b) => compare(a, b) < 0);
  return { ...list, entries, order };
}

/** Forgets what a complete answer down to `floor` no longer has: accounts that were deleted. */
export function dropMissing(
  list: ConversationList,
  rows: readonly ConversationSummary[],
  askedAt: number,
  floor: SortKey | null,
): ConversationList {
  const present = new Set(rows.map(({ other_user }) => other_user._id));
  const gone = list.order.filter((id) => {
    const entry = list.entries[id];
    if (!entry || present.has(id) || entry.version > askedAt) return false;
    return floor === null || compareKeys(sortKeyOf(entry.summary), floor) <= 0;
  });
  if (gone.length === 0) return list;
  const entries = { ...list.entries };
  for (const id of gone) delete entries[id];
  return { ...list, entries, order: list.order.filter((id) => entries[id]) };
}

function matches(summary: ConversationSummary, { search, only }: ListFilter): boolean {
  if (only === 'unread' && summary.unread_count === 0) return false;
  if (only === 'unanswered' && summary.unanswered_since === null) return false;
  const word = search.trim().toLowerCase();
  const { name, email } = summary.other_user;
  return word === '' || name.toLowerCase().includes(word) || email.toLowerCase().includes(word);
}

/** What a list shows; nothing below `floor`, where pages that were not read yet might still put others in between. */
export function visibleSummaries(
  list: ConversationList,
  filter: ListFilter,
  floor: SortKey | null,
): ConversationSummary[] {
  return list.order.flatMap((id) => {
    const summary = list.entries[id]?.summary;
    if (!summary || !matches(summary, filter)) return [];
    return floor && compareKeys(sortKeyOf(summary), floor) > 0 ? [] : [summary];
  });
}
