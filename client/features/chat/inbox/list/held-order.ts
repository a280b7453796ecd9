import type { ConversationSummary } from '#shared/api/chat.ts';
import type { ConversationListState } from '../../session/list/conversation-list-state.ts';
import { toIdNumber } from '../../session/conversation.ts';

/** The order of the rows at the moment when an admin began to aim at one of them. */
export type HeldOrder = { userIds: readonly string[]; newestMessageId: number };

const idOf = ({ other_user }: ConversationSummary): string => other_user._id;
const messageIdOf = (summary: ConversationSummary): number => toIdNumber(summary.last_message?._id);

export function holdOrder(rows: readonly ConversationSummary[]): HeldOrder {
  const newestMessageId = rows.reduce((newest, row) => Math.max(newest, messageIdOf(row)), 0);
  return { userIds: rows.map(idOf), newestMessageId };
}

/**
 * The rows in their held order, each with its latest content. A row that only left the filter stays; one whose account was
 * deleted goes. New ones come at the end: on top they would push the others down.
 */
export function inHeldOrder(
  rows: readonly ConversationSummary[],
  held: HeldOrder,
  entries: ConversationListState['entries'],
): readonly ConversationSummary[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  const heldIds = new Set(held.userIds);
  return [
    ...held.userIds.flatMap((id) => byId.get(id) ?? entries[id]?.summary ?? []),
    ...rows.filter((row) => !heldIds.has(idOf(row))),
  ];
}

/** How many conversations stand lower than they would without the hold. */
export function countMovedUp(rows: readonly ConversationSummary[], held: HeldOrder): number {
  const heldIds = new Set(held.userIds);
  const liveIds = new Set(rows.map(idOf));
  const known = rows.filter((row) => heldIds.has(idOf(row)));
  const shownIds = held.userIds.filter((id) => liveIds.has(id));
  // A conversation that was on top before is at its place, however many messages it gets.
  const firstMoved = known.findIndex((row, index) => idOf(row) !== shownIds[index]);
  const moved =
    firstMoved === -1 ? [] : known.slice(firstMoved).filter((row) => messageIdOf(row) > held.newestMessageId);
  // A new row below all others, as that of who began to wait last, is at its place too.
  const lastKnown = rows.findLastIndex((row) => heldIds.has(idOf(row)));
  return moved.length + rows.slice(0, lastKnown + 1).filter((row) => !heldIds.has(idOf(row))).length;
}
