import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { conversations, messages } from '#server/db/schema.ts';
import { historyQueries } from './history-queries.ts';
import type { ConversationRow } from './message-queries.ts';
import { stateOfEmpty } from './queries.ts';
import { stateQueries } from './state/state-queries.ts';

/** Deletes the beginning of conversations (R-ACCESS-93). */

/** One read looks at so many: about a millisecond. */
const CONVERSATIONS_LOOKED_AT = 200;

/**
 * Moves the cleared position to an older message, and with it what counts the messages up to there.
 * @param row before @returns the row after
 */
export async function clearUpTo(tx: Transaction, row: ConversationRow, upToId: number): Promise<ConversationRow> {
  const history = historyQueries(tx);
  const userOrdinal = await history.ordinalUpTo(row.userId, false, upToId);
  const adminOrdinal = await history.ordinalUpTo(row.userId, true, upToId);
  const cleared: ConversationRow = {
    ...row,
    clearedId: upToId,
    clearedCount: userOrdinal + adminOrdinal,
    userReadOrdinal: Math.max(row.userReadOrdinal, adminOrdinal),
    adminReadOrdinal: Math.max(row.adminReadOrdinal, userOrdinal),
    ...(row.lastMessageId <= upToId ? { lastMessageId: 0, ...stateOfEmpty } : {}),
  };
  if (cleared.lastMessageId > 0 && row.unansweredSince !== null)
    cleared.unansweredSince = await stateQueries(tx).findWaitStart(cleared);
  // The next answer ends a wait that begins later.
  if (row.unansweredSince !== cleared.unansweredSince) await stateQueries(tx).addDismissal(row.userId, upToId);
  await tx.update(conversations).set(cleared).where(eq(conversations.userId, row.userId)).run();
  const first = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.userId, row.userId), gt(messages.id, upToId)))
    .orderBy(asc(messages.id))
    .limit(1)
    .get();
  // A page that names a message before its first one is refused as outdated.
  if (first) await tx.update(messages).set({ prevId: null }).where(eq(messages.id, first.id)).run();
  return cleared;
}

/** Conversations after `afterUserId` with messages up to this one that are not deleted yet. */
export async function listWithOlder(
  orm: ConnectionOrTransaction,
  { afterUserId, upToId }: { afterUserId: string; upToId: number },
): Promise<{ userIds: string[]; lastUserId: string | null }> {
  const rows = await orm.all<{ userId: string; hasOlder: number }>(
    sql`select user_id as "userId",
        exists (select 1 from messages where messages.user_id = conversations.user_id and messages.id > cleared_id
          and messages.id <= ${upToId}) as "hasOlder"
      from conversations where user_id > ${afterUserId} order by user_id limit ${CONVERSATIONS_LOOKED_AT}`,
  );
  const userIds = rows.filter(({ hasOlder }) => hasOlder === 1).map(({ userId }) => userId);
  return { userIds, lastUserId: rows.at(-1)?.userId ?? null };
}
