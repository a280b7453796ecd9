import { and, desc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { listOfNumbers } from '#server/db/many-rows.ts';
import { conversations, messages } from '#server/db/schema.ts';
import { type ConnectionOrTransaction, perStatements } from '#server/db/engine.ts';
import type { MessageRow } from './message-queries.ts';

export type MessageRange = {
  userId: string;
  /** Messages up to this id were deleted. */
  clearedId: number;
  limit: number;
  /** Only messages older than this one. */
  before?: number | undefined;
  /** Only messages newer than this one, read forwards from it. */
  after?: number | undefined;
  /** Number of the newest messages to skip. */
  offset: number;
};

const placeholder = sql.placeholder;
const NEVER_REACHED = Number.MAX_SAFE_INTEGER;

/** Reads the messages of a conversation by position; prepared once, because every open chat uses it. */
export const historyQueries = perStatements((orm) => {
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
    /** A slice of a conversation, oldest first, and whether there is more in the direction of reading. */
    async readHistory(slice: MessageRange): Promise<{ rows: MessageRow[]; hasMore: boolean }> {
      const { userId, clearedId, limit, offset, before = NEVER_REACHED, after } = slice;
      const range = { userId, before, after: Math.max(clearedId, after ?? 0), limit: limit + 1, offset };
      const found = await (after === undefined ? backwards.all(range) : forwards.all(range));
      const hasMore = found.length > limit;
      if (hasMore) found.pop();
      return { rows: after === undefined ? found.toReversed() : found, hasMore };
    },

    /** The messages around a position: as many before it as after it, more on one side where the other has too few. */
    async readAround(
      { userId, clearedId, limit }: Pick<MessageRange, 'userId' | 'clearedId' | 'limit'>,
      around: number,
    ) {
      const older = await backwards.all({ userId, after: clearedId, before: around + 1, limit: limit + 1, offset: 0 });
      const newer = await forwards.all({
        userId,
        after: Math.max(clearedId, around),
        before: NEVER_REACHED,
        limit: limit + 1,
      });
      const half = Math.floor(limit / 2);
      const newerCount = Math.min(newer.length, Math.max(half, limit - older.length));
      const olderCount = Math.min(older.length, limit - newerCount);
      return {
        rows: [...older.slice(0, olderCount).toReversed(), ...newer.slice(0, newerCount)],
        hasOlder: older.length > olderCount,
        hasNewer: newer.length > newerCount,
      };
    },

    /** The ordinal of one side's newest message up to an id; 0 when there is none. */
    async ordinalUpTo(userId: string, fromAdmin: boolean, upTo: number): Promise<number> {
      return (await newestOfSide.get({ userId, fromAdmin: Number(fromAdmin), upTo }))?.ordinal ?? 0;
    },
  };
});

/** The messages that some of these quote, by id, without deleted ones; one query, and none at all where nothing is quoted. */
export async function readQuoted(
  orm: ConnectionOrTransaction,
  rows: readonly MessageRow[],
): Promise<ReadonlyMap<number, MessageRow>> {
  const ids = new Set(rows.flatMap(({ replyTo }) => replyTo ?? []));
  if (ids.size === 0) return new Map();
  const found = await orm
    .select()
    .from(messages)
    .where(
      and(
        // As one value: a long history may quote more messages than a statement has parameters.
        sql`${messages.id} in ${listOfNumbers(ids)}`,
        gt(
          messages.id,
          sql`(select ${conversations.clearedId} from ${conversations} where ${conversations.userId} = ${messages.userId})`,
        ),
      ),
    )
    .all();
  return new Map(found.map((row) => [row.id, row]));
}
