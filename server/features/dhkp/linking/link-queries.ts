import { asc, eq } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { assessments, objects, users } from '#server/db/schema.ts';
import type { AssessmentRow } from '../assessment-queries.ts';

export type AccountOfObject = { id: string; name: string; email: string; isAdmin: boolean };

const accountColumns = { id: users.id, name: users.name, email: users.email, isAdmin: users.isAdmin };

/** The account to which an object is linked, if it still exists. */
export async function findAccountOf(orm: ConnectionOrTransaction, nop: string): Promise<AccountOfObject | undefined> {
  return orm
    .select(accountColumns)
    .from(objects)
    .innerJoin(users, eq(users.id, objects.userId))
    .where(eq(objects.nop, nop))
    .get();
}

export async function findAccount(orm: ConnectionOrTransaction, id: string): Promise<AccountOfObject | undefined> {
  return orm.select(accountColumns).from(users).where(eq(users.id, id)).get();
}

export async function setAccountOf(
  tx: Transaction,
  nop: string,
  link: { userId: string | null; linkedAt: number | null },
  nowMs: number,
): Promise<void> {
  await tx
    .update(objects)
    .set({ ...link, updatedAt: nowMs })
    .where(eq(objects.nop, nop))
    .run();
}

/** All years of an object, the oldest first. */
export async function listYearsOf(orm: ConnectionOrTransaction, nop: string): Promise<AssessmentRow[]> {
  return orm.select().from(assessments).where(eq(assessments.nop, nop)).orderBy(asc(assessments.year)).all();
}
