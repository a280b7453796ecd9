import { and, desc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { messages } from '#server/db/schema.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import type { MessageRow } from './message-queries.ts';

export type MessageRange = {
  userId: string;
  /** Messages up to this one were deleted. */
  clearedId: number;
  limit: number;
  /** Only older than this message. */
  before?: number | undefined;
  /** Only newer than this message, and read forwards from it. */
  after?: number | undefined;
  /** How many of the newest to skip. */
  offset: number;
};

const placeholder = sql.placeholder;
const NEVER_REACHED = Number.MAX_SAFE_INTEGER;

/** Reading a conversation's messages by position; prepared once, like everything that is asked all day. */
export function createHistoryQueries(orm: ConnectionOrTransaction) {
  const between = and(
    eq(messages.userId, placeholder('userId')),
    gt(messages.id, placeholder('after')),
    lt(messages.id, placeholder('before')),
  );
  const backwards = orm
    .select()
    .from(messages)
    .where(between)
    .orderBy(desc(messages.id))
    .limit(placeholder('limit'))
    .offset(placeholder('offset'))
    .prepare();
  const forwards = orm
    .select()
    .from(messages)
    .where(between)
    .orderBy(messages.id)
    .limit(placeholder('limit'))
    .prepare();
  const newestOfSide = orm
    .select({ ordinal: messages.sideOrdinal })
    .from(messages)
    .where(
      and(
        eq(messages.userId, placeholder('userId')),
        lte(messages.id, placeholder('upTo')),
        eq(messages.fromAdmin, placeholder('fromAdmin')),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare();

  return {
    /** A slice of a conversation, oldest first, and whether there is more in the direction it was read. */
    readHistory(slice: MessageRange): { rows: MessageRow[]; hasMore: boolean } {
      const { userId, clearedId, limit, offset, before = NEVER_REACHED, after } = slice;
      const range = { userId, before, after: Math.max(clearedId, after ?? 0), limit: limit + 1, offset };
      const found = after === undefined ? backwards.all(range) : forwards.all(range);
      const hasMore = found.length > limit;
      if (hasMore) found.pop();
      return { rows: after === undefined ? found.toReversed() : found, hasMore };
    },

    /** The ordinal of one side's newest message up to an id; 0 when it has none there. */
    ordinalUpTo: (userId: string, fromAdmin: boolean, upTo: number): number =>
      newestOfSide.get({ userId, fromAdmin: Number(fromAdmin), upTo })?.ordinal ?? 0,
  };
}
export type HistoryQueries = ReturnType<typeof createHistoryQueries>;
