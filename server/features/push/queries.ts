import { and, eq } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { pushPreferences, pushSubscriptions } from '#server/db/schema.ts';

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;
export type PreferencesRow = typeof pushPreferences.$inferSelect;

export async function findSubscription(
  orm: ConnectionOrTransaction,
  sessionId: string,
): Promise<SubscriptionRow | undefined> {
  return orm.select().from(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId)).get();
}

export async function findSubscriptionByEndpoint(
  orm: ConnectionOrTransaction,
  endpoint: string,
): Promise<SubscriptionRow | undefined> {
  return orm.select().from(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint)).get();
}

/** Replaces the subscription of its session. */
export async function storeSubscription(tx: Transaction, row: SubscriptionRow): Promise<void> {
  const { sessionId: _, ...columns } = row;
  await tx
    .insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({ target: pushSubscriptions.sessionId, set: columns })
    .run();
}

export async function deleteSubscription(tx: Transaction, sessionId: string): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId)).run();
}

/** Deletes a subscription that its push service has ended, unless the session has a new one by now. */
export async function deleteEndedSubscription(
  tx: Transaction,
  { sessionId, endpoint }: Pick<SubscriptionRow, 'sessionId' | 'endpoint'>,
): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.sessionId, sessionId), eq(pushSubscriptions.endpoint, endpoint)))
    .run();
}

export async function findPreferences(
  orm: ConnectionOrTransaction,
  userId: string,
): Promise<PreferencesRow | undefined> {
  return orm.select().from(pushPreferences).where(eq(pushPreferences.userId, userId)).get();
}

export async function storePreferences(tx: Transaction, row: PreferencesRow): Promise<void> {
  const { userId: _, ...columns } = row;
  await tx
    .insert(pushPreferences)
    .values(row)
    .onConflictDoUpdate({ target: pushPreferences.userId, set: columns })
    .run();
}
