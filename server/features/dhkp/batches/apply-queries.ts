import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { numberAt } from '#server/db/dialect.ts';
import { insertMany, listOf } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { assessments, dhkpBatchRows, dhkpChanges, objects, taxRecords } from '#server/db/schema.ts';
import type { AssessmentRow } from '../assessment-queries.ts';

/** Queries of the steps that apply a batch to the list, or take it back. */

export type ObjectRow = typeof objects.$inferSelect;
export type ChangeRow = typeof dhkpChanges.$inferSelect;
export type BatchRowRow = typeof dhkpBatchRows.$inferSelect;

export async function listAssessmentsOfNops(
  orm: ConnectionOrTransaction,
  year: number,
  nops: readonly string[],
): Promise<AssessmentRow[]> {
  return orm
    .select()
    .from(assessments)
    .where(and(inArray(assessments.nop, listOf(nops)), eq(assessments.year, year)))
    .all();
}

export async function listObjects(tx: Transaction, nops: readonly string[]): Promise<ObjectRow[]> {
  return tx
    .select()
    .from(objects)
    .where(inArray(objects.nop, listOf(nops)))
    .all();
}

export const insertObjects = (tx: Transaction, rows: readonly ObjectRow[]): Promise<void> =>
  insertMany(tx, objects, rows);

export const insertAssessments = (tx: Transaction, rows: readonly AssessmentRow[]): Promise<void> =>
  insertMany(tx, assessments, rows);

export const insertChanges = (tx: Transaction, rows: readonly ChangeRow[]): Promise<void> =>
  insertMany(tx, dhkpChanges, rows);

/** The next rows of a preview after a position, in the order of the file. */
export async function listRowsAfter(
  tx: Transaction,
  previewId: string,
  position: number,
  limit: number,
): Promise<BatchRowRow[]> {
  return tx
    .select()
    .from(dhkpBatchRows)
    .where(and(eq(dhkpBatchRows.previewId, previewId), gt(dhkpBatchRows.position, position)))
    .orderBy(asc(dhkpBatchRows.position))
    .limit(limit)
    .all();
}

/** The next changes of a batch that are not taken back yet. */
export async function listChanges(tx: Transaction, batchId: string, limit: number): Promise<ChangeRow[]> {
  return tx
    .select()
    .from(dhkpChanges)
    .where(eq(dhkpChanges.batchId, batchId))
    .orderBy(asc(dhkpChanges.assessmentId))
    .limit(limit)
    .all();
}

export async function deleteChanges(tx: Transaction, batchId: string, assessmentIds: readonly string[]): Promise<void> {
  await tx
    .delete(dhkpChanges)
    .where(and(eq(dhkpChanges.batchId, batchId), inArray(dhkpChanges.assessmentId, listOf(assessmentIds))))
    .run();
}

export async function deleteAssessments(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .delete(assessments)
    .where(inArray(assessments.id, listOf(ids)))
    .run();
}

/** Objects of which another year has an assessment stay. */
export async function deleteUnusedObjects(tx: Transaction, nops: readonly string[]): Promise<void> {
  await tx
    .delete(objects)
    .where(
      and(
        inArray(objects.nop, listOf(nops)),
        sql`not exists (select 1 from ${assessments} where ${assessments.nop} = ${objects.nop})`,
      ),
    )
    .run();
}

/**
 * Rows of a batch that were changed after it, whose object was linked to an account after it, or whose record was changed or
 * copied into another year since. It reads all of them, so it runs in the query worker.
 */
export async function readUsedRows(
  orm: ConnectionOrTransaction,
  { batchId, limit }: { batchId: string; limit: number },
): Promise<{ count: number; rows: { id: string; nop: string }[] }> {
  const used = sql`
    from ${dhkpChanges}
    join ${assessments} on ${assessments.id} = ${dhkpChanges.assessmentId}
    join ${objects} on ${objects.nop} = ${assessments.nop}
    left join ${taxRecords} on ${taxRecords.id} = ${dhkpChanges.recordId}
    where ${dhkpChanges.batchId} = ${batchId}
      and (${assessments.updatedAt} <> ${dhkpChanges.updatedAt}
        or (${objects.userId} is not null and ${objects.linkedAt} > ${dhkpChanges.updatedAt})
        or ${taxRecords.updatedAt} <> ${dhkpChanges.recordUpdatedAt}
        or (${taxRecords.id} is not null
          and ${taxRecords.rolledOverAt} is distinct from ${numberAt(dhkpChanges.recordBefore, 'rolledOverAt')}))`;
  const count = (await orm.value<number>(sql`select count(*) ${used}`)) ?? 0;
  const rows = await orm.all<{ id: string; nop: string }>(
    sql`select ${assessments.id} as id, ${assessments.nop} as nop ${used} order by ${assessments.nop} limit ${limit}`,
  );
  return { count, rows };
}
