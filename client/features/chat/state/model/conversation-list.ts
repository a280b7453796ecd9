import type { ConversationCounts, ConversationSummary, Message } from '#shared/api/chat/chat.ts';
import type { UnreadUpdate } from '#shared/events.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { toIdNumber, idNumberOf } from './conversation.ts';
import { toLastMessage } from './last-message.ts';
import type { ConversationListState } from './list-state.ts';
import {
  compareSortKeys,
  type ListFilter,
  matchesFilter,
  orderOf,
  type SortKey,
  sortKeyOf,
  stateOf,
} from './list-order.ts';

/** The answer to a call for a list of conversations: its rows, and the counts beside them. */
export type ConversationsAnswer = { data: ConversationSummary[]; counts?: ConversationCounts | undefined };

const activityKeyOf = (summary: ConversationSummary): SortKey => sortKeyOf(summary, 'activity');

/** Puts one conversation at its place; a binary search, because there may be thousands. */
function insertInOrder(list: ConversationListState, userId: string, summary: ConversationSummary): readonly string[] {
  const key = activityKeyOf(summary);
  const known = list.entries[userId];
  if (known && compareSortKeys(activityKeyOf(known.summary), key) === 0) return list.order;
  const order = known ? list.order.filter((id) => id !== userId) : [...list.order];
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = list.entries[order[middle] ?? ''];
    if (entry && compareSortKeys(activityKeyOf(entry.summary), key) < 0) low = middle + 1;
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
    other_user: { _id: userId, id: userId, name, email: '', has_email: true, is_active: true },
    unread_count: 0,
    last_message: null,
    unanswered_since: null,
  };
}

/** Whether the user's details are missing: a server event names only the sender. */
export function isStubSummary({ other_user }: ConversationSummary): boolean {
  return other_user.email === '';
}

/** The state of waiting after a message; a notice changes nothing. */
function stateAfter(summary: ConversationSummary, message: Message): Partial<ConversationSummary> {
  if (message.kind === 'notice') return {};
  if (message.from_admin) {
    return { state: stateOf(summary) === 'snoozed' ? 'snoozed' : 'done', unanswered_since: null };
  }
  return { state: 'waiting', snoozed_until: null, unanswered_since: summary.unanswered_since ?? message.createdAt };
}

/** A new message moves its conversation up. Its unread count comes with an event of its own. */
export function applyMessageToList(list: ConversationListState, message: Message): ConversationListState {
  const known = list.entries[message.user_id]?.summary;
  const summary = known ?? createStubSummary(message.user_id, message.from_admin ? '' : message.sender_name);
  if (idNumberOf(message) <= toIdNumber(summary.last_message?._id)) return list;
  const version = list.version + 1;
  const next: ConversationSummary = {
    ...summary,
    last_message: toLastMessage(message),
    ...stateAfter(summary, message),
  };
  return { ...putSummary(list, next, version), version };
}

export function applyUnreadToList(list: ConversationListState, unread: UnreadUpdate): ConversationListState {
  const version = list.version + 1;
  const unreadEventCount = list.unreadEventCount + 1;
  const base = { ...list, version, unreadEventCount, totalUnread: unread.total_unread };
  const known = list.entries[unread.user_id]?.summary;
  return known ? putSummary(base, { ...known, unread_count: unread.unread_count }, version) : base;
}

/** The state of a conversation as an event or the answer to a call says; nothing when it is not known yet. */
export function applyStateToList(
  list: ConversationListState,
  { user_id, ...state }: ConversationStateUpdate,
): ConversationListState {
  const version = list.version + 1;
  const known = list.entries[user_id]?.summary;
  return known ? { ...putSummary(list, { ...known, ...state }, version), version } : { ...list, version };
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
  const removed = { ...list.removed, [userId]: version };
  if (!list.entries[userId]) return { ...list, version, removed };
  const { [userId]: _removed, ...entries } = list.entries;
  return { ...list, version, removed, entries, order: list.order.filter((id) => id !== userId) };
}

/** A request begins; what is known by then is older than its answer. `version` is that of the request. */
export function beginListRequest(list: ConversationListState): ConversationListState {
  return { ...list, version: list.version + 1 };
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
    if ((list.removed[userId] ?? -1) > requestedAtVersion) continue;
    const known = entries[userId];
    const isNewer = known !== undefined && known.version > requestedAtVersion;
    const summary = isNewer ? { ...known.summary, other_user: row.other_user } : row;
    if (!known || compareSortKeys(activityKeyOf(known.summary), activityKeyOf(summary)) !== 0) moved.add(userId);
    entries[userId] = { summary, version: isNewer ? known.version : requestedAtVersion };
  }
  if (moved.size === 0) return { ...list, entries };
  const compare = (a: string, b: string): number => {
    const [one, other] = [entries[a], entries[b]];
    return one && other ? compareSortKeys(activityKeyOf(one.summary), activityKeyOf(other.summary)) : 0;
  };
  const kept = list.order.filter((id) => !moved.has(id));
  const order = mergeSortedIds(kept, [...moved].toSorted(compare), (a, b) => compare(a, b) < 0);
  return { ...list, entries, order };
}

/** Those of `rows` about which an event came after their request; they may be older in what that event did not name. */
export function changedSince(
  list: ConversationListState,
  rows: readonly ConversationSummary[],
  requestedAtVersion: number,
): string[] {
  return rows
    .map(({ other_user }) => other_user._id)
    .filter((id) => (list.entries[id]?.version ?? 0) > requestedAtVersion);
}

/** `from` was seen with the part before, so it does not belong to it; `to` does. null is the end of the list. */
type KeyRange = { from: SortKey | null; to: SortKey | null };

/**
 * Conversations in a part of a list that a complete answer no longer contains: they have left the filter unnoticed, or their
 * accounts were deleted.
 */
export function findMissing(
  list: ConversationListState,
  filter: ListFilter,
  rows: readonly ConversationSummary[],
  requestedAtVersion: number,
  { from, to }: KeyRange,
): string[] {
  const present = new Set(rows.map(({ other_user }) => other_user._id));
  const order = orderOf(filter.only);
  return list.order.filter((id) => {
    const entry = list.entries[id];
    if (!entry || present.has(id) || entry.version > requestedAtVersion) return false;
    if (!matchesFilter(entry.summary, filter, list.adminId)) return false;
    const key = sortKeyOf(entry.summary, order);
    return (from === null || compareSortKeys(key, from) > 0) && (to === null || compareSortKeys(key, to) <= 0);
  });
}

/** The rows of a filtered list; none below `lastLoadedKey`, where pages that were not loaded yet may belong in between. */
export function visibleSummaries(
  list: ConversationListState,
  filter: ListFilter,
  lastLoadedKey: SortKey | null,
): ConversationSummary[] {
  const found = list.order.flatMap((id) => {
    const summary = list.entries[id]?.summary;
    return summary && matchesFilter(summary, filter, list.adminId) ? [summary] : [];
  });
  const order = orderOf(filter.only);
  if (order === 'activity' && lastLoadedKey === null) return found;
  const keyed = found
    .map((summary) => ({ summary, key: sortKeyOf(summary, order) }))
    .filter(({ key }) => lastLoadedKey === null || compareSortKeys(key, lastLoadedKey) <= 0);
  if (order !== 'activity') keyed.sort((a, b) => compareSortKeys(a.key, b.key));
  return keyed.map(({ summary }) => summary);
}
