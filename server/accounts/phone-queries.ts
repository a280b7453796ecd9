import { and, count, eq, gt, lte, ne } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { formerPhones, users } from '#server/db/schema.ts';

export type FormerPhone = typeof formerPhones.$inferSelect;

/** Remembers a number that an account has given up, and forgets those before `sinceMs`. */
export async function insertFormerPhone(tx: Transaction, former: FormerPhone, sinceMs: number): Promise<void> {
  const { phone, userId, until } = formerPhones;
  await tx.delete(formerPhones).where(lte(until, sinceMs)).run();
  await tx
    .insert(formerPhones)
    .values(former)
    .onConflictDoUpdate({ target: [phone, userId], set: { until: former.until } })
    .run();
}

/** Whether another account has the number, or had it after `sinceMs`. */
export async function isPhoneOfOthers(
  orm: ConnectionOrTransaction,
  { phone, userId, sinceMs }: { phone: string; userId: string; sinceMs: number },
): Promise<boolean> {
  const having = await orm
    .select({ others: count() })
    .from(users)
    .where(and(eq(users.phone, phone), ne(users.id, userId)))
    .get();
  const former = await orm
    .select({ others: count() })
    .from(formerPhones)
    .where(and(eq(formerPhones.phone, phone), ne(formerPhones.userId, userId), gt(formerPhones.until, sinceMs)))
    .get();
  return (having?.others ?? 0) + (former?.others ?? 0) > 0;
}
