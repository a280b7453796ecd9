import { and, count, eq, gt, inArray } from 'drizzle-orm';
import type { Transaction } from '#server/db/engine.ts';
import { assessments, objects, users } from '#server/db/schema.ts';
import type { AssessmentRow } from '../assessment-queries.ts';

export async function countAssessments(tx: Transaction, ids: readonly string[]): Promise<number> {
  const counted = await tx
    .select({ total: count() })
    .from(assessments)
    .where(inArray(assessments.id, [...ids]))
    .get();
  return counted?.total ?? 0;
}

/** Remembers area and collector for the next list, unless an assessment of a later year already has its own ones. */
export async function rememberForObject(
  tx: Transaction,
  { nop, year, areaId, collectorId }: AssessmentRow,
  nowMs: number,
): Promise<void> {
  const later = await tx
    .select({ id: assessments.id })
    .from(assessments)
    .where(and(eq(assessments.nop, nop), gt(assessments.year, year)))
    .limit(1)
    .get();
  if (later) return;
  await tx.update(objects).set({ areaId, collectorId, updatedAt: nowMs }).where(eq(objects.nop, nop)).run();
}

export async function findActiveAccount(tx: Transaction, id: string): Promise<{ name: string } | undefined> {
  return tx
    .select({ name: users.name })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isActive, true)))
    .get();
}

export async function findAccountName(tx: Transaction, id: string): Promise<string | null> {
  return (await tx.select({ name: users.name }).from(users).where(eq(users.id, id)).get())?.name ?? null;
}
