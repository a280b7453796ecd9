import type { ConversationSummary, Message } from '#shared/api/chat.ts';
import type { UnreadUpdate } from '#shared/events.ts';
import { toIdNumber, idNumberOf } from './conversation.ts';

export type ListFilter = { search: string; only: 'all' | 'unread' | 'unanswered' };

type ListEntry = {
  summary: ConversationSummary;
  /** The version of the list when an event last changed it; see `applyRowsToList`. */
  version: number;
};

/** All conversations that this admin's page knows, in the order of the inbox: latest activity first. */
export type ConversationListState = {
  entries: Readonly<Record<string, ListEntry>>;
  order: readonly string[];
  /** Over all conversations of this side, as the server last reported it; null before that. */
  totalUnread: number | null;
  /** Counts events, so that an older answer cannot undo a newer event. */
  version: number;
};

export const emptyConversationList: ConversationListState = { entries: {}, order: [], totalUnread: null, version: 0 };

export type SortKey = { lastMessage: number; userId: string };

export function sortKeyOf({ last_message, other_user }: ConversationSummary): SortKey {
  return { lastMessage: toIdNumber(last_message?._id), userId: other_user._id };
}

/** Below 0 when `a` is above `b`; the same order as the server's. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.lastMessage !== b.lastMessage) return b.lastMessage - a.lastMessage;
  if (a.userId === b.userId) return 0;
  return a.userId > b.userId ? -1 : 1;
}

/** Puts one conversation at its place; a binary search, because there may be thousands. */
function insertInOrder(list: ConversationListState, userId: string, summary: ConversationSummary): readonly string[] {
  const key = sortKeyOf(summary);
  const known = list.entries[userId];
  if (known && compareSortKeys(sortKeyOf(known.summary), key) === 0) return list.order;
  const order = known ? list.order.filter((id) => id !== userId) : [...list.order];
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = list.entries[order[middle] ?? ''];
    if (entry && compareSortKeys(sortKeyOf(entry.summary), key) < 0) low = middle + 1;
    else high = middle;
  }
  order.splice(low, 0, userId);
  return order;
}

function putSummary(list: ConversationListState, summary: ConversationSummary, version: number): ConversationListState {
  const userId = summary.other_user._id;
  return {
    ...list,
    order: insertInOrder(list, userId, summary),
    entries: { ...list.entries, [userId]: { summary, version } },
  };
}

function createStubSummary(userId: string, name: string): ConversationSummary {
  return {
    other_user: { _id: userId, id: userId, name, email: '', is_active: true },
    unread_count: 0,
    last_message: null,
    unanswered_since: null,
  };
}

/** Whether the user's details are missing: a server event names only the sender. */
export function isStubSummary({ other_user }: ConversationSummary): boolean {
  return other_user.email === '';
}

/** A new message moves its conversation up. Its unread count comes with the `unread` event of the same commit. */
export function applyMessageToList(list: ConversationListState, message: Message): ConversationListState {
  const known = list.entries[message.user_id]?.summary;
  const summary = known ?? createStubSummary(message.user_id, message.from_admin ? '' : message.sender_name);
  if (idNumberOf(message) <= toIdNumber(summary.last_message?._id)) return list;
  const { _id, id, content, sender_id, sender_name, from_admin, createdAt, created_at } = message;
  const version = list.version + 1;
  const next: ConversationSummary = {
    ...summary,
    last_message: { _id, id, content, sender_id, sender_name, from_admin, createdAt, created_at },
    unanswered_since: from_admin ? null : (summary.unanswered_since ?? createdAt),
  };
  return { ...putSummary(list, next, version), version };
}

export function applyUnreadToList(list: ConversationListState, unread: UnreadUpdate): ConversationListState {
  const version = list.version + 1;
  const base = { ...list, version, totalUnread: unread.total_unread };
  const known = list.entries[unread.user_id]?.summary;
  return known ? putSummary(base, { ...known, unread_count: unread.unread_count }, version) : base;
}

export function clearConversationInList(list: ConversationListState, userId: string): ConversationListState {
  const version = list.version + 1;
  const known = list.entries[userId]?.summary;
  if (!known) return { ...list, version };
  const emptied = { ...known, last_message: null, unread_count: 0, unanswered_since: null };
  return { ...putSummary(list, emptied, version), version };
}

