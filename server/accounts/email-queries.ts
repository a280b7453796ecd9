import { and, asc, eq, gt, gte, lte, ne, or, sql } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { formerEmails, users } from '#server/db/schema.ts';

export type FormerEmail = typeof formerEmails.$inferSelect;

/** The account that has the address, or else the one that gave it up after `sinceMs` of operating time. */
export async function findEmailHolder(
  orm: ConnectionOrTransaction,
  email: string,
  sinceMs: number,
): Promise<string | undefined> {
  const owner = await orm.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
  if (owner) return owner.id;
  const { userId, until } = formerEmails;
  const former = await orm
    .select({ userId })
    .from(formerEmails)
    .where(and(eq(formerEmails.email, email), gt(until, sinceMs)))
    .get();
  return former?.userId;
}

/** The addresses that an account gave up after `sinceMs`, the oldest first. */
export async function listFormerEmails(tx: Transaction, userId: string, sinceMs: number): Promise<FormerEmail[]> {
  const isOwn = and(eq(formerEmails.userId, userId), gt(formerEmails.until, sinceMs));
  return tx.select().from(formerEmails).where(isOwn).orderBy(asc(formerEmails.id)).all();
}

/** Remembers an address that an account gives up for another one, and forgets those before `sinceMs`. */
export async function insertFormerEmail(
  tx: Transaction,
  former: Omit<FormerEmail, 'id'> & { newEmail: string },
  sinceMs: number,
): Promise<void> {
  const { newEmail, ...row } = former;
  const { userId, email, until } = formerEmails;
  await tx
    .delete(formerEmails)
    .where(or(lte(until, sinceMs), and(eq(userId, row.userId), eq(email, newEmail))))
    .run();
  await tx.insert(formerEmails).values(row).run();
}

export type EmailChange = FormerEmail & { name: string };

/** The changes of other accounts that this admin has not put away: the oldest ones, the newest of them first. */
export async function listEmailChanges(
  orm: ConnectionOrTransaction,
  adminId: string,
  sinceMs: number,
  limit: number,
): Promise<EmailChange[]> {
  const { id, userId, email, until, changedAt } = formerEmails;
  const seenId = sql`(select ${users.seenEmailChangeId} from ${users} where ${users.id} = ${adminId})`;
  const rows = await orm
    .select({ id, userId, email, until, changedAt, name: users.name })
    .from(formerEmails)
    .innerJoin(users, eq(users.id, userId))
    .where(and(gt(until, sinceMs), ne(userId, adminId), gt(id, seenId)))
    .orderBy(asc(id))
    .limit(limit)
    .all();
  return rows.toReversed();
}

export async function markEmailChangesSeen(tx: Transaction, adminId: string, upToId: number): Promise<void> {
  // Never beyond what has happened: a later change must be shown.
  const newest = sql`(select coalesce(max(${formerEmails.id}), 0) from ${formerEmails})`;
  await tx
    .update(users)
    .set({ seenEmailChangeId: sql`max(${users.seenEmailChangeId}, min(${upToId}, ${newest}))` })
    .where(eq(users.id, adminId))
    .run();
}

export async function findFormerEmail(
  orm: ConnectionOrTransaction,
  changeId: number,
  sinceMs: number,
): Promise<FormerEmail | undefined> {
  const { id, until } = formerEmails;
  return orm
    .select()
    .from(formerEmails)
    .where(and(eq(id, changeId), gt(until, sinceMs)))
    .get();
}

/** Forgets that an account gave up an address: the office gave it back. */
export async function deleteFormerEmail(tx: Transaction, userId: string, email: string): Promise<void> {
  await tx
    .delete(formerEmails)
    .where(and(eq(formerEmails.userId, userId), eq(formerEmails.email, email)))
    .run();
}

/** Gives an account its former address again. The addresses that it took after it mean nothing any more. */
export async function restoreEmail(tx: Transaction, former: FormerEmail, updatedAt: number): Promise<void> {
  const { id, userId, email } = former;
  await tx
    .delete(formerEmails)
    .where(and(eq(formerEmails.userId, userId), gte(formerEmails.id, id)))
    .run();
  await tx.update(users).set({ email, updatedAt }).where(eq(users.id, userId)).run();
}
