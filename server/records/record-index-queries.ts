import { and, asc, gt, isNotNull, sql } from 'drizzle-orm';
import { jsonList, numbersIn } from '#server/db/dialect.ts';
import { mergeOf, writePages } from '../db/index-steps.ts';
import { recordWordsPending } from '../db/schema.ts';
import type { ConnectionOrTransaction, Transaction } from '../db/engine.ts';

/**
 * The search index over records (docs/decisions/022-kept-sums-and-trigrams.md) follows the records: triggers note what has
 * changed, and these steps bring the index up to date. Raw SQL, because Drizzle does not know virtual tables.
 */

/** The rows that a search reads beside those that the index proposes. */
export const pendingRowids = sql`select record_rowid from ${recordWordsPending}`;

export async function hasPending(orm: ConnectionOrTransaction): Promise<boolean> {
  const { recordRowid } = recordWordsPending;
  return (await orm.select({ recordRowid }).from(recordWordsPending).limit(1).get()) !== undefined;
}

/** @returns the first record after this one that the index holds with texts which it has no more; null: none */
export async function findReplaced(orm: ConnectionOrTransaction, afterRowid: number): Promise<number | null> {
  const { recordRowid, name } = recordWordsPending;
  const row = await orm
    .select({ recordRowid })
    .from(recordWordsPending)
    .where(and(isNotNull(name), gt(recordRowid, afterRowid)))
    .orderBy(asc(recordRowid))
    .limit(1)
    .get();
  return row?.recordRowid ?? null;
}

/** Removing the texts of one record takes about 10 ms in an index of a million records. */
const REMOVE_MS = 2;

/**
 * Removes replaced and deleted texts from the index, as many as fit into some milliseconds; at least those of one record.
 * @returns the last record of this step; null: none was left after `afterRowid`
 */
export async function removeReplaced(tx: Transaction, afterRowid: number): Promise<number | null> {
  const deadline = performance.now() + REMOVE_MS;
  let last = afterRowid;
  do {
    const rowid = await findReplaced(tx, last);
    if (rowid === null) return null;
    await tx.run(
      sql`insert into record_words (record_words, rowid, name, address, spt_number, owner_name)
        select 'delete', record_rowid, name, address, spt_number, owner_name from ${recordWordsPending} where record_rowid = ${rowid}`,
    );
    await writePages(tx);
    await tx.run(
      sql`update ${recordWordsPending} set name = null, address = null, spt_number = null, owner_name = null where record_rowid = ${rowid}`,
    );
    last = rowid;
  } while (performance.now() < deadline);
  return last;
}

/** Adds the next records to the index that it does not hold, up to a limit. @returns whether there may be more */
export async function addPending(tx: Transaction, limit: number): Promise<boolean> {
  const next = await tx.get<{ rowids: string; count: number }>(
    sql`select ${jsonList(sql`record_rowid`)} as rowids, count(*) as count from (
      select record_rowid from ${recordWordsPending} where name is null order by record_rowid limit ${limit}) as next`,
  );
  if (!next || next.count === 0) return false;
  const { rowids, count } = next;
  const isNext = sql`in ${numbersIn(rowids)}`;
  // A record that was deleted meanwhile has no row.
  await tx.run(
    sql`insert into record_words (rowid, name, address, spt_number, owner_name)
      select record_rowid, name, address, spt_number, owner_name from record_texts where record_rowid ${isNext}`,
  );
  await writePages(tx);
  await tx.run(sql`delete from ${recordWordsPending} where record_rowid ${isNext}`);
  return count === limit;
}

export const mergeRecordIndex = mergeOf('record_words');