type UserDetails = { _id: string; name: string; email: string; is_active: boolean };

/** Fills in the details of a conversation's user. */
export function applyUserDetails(list: ConversationListState, user: UserDetails): ConversationListState {
  const known = list.entries[user._id];
  if (!known) return list;
  const { name, email, is_active } = user;
  const other_user = { ...known.summary.other_user, name, email, is_active };
  return putSummary(list, { ...known.summary, other_user }, known.version);
}

/** Removes a conversation: its account was deleted, or became an admin's. */
export function removeUserFromList(list: ConversationListState, userId: string): ConversationListState {
  const version = list.version + 1;
  if (!list.entries[userId]) return { ...list, version };
  const { [userId]: _removed, ...entries } = list.entries;
  return { ...list, version, entries, order: list.order.filter((id) => id !== userId) };
}

/** Merges two sorted orders into one. */
function mergeSortedIds(
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
 * Applies the rows of an answer that was requested at `requestedAtVersion`. What an event changed since then is newer than the
 * row. All rows at once: one by one, a hundred rows would each copy and sort a list of thousands.
 */
export function applyRowsToList(
  list: ConversationListState,
  rows: readonly ConversationSummary[],
  requestedAtVersion: number,
): ConversationListState {
  const entries = { ...list.entries };
  const moved = new Set<string>();
  for (const row of rows) {
    const userId = row.other_user._id;
    const known = entries[userId];
    const isNewer = known !== undefined && known.version > requestedAtVersion;
    const summary = isNewer ? { ...known.summary, other_user: row.other_user } : row;
    if (!known || compareSortKeys(sortKeyOf(known.summary), sortKeyOf(summary)) !== 0) moved.add(userId);
    entries[userId] = { summary, version: isNewer ? known.version : requestedAtVersion };
  }
  if (moved.size === 0) return { ...list, entries };
  const compare = (a: string, b: string): number => {
    const [one, other] = [entries[a], entries[b]];
    return one && other ? compareSortKeys(sortKeyOf(one.summary), sortKeyOf(other.summary)) : 0;
  };
  const kept = list.order.filter((id) => !moved.has(id));
  const order = mergeSortedIds(kept, [...moved].toSorted(compare), (a, b) => compare(a, b) < 0);
  return { ...list, entries, order };
}

/** Removes conversations above `lastLoadedKey` that a complete answer no longer contains: their accounts were deleted. */
export function removeDeletedUsers(
  list: ConversationListState,
  rows: readonly ConversationSummary[],
  requestedAtVersion: number,
  lastLoadedKey: SortKey | null,
): ConversationListState {
  const present = new Set(rows.map(({ other_user }) => other_user._id));
  const deletedIds = list.order.filter((id) => {
    const entry = list.entries[id];
    if (!entry || present.has(id) || entry.version > requestedAtVersion) return false;
    return lastLoadedKey === null || compareSortKeys(sortKeyOf(entry.summary), lastLoadedKey) <= 0;
  });
  if (deletedIds.length === 0) return list;
  const entries = { ...list.entries };
  for (const id of deletedIds) delete entries[id];
  return { ...list, entries, order: list.order.filter((id) => entries[id]) };
}

function matchesFilter(summary: ConversationSummary, { search, only }: ListFilter): boolean {
  if (only === 'unread' && summary.unread_count === 0) return false;
  if (only === 'unanswered' && summary.unanswered_since === null) return false;
  const searchTerm = search.trim().toLowerCase();
  const { name, email } = summary.other_user;
  return searchTerm === '' || name.toLowerCase().includes(searchTerm) || email.toLowerCase().includes(searchTerm);
}

/** The rows of a filtered list; none below `lastLoadedKey`, where pages that were not loaded yet may belong in between. */
export function visibleSummaries(
  list: ConversationListState,
  filter: ListFilter,
  lastLoadedKey: SortKey | null,
): ConversationSummary[] {
  return list.order.flatMap((id) => {
    const summary = list.entries[id]?.summary;
    if (!summary || !matchesFilter(summary, filter)) return [];
    return lastLoadedKey && compareSortKeys(sortKeyOf(summary), lastLoadedKey) > 0 ? [] : [summary];
  });
}
