import { and, count, desc, eq, gt, gte, lt, type SQL } from 'drizzle-orm';
import { messages } from '#server/db/schema.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { ConversationRow, MessageRow } from '../message-queries.ts';

export type TranscriptRange = {
  /** Milliseconds; the end is not in the range. */
  fromMs?: number | undefined;
  endMs?: number | undefined;
};

/** Rows of one step. */
const STEP_MESSAGES = 500;

/**
 * The newest messages of a range, oldest first, and how many older ones were left out. Reads every message of the
 * conversation, so it belongs into the query worker.
 * @param max how many messages, and how many characters of all together
 */
export async function readTranscript(
  tx: Transaction,
  { userId, clearedId }: Pick<ConversationRow, 'userId' | 'clearedId'>,
  { fromMs, endMs }: TranscriptRange,
  max: { messages: number; characters: number },
): Promise<{ rows: MessageRow[]; omitted: number }> {
  const inRange = and(
    eq(messages.userId, userId),
    gt(messages.id, clearedId),
    fromMs === undefined ? undefined : gte(messages.createdAt, fromMs),
    endMs === undefined ? undefined : lt(messages.createdAt, endMs),
  );
  const readBefore = async (before: SQL | undefined): Promise<MessageRow[]> =>
    tx.select().from(messages).where(and(inRange, before)).orderBy(desc(messages.id)).limit(STEP_MESSAGES).all();

  const newestFirst: MessageRow[] = [];
  let characters = 0;
  for (let step = await readBefore(undefined); step.length > 0;) {
    for (const row of step) {
      characters += row.content.length;
      if (newestFirst.length === max.messages || characters > max.characters) {
        const total = (await tx.select({ total: count() }).from(messages).where(inRange).get())?.total ?? 0;
        return { rows: newestFirst.toReversed(), omitted: total - newestFirst.length };
      }
      newestFirst.push(row);
    }
    const oldest = step.at(-1);
    step = oldest && step.length === STEP_MESSAGES ? await readBefore(lt(messages.id, oldest.id)) : [];
  }
  return { rows: newestFirst.toReversed(), omitted: 0 };
}
