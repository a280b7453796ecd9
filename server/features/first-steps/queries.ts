import { and, desc, eq, inArray, isNull, ne } from 'drizzle-orm';
import type { FirstStep } from '#shared/domain/office/first-steps.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import {
  auditEntries,
  firstSteps,
  officeHours,
  officeIdentity,
  quickReplies,
  recordSettings,
} from '#server/db/schema.ts';

/** The owner of a step that concerns the whole office. */
export const OFFICE = '';

type StoredStep = typeof firstSteps.$inferSelect;

/** The steps that the stored data shows as done. */
export async function findDoneSteps(orm: ConnectionOrTransaction, adminId: string): Promise<ReadonlySet<FirstStep>> {
  const named = orm.select({ id: officeIdentity.id }).from(officeIdentity).where(ne(officeIdentity.name, ''));
  // A password that somebody else has set is known to somebody else.
  const lastChange = orm
    .select({ by: auditEntries.actorId })
    .from(auditEntries)
    .where(and(eq(auditEntries.subjectId, adminId), eq(auditEntries.action, 'password.changed')))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  const sharedReply = orm.select({ id: quickReplies.id }).from(quickReplies).where(isNull(quickReplies.ownerId));
  const found: [FirstStep, boolean][] = [
    ['identity', (await named.limit(1).get()) !== undefined],
    ['hours', (await orm.select({ id: officeHours.id }).from(officeHours).limit(1).get()) !== undefined],
    ['user_years', (await orm.select({ id: recordSettings.id }).from(recordSettings).limit(1).get()) !== undefined],
    ['quick_replies', (await sharedReply.limit(1).get()) !== undefined],
    ['password', (await lastChange.get())?.by === adminId],
  ];
  return new Set(found.filter(([, isDone]) => isDone).map(([step]) => step));
}

/** The steps that were stored for the office and for one admin. */
export async function listStoredSteps(orm: ConnectionOrTransaction, adminId: string): Promise<StoredStep[]> {
  return orm
    .select()
    .from(firstSteps)
    .where(inArray(firstSteps.adminId, [OFFICE, adminId]))
    .all();
}

export async function saveStep(tx: Transaction, row: StoredStep): Promise<void> {
  await tx
    .insert(firstSteps)
    .values(row)
    .onConflictDoUpdate({ target: [firstSteps.step, firstSteps.adminId], set: row })
    .run();
}

export async function removeStep(tx: Transaction, step: FirstStep, adminId: string): Promise<void> {
  await tx
    .delete(firstSteps)
    .where(and(eq(firstSteps.step, step), eq(firstSteps.adminId, adminId)))
    .run();
}
