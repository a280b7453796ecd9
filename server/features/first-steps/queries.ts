import { and, desc, eq, inArray, isNull, ne } from 'drizzle-orm';
import type { FirstStep } from '#shared/domain/office/first-steps.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
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
export function findDoneSteps(orm: ConnectionOrTransaction, adminId: string): ReadonlySet<FirstStep> {
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
    ['identity', named.limit(1).get() !== undefined],
    ['hours', orm.select({ id: officeHours.id }).from(officeHours).limit(1).get() !== undefined],
    ['user_years', orm.select({ id: recordSettings.id }).from(recordSettings).limit(1).get() !== undefined],
    ['quick_replies', sharedReply.limit(1).get() !== undefined],
    ['password', lastChange.get()?.by === adminId],
  ];
  return new Set(found.filter(([, isDone]) => isDone).map(([step]) => step));
}

/** The steps that were stored for the office and for one admin. */
export function listStoredSteps(orm: ConnectionOrTransaction, adminId: string): StoredStep[] {
  return orm
    .select()
    .from(firstSteps)
    .where(inArray(firstSteps.adminId, [OFFICE, adminId]))
    .all();
}

export function saveStep(tx: Transaction, row: StoredStep): void {
  tx.insert(firstSteps)
    .values(row)
    .onConflictDoUpdate({ target: [firstSteps.step, firstSteps.adminId], set: row })
    .run();
}

export function removeStep(tx: Transaction, step: FirstStep, adminId: string): void {
  tx.delete(firstSteps)
    .where(and(eq(firstSteps.step, step), eq(firstSteps.adminId, adminId)))
    .run();
}
