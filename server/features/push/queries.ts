import { and, count, eq, getTableColumns, inArray } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { pushPreferences, pushSubscriptions, users } from '#server/db/schema.ts';

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;
export type PreferencesRow = typeof pushPreferences.$inferSelect;
/** A subscription with the choices of its person; null: that person never chose. */
export type ReceivingSubscription = SubscriptionRow & { preferences: PreferencesRow | null };

/** Whoever reads these must ask again whether the session lives, see `policy.findLiveSession`. */
function selectReceiving(orm: ConnectionOrTransaction) {
  return orm
    .select({ ...getTableColumns(pushSubscriptions), preferences: pushPreferences })
    .from(pushSubscriptions)
    .leftJoin(pushPreferences, eq(pushPreferences.userId, pushSubscriptions.userId));
}

/** The subscriptions of one account, whatever its role. */
export function listSubscriptionsOfUser(orm: ConnectionOrTransaction, userId: string): ReceivingSubscription[] {
  return selectReceiving(orm).where(eq(pushSubscriptions.userId, userId)).all();
}

/** The subscriptions of all active admins. */
export function listSubscriptionsOfAdmins(orm: ConnectionOrTransaction): ReceivingSubscription[] {
  const admins = orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isActive, true)));
  return selectReceiving(orm).where(inArray(pushSubscriptions.userId, admins)).all();
}

export function findSubscription(orm: ConnectionOrTransaction, sessionId: string): ReceivingSubscription | undefined {
  return selectReceiving(orm).where(eq(pushSubscriptions.sessionId, sessionId)).get();
}

export function findSubscriptionByEndpoint(
  orm: ConnectionOrTransaction,
  endpoint: string,
): SubscriptionRow | undefined {
  return orm.select().from(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint)).get();
}

export function countSubscriptions(orm: ConnectionOrTransaction): number {
  return orm.select({ total: count() }).from(pushSubscriptions).get()?.total ?? 0;
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
