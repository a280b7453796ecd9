import { eq, sql } from 'drizzle-orm';
import { keepsTraces, mergeOf, replaceTerm, writePages } from '../db/index-steps.ts';
import { addMessageWords } from '../db/word-index.ts';
import { messageIndex } from '../db/schema.ts';
import type { ConnectionOrTransaction, Transaction } from '../db/engine.ts';
import { wordsOf } from './message-words.ts';

/**
 * The search index over messages (docs/decisions/015-search.md). It is an FTS5 table without texts of its own; triggers
 * remove a message that is deleted or emptied. Raw SQL, because Drizzle does not know virtual tables.
 */

export type IndexRange = typeof messageIndex.$inferSelect;

/** @returns the messages that the index holds: those after `afterId` and up to `upToId` */
export async function readIndexRange(orm: ConnectionOrTransaction): Promise<IndexRange> {
  return (await orm.select().from(messageIndex).get()) ?? { id: 1, afterId: 0, upToId: 0 };
}

export async function readNewestMessageId(orm: ConnectionOrTransaction): Promise<number> {
  return (await orm.value<number | null>('select max(id) from messages')) ?? 0;
}

/** This much text of one step holds the event loop for a few milliseconds, also when thousands of short messages went before. */
const STEP_BYTES_MAX = 100_000;

type MessageSize = { id: number; bytes: number };

/** @returns how many of these messages one step indexes; at least one */
function countForOneStep(rows: readonly MessageSize[]): number {
  let sum = 0;
  const end = rows.findIndex(({ bytes }) => (sum += bytes) > STEP_BYTES_MAX);
  return end < 0 ? rows.length : Math.max(1, end);
}

/** Indexes the next messages that arrived since, up to a limit. @returns whether there may be more */
export async function indexNewer(tx: Transaction, limit: number): Promise<boolean> {
  const { upToId } = await readIndexRange(tx);
  const rows = await tx.all<MessageSize>(
    sql`select id, octet_length(content) as bytes from messages where id > ${upToId} order by id limit ${limit}`,
  );
  const count = countForOneStep(rows);
  const last = rows[count - 1]?.id;
  if (last === undefined) return false;
  await insertWords(tx, upToId, last);
  await tx.update(messageIndex).set({ upToId: last }).where(eq(messageIndex.id, 1)).run();
  return count === limit || count < rows.length;
}

/** Indexes the next messages before those that are indexed, newest first, up to a limit. @returns whether there are more */
export async function indexOlder(tx: Transaction, limit: number): Promise<boolean> {
  const { afterId } = await readIndexRange(tx);
  if (afterId === 0) return false;
  // One more tells where the next step begins, so that the last step ends at zero.
  const rows = await tx.all<MessageSize>(
    sql`select id, octet_length(content) as bytes from messages where id <= ${afterId} order by id desc limit ${limit + 1}`,
  );
  const next = rows[countForOneStep(rows.slice(0, limit))]?.id ?? 0;
  await insertWords(tx, next, afterId);
  await tx.update(messageIndex).set({ afterId: next }).where(eq(messageIndex.id, 1)).run();
  return next > 0;
}

const insertWords = async (tx: Transaction, after: number, upTo: number): Promise<void> => {
  await addMessageWords(tx, { after, upTo }, (content) => wordsOf(content).map(({ text }) => text));
  await writePages(tx);
};

export const mergeIndex = mergeOf('message_words');

/** In a part of the index the words of its main tree begin with this. */
const MAIN_TREE = '0';

/** Removing the words of so much text holds the event loop for about twenty milliseconds, whatever else is in the index. */
const FORGOTTEN_CHARACTERS_MAX = 800;

/** @returns the first of these messages, as many as one commit should delete or empty; at least one */
export function takeForOneCommit<T extends { content: string }>(rows: readonly T[]): T[] {
  let characters = 0;
  const end = rows.findIndex(({ content }) => (characters += content.length) > FORGOTTEN_CHARACTERS_MAX);
  return end < 0 ? [...rows] : rows.slice(0, Math.max(1, end));
}

/**
 * Removes the last traces of words whose messages were just removed from the index. Its pages hold them no longer, but a page
 * is found by the beginning of its first word, and that beginning stays when the word goes. It is replaced by the next word
 * that is still there, which comes before or is the first one of that page.
 * @param contents of the messages that were deleted or emptied in this transaction
 */
export async function forgetWords(tx: Transaction, contents: readonly string[]): Promise<void> {
  const words = new Set(contents.flatMap((content) => wordsOf(content).map(({ text }) => text)));
  if (words.size === 0 || !keepsTraces(tx)) return;
  await writePages(tx);
  for (const separator of await findSeparators(tx, words)) await replaceSeparator(tx, separator);
}

type Separator = { part: number; beginning: Buffer };

/** The beginnings of pages that are beginnings of these words. */
async function findSeparators(tx: Transaction, words: ReadonlySet<string>): Promise<Separator[]> {
  return tx.all<Separator>(sql`
    with recursive parts (part) as (
      select min(segid) from message_words_idx
      union all
      select (select min(segid) from message_words_idx where segid > part) from parts where part is not null
    ),
    candidates (part, word, beginning) as (
      select part, cast(${MAIN_TREE} || value as blob), (
        select term from message_words_idx
        where segid = part and term <= cast(${MAIN_TREE} || value as blob) order by term desc limit 1
      )
      from json_each(${JSON.stringify([...words])}), parts where part is not null
    )
    select distinct part, beginning from candidates
    where length(beginning) > 1 and substr(word, 1, length(beginning)) = beginning`);
}

async function replaceSeparator(tx: Transaction, { part, beginning }: Separator): Promise<void> {
  const wanted = beginning.subarray(MAIN_TREE.length);
  // Ordered by the column, which FTS5 reads in order; by the name of the result SQLite would sort all words that follow.
  const next = (
    await tx.get<{ term: Buffer }>(
      sql`select cast(term as blob) as term from message_vocabulary where term >= cast(${wanted} as text) order by message_vocabulary.term limit 1`,
    )
  )?.term;
  // A word that is still there begins like it.
  if (next?.subarray(0, wanted.length).equals(wanted)) return;
  const following = (
    await tx.get<{ term: Buffer }>(
      sql`select term from message_words_idx where segid = ${part} and term > ${beginning} order by term limit 1`,
    )
  )?.term;
  if (!next) return;
  const replacement = Buffer.concat([Buffer.from(MAIN_TREE), next]);
  if (following && Buffer.compare(following, replacement) <= 0) return;
  await replaceTerm(tx, { replacement, part, beginning });
}

/** Share of the messages that can be found, in whole percent; 100 only when all can. */
export function indexedPercent({ afterId, upToId }: { afterId: number; upToId: number }): number {
  return afterId === 0 ? 100 : Math.min(99, Math.floor((100 * (upToId - afterId)) / upToId));
}
