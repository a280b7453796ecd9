import { and, eq } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { pushPreferences, pushSubscriptions } from '#server/db/schema.ts';

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;
export type PreferencesRow = typeof pushPreferences.$inferSelect;

export function findSubscription(orm: ConnectionOrTransaction, sessionId: string): SubscriptionRow | undefined {
  return orm.select().from(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId)).get();
}

export function findSubscriptionByEndpoint(
  orm: ConnectionOrTransaction,
  endpoint: string,
): SubscriptionRow | undefined {
  return orm.select().from(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint)).get();
}

/** Replaces the subscription of its session. */
export function storeSubscription(tx: Transaction, row: SubscriptionRow): void {
  const { sessionId: _, ...columns } = row;
  tx.insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({ target: pushSubscriptions.sessionId, set: columns })
    .run();
}

export function deleteSubscription(tx: Transaction, sessionId: string): void {
  tx.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId)).run();
}

/** Deletes a subscription that its push service has ended, unless the session has a new one by now. */
export function deleteEndedSubscription(
  tx: Transaction,
  { sessionId, endpoint }: Pick<SubscriptionRow, 'sessionId' | 'endpoint'>,
): void {
  tx.delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.sessionId, sessionId), eq(pushSubscriptions.endpoint, endpoint)))
    .run();
}

export function findPreferences(orm: ConnectionOrTransaction, userId: string): PreferencesRow | undefined {
  return orm.select().from(pushPreferences).where(eq(pushPreferences.userId, userId)).get();
}

export function storePreferences(tx: Transaction, row: PreferencesRow): void {
  const { userId: _, ...columns } = row;
  tx.insert(pushPreferences).values(row).onConflictDoUpdate({ target: pushPreferences.userId, set: columns }).run();
}
