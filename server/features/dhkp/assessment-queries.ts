import { eq, inArray } from 'drizzle-orm';
import { listOf, updateMany } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { assessments } from '#server/db/schema.ts';

export type AssessmentRow = typeof assessments.$inferSelect;

export async function findAssessment(orm: ConnectionOrTransaction, id: string): Promise<AssessmentRow | undefined> {
  return orm.select().from(assessments).where(eq(assessments.id, id)).get();
}

export async function listAssessmentsById(tx: Transaction, ids: readonly string[]): Promise<AssessmentRow[]> {
  return tx
    .select()
    .from(assessments)
    .where(inArray(assessments.id, listOf(ids)))
    .all();
}

export async function updateAssessment(tx: Transaction, { id, ...columns }: AssessmentRow): Promise<void> {
  await tx.update(assessments).set(columns).where(eq(assessments.id, id)).run();
}

export const updateAssessments = (tx: Transaction, rows: readonly AssessmentRow[]): Promise<void> =>
  updateMany(tx, assessments, rows);
