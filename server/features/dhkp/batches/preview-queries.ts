import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import { isTrue } from '#server/db/dialect.ts';
import { listOf } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { assessments } from '#server/db/schema.ts';
import type { AssessmentRow } from '../assessment-queries.ts';

/** Objects of the year that are listed. Read from an index. */
export async function countListed(orm: ConnectionOrTransaction, year: number): Promise<number> {
  const counted = await orm
    .select({ total: count() })
    .from(assessments)
    .where(and(eq(assessments.year, year), eq(assessments.isListed, true)))
    .get();
  return counted?.total ?? 0;
}

/** The number of these objects that are listed in the year. */
export async function countListedOf(
  orm: ConnectionOrTransaction,
  year: number,
  nops: readonly string[],
): Promise<number> {
  const { nop, year: ofYear, isListed } = assessments;
  const counted = await orm.value<number>(sql`
    select count(*) from ${assessments}
    where ${nop} in ${listOf(nops)} and ${ofYear} = ${year} and ${isTrue(isListed)}`);
  return counted ?? 0;
}

/** The next listed objects of the year after a NOP. */
export async function listListedAfter(
  tx: Transaction,
  year: number,
  nop: string,
  limit: number,
): Promise<AssessmentRow[]> {
  return tx
    .select()
    .from(assessments)
    .where(and(eq(assessments.year, year), gt(assessments.nop, nop), eq(assessments.isListed, true)))
    .orderBy(asc(assessments.nop))
    .limit(limit)
    .all();
}
