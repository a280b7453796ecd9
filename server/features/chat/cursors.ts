import type { Side } from '#shared/events.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { historyQueries } from './history-queries.ts';
import type { ConversationRow } from './message-queries.ts';
import { chatQueries, type CursorColumns } from './queries.ts';
import { unreadOf, type UnreadCounts } from './unread.ts';

export const sideOf = (currentUser: CurrentUser): Side => (currentUser.isAdmin ? 'admin' : 'user');

/** The positions of one side in a conversation. */
type Position = { seenId: number; deliveredId: number; readOrdinal: number };
type NextPosition = (row: ConversationRow, orm: ConnectionOrTransaction) => Promise<Position>;
/** @throws when the reader has lost the right meanwhile */
type RecheckAccess = (tx: Transaction) => Promise<void>;
type CursorMove = { before: Position; after: Position; row: ConversationRow };

function positionOf(row: ConversationRow, side: Side): Position {
  return side === 'admin'
    ? { seenId: row.adminSeenId, deliveredId: row.adminDeliveredId, readOrdinal: row.adminReadOrdinal }
    : { seenId: row.userSeenId, deliveredId: row.userDeliveredId, readOrdinal: row.userReadOrdinal };
}

function withPosition(row: ConversationRow, side: Side, position: Position): ConversationRow & CursorColumns {
  const { seenId, deliveredId, readOrdinal } = position;
  return side === 'admin'
    ? { ...row, adminSeenId: seenId, adminDeliveredId: deliveredId, adminReadOrdinal: readOrdinal }
    : { ...row, userSeenId: seenId, userDeliveredId: deliveredId, userReadOrdinal: readOrdinal };
}

/** The position of a side after it has seen everything up to a message; never before the current one. */
async function positionAfterSeen(
  orm: ConnectionOrTransaction,
  row: ConversationRow,
  side: Side,
  upTo: number,
): Promise<Position> {
  const current = positionOf(row, side);
  const seenId = Math.min(upTo, row.lastMessageId);
  if (seenId <= current.seenId) return current;
  const lastOrdinal = side === 'admin' ? row.userOrdinal : row.adminOrdinal;
  const ordinal =
    seenId === row.lastMessageId
      ? lastOrdinal
      : await historyQueries(orm).ordinalUpTo(row.userId, side === 'user', seenId);
  return {
    seenId,
    deliveredId: Math.max(current.deliveredId, seenId),
    readOrdinal: Math.max(current.readOrdinal, ordinal),
  };
}

function positionAfterDelivered(row: ConversationRow, side: Side, upTo: number): Position {
  const current = positionOf(row, side);
  return { ...current, deliveredId: Math.max(current.deliveredId, Math.min(upTo, row.lastMessageId)) };
}

const hasMoved = ({ before, after }: CursorMove): boolean =>
  after.seenId > before.seenId || after.deliveredId > before.deliveredId;

/** Seen and delivered: positions among the message ids of a conversation that only grow, for each side (R-CHAT-10). */
export function createCursors(
  { orm, write, publish }: Pick<ServiceContext, 'orm' | 'write' | 'publish'>,
  unread: UnreadCounts,
) {
  /** Moves the position of a side. Most calls repeat a known position; only a real step needs a commit. */
  async function move(
    userId: string,
    side: Side,
    nextPosition: NextPosition,
    recheckAccess: RecheckAccess,
  ): Promise<CursorMove | null> {
    const planMove = async (tx: ConnectionOrTransaction): Promise<CursorMove | null> => {
      const row = await chatQueries(tx).findConversation(userId);
      return row ? { before: positionOf(row, side), after: await nextPosition(row, tx), row } : null;
    };
    const expected = await planMove(orm);
    if (!expected || !hasMoved(expected)) return expected;
    return write(async (tx) => {
      await recheckAccess(tx);
      const planned = await planMove(tx);
      if (planned && hasMoved(planned))
        await chatQueries(tx).moveCursors(withPosition(planned.row, side, planned.after));
      return planned;
    });
  }

  /** Publishes the moved positions. @returns after the new unread count was published too */
  async function publishMove(userId: string, side: Side, { before, after }: CursorMove): Promise<void> {
    const cursor = (upTo: number) => ({ user_id: userId, by: side, up_to: String(upTo) });
    if (after.deliveredId > before.deliveredId) {
      publish.toUserAndAdmins(userId, 'conversation:delivered', cursor(after.deliveredId));
    }
    if (after.seenId > before.seenId) publish.toUserAndAdmins(userId, 'conversation:seen', cursor(after.seenId));
    if (after.readOrdinal > before.readOrdinal) await unread.changed(userId, side);
  }

  return {
    /**
     * Marks as seen up to a message id; without one, up to the newest.
     * @returns how many messages stay unread for that side
     */
    async see(userId: string, side: Side, upTo: number | undefined, recheckAccess: RecheckAccess): Promise<number> {
      const nextPosition: NextPosition = (row, tx) => positionAfterSeen(tx, row, side, upTo ?? row.lastMessageId);
      const cursorMove = await move(userId, side, nextPosition, recheckAccess);
      if (!cursorMove) return 0;
      await publishMove(userId, side, cursorMove);
      return unreadOf(withPosition(cursorMove.row, side, cursorMove.after), side);
    },

    /** A visible tab of this side shows the message or lists its conversation (client event `delivered`, R-CHAT-21). */
    async deliver(userId: string, side: Side, upTo: number): Promise<void> {
      const cursorMove = await move(
        userId,
        side,
        async (row) => positionAfterDelivered(row, side, upTo),
        async () => {},
      );
      if (cursorMove) await publishMove(userId, side, cursorMove);
    },
  };
}
export type ChatCursors = ReturnType<typeof createCursors>;
