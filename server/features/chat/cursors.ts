import type { Side } from '#shared/chat-events.ts';
import type { Context } from '#server/context.ts';
import type { Viewer } from '#server/http/session.ts';
import type { HistoryQueries } from './history-queries.ts';
import type { ConversationRow } from './message-queries.ts';
import type { ChatQueries, Cursors } from './queries.ts';
import { unreadOf, type Unread } from './unread.ts';

export const sideOf = (viewer: Viewer): Side => (viewer.isAdmin ? 'admin' : 'user');

/** One side's cursors of a conversation, whichever side it is. */
type Position = { seenId: number; deliveredId: number; readOrdinal: number };
type Step = { before: Position; after: Position; row: ConversationRow };

function positionOf(row: ConversationRow, side: Side): Position {
  return side === 'admin'
    ? { seenId: row.adminSeenId, deliveredId: row.adminDeliveredId, readOrdinal: row.adminReadOrdinal }
    : { seenId: row.userSeenId, deliveredId: row.userDeliveredId, readOrdinal: row.userReadOrdinal };
}

function withPosition(row: ConversationRow, side: Side, position: Position): ConversationRow & Cursors {
  const { seenId, deliveredId, readOrdinal } = position;
  return side === 'admin'
    ? { ...row, adminSeenId: seenId, adminDeliveredId: deliveredId, adminReadOrdinal: readOrdinal }
    : { ...row, userSeenId: seenId, userDeliveredId: deliveredId, userReadOrdinal: readOrdinal };
}

/** Seen and delivered: positions among the message ids that only grow, on either side (contract 5). */
export function createCursors(
  { commit, publish }: Pick<Context, 'commit' | 'publish'>,
  statements: ChatQueries,
  history: HistoryQueries,
  unread: Unread,
) {
  /** Where a side would stand after having seen everything up to a message; never behind where it stands. */
  function reachSeen(row: ConversationRow, side: Side, upTo: number): Position {
    const now = positionOf(row, side);
    const seenId = Math.min(upTo, row.lastMessageId);
    if (seenId <= now.seenId) return now;
    const written = side === 'admin' ? row.userOrdinal : row.adminOrdinal;
    const ordinal = seenId === row.lastMessageId ? written : history.ordinalUpTo(row.userId, side === 'user', seenId);
    return {
      seenId,
      deliveredId: Math.max(now.deliveredId, seenId),
      readOrdinal: Math.max(now.readOrdinal, ordinal),
    };
  }

  function reachDelivered(row: ConversationRow, side: Side, upTo: number): Position {
    const now = positionOf(row, side);
    return { ...now, deliveredId: Math.max(now.deliveredId, Math.min(upTo, row.lastMessageId)) };
  }

  const moved = ({ before, after }: Step): boolean =>
    after.seenId > before.seenId || after.deliveredId > before.deliveredId;

  /** Moves a side's position. Most calls repeat what is known; only a real step costs a commit. */
  async function move(
    userId: string,
    side: Side,
    reach: (row: ConversationRow) => Position,
    mayStill: () => void,
  ): Promise<Step | null> {
    const look = (): Step | null => {
      const row = statements.findConversation(userId);
      return row ? { before: positionOf(row, side), after: reach(row), row } : null;
    };
    const expected = look();
    if (!expected || !moved(expected)) return expected;
    return commit(() => {
      mayStill();
      const step = look();
      if (step && moved(step)) statements.moveCursors(withPosition(step.row, side, step.after));
      return step;
    });
  }

  /** @returns once the side whose count changed was told */
  async function tell(userId: string, side: Side, { before, after }: Step): Promise<void> {
    const cursor = (upTo: number) => ({ user_id: userId, by: side, up_to: String(upTo) });
    if (after.deliveredId > before.deliveredId) {
      publish.toConversation(userId, 'conversation:delivered', cursor(after.deliveredId));
    }
    if (after.seenId > before.seenId) publish.toConversation(userId, 'conversation:seen', cursor(after.seenId));
    if (after.readOrdinal > before.readOrdinal) await unread.changed(userId, side);
  }

  return {
    /**
     * Marks read up to a message id (left out: the newest).
     * @param mayStill throws when the reader lost the right meanwhile
     * @returns how many stay unread for that side
     */
    async see(userId: string, side: Side, upTo: number | undefined, mayStill: () => void): Promise<number> {
      const reach = (row: ConversationRow): Position => reachSeen(row, side, upTo ?? row.lastMessageId);
      const step = await move(userId, side, reach, mayStill);
      if (!step) return 0;
      await tell(userId, side, step);
      return unreadOf(withPosition(step.row, side, step.after), side);
    },

    /** This side has it on a screen (hint `delivered`). */
    async deliver(userId: string, side: Side, upTo: number): Promise<void> {
      const step = await move(
        userId,
        side,
        (row) => reachDelivered(row, side, upTo),
        () => undefined,
      );
      if (step) await tell(userId, side, step);
    },
  };
}
export type ChatCursors = ReturnType<typeof createCursors>;
