import { and, eq, gt, isNotNull, lte, ne, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { PHONE_PROVEN_MS } from '#shared/limits.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
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

/**
 * Whether the office may recognise the owner of an account by a call to its number, in a query of `users`: the account has had it for days,
 * and no other account has, so that neither a stolen session nor one of a family that shares it takes over the account (R-ACCESS-11).
 * @returns 1 or 0
 */
export function provesOwner(operatingMs: number): SQL<number> {
  const sinceMs = operatingMs - PHONE_PROVEN_MS;
  const others = alias(users, 'others');
  const isLong = and(isNotNull(users.phone), lte(users.phoneSince, sinceMs));
  const otherOwner = and(eq(others.phone, users.phone), ne(others.id, users.id));
  const { phone, userId, until } = formerPhones;
  const formerOwner = and(eq(phone, users.phone), ne(userId, users.id), gt(until, sinceMs));
  return sql<number>`case when ${isLong}
    and not exists (select 1 from ${users} as ${others} where ${otherOwner})
    and not exists (select 1 from ${formerPhones} where ${formerOwner}) then 1 else 0 end`;
}

/** Whether the number of an account proves its owner. */
export async function isPhoneProven(
  orm: ConnectionOrTransaction,
  userId: string,
  operatingMs: number,
): Promise<boolean> {
  const row = await orm
    .select({ proves: provesOwner(operatingMs) })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  return row?.proves === 1;
}
