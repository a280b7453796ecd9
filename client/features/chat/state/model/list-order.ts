import type { ConversationState, ConversationSummary } from '#shared/api/chat/chat.ts';
import { toIdNumber } from './conversation.ts';
import { emailText } from '#shared/domain/users/email-text.ts';

export type ListFilter = { search: string; only: 'all' | 'waiting' | 'unread' | 'snoozed' | 'mine' };

/** `activity`: the latest message first; `wait`: who waits longest first. */
export type ListOrder = 'activity' | 'wait';

export const orderOf = (only: ListFilter['only']): ListOrder => (only === 'waiting' ? 'wait' : 'activity');

/** The place of a conversation in a list; the lowest rank is on top. */
export type SortKey = { order: ListOrder; rank: number; userId: string };

export function sortKeyOf(
  { last_message, unanswered_since, other_user }: ConversationSummary,
  order: ListOrder,
): SortKey {
  const waitRank = unanswered_since === null ? Infinity : Date.parse(unanswered_since);
  return { order, rank: order === 'wait' ? waitRank : -toIdNumber(last_message?._id), userId: other_user._id };
}

/** Below 0 when `a` is above `b`; the same order as the server's. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
  if (a.userId === b.userId) return 0;
  return a.userId < b.userId === (a.order === 'wait') ? -1 : 1;
}

/** A row that an event made, or one for a user, has no state of its own. */
export function stateOf({ state, unanswered_since }: ConversationSummary): ConversationState {
  return state ?? (unanswered_since === null ? 'done' : 'waiting');
}

/** @param adminId whose list it is, for 'mine' */
export function matchesFilter(summary: ConversationSummary, { search, only }: ListFilter, adminId: string): boolean {
  if (only === 'unread' && summary.unread_count === 0) return false;
  if ((only === 'waiting' || only === 'snoozed') && stateOf(summary) !== only) return false;
  if (only === 'mine' && summary.claimed_by?.id !== adminId) return false;
  const searchTerm = search.trim().toLowerCase();
  const { name, email } = summary.other_user;
  return [name, emailText(email)].some((text) => text.toLowerCase().includes(searchTerm));
}
