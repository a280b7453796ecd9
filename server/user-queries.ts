import { eq } from 'drizzle-orm';
import { v7 as newId } from 'uuid';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { users } from '#server/db/schema.ts';

/** Queries that login, the own account, the users of admins and the commands share; features do not import each other. */

export type UserRow = typeof users.$inferSelect;
export type NewUser = Pick<UserRow, 'name' | 'email' | 'passwordHash' | 'isAdmin' | 'isActive'>;

export function findUserById(orm: ConnectionOrTransaction, id: string): UserRow | undefined {
  return orm.select().from(users).where(eq(users.id, id)).get();
}

export function findUserByEmail(orm: ConnectionOrTransaction, email: string): UserRow | undefined {
  return orm.select().from(users).where(eq(users.email, email)).get();
}

/** @param nowMs becomes both times of the account */
export function insertUser(tx: Transaction, newUser: NewUser, nowMs: number): UserRow {
  const { name, email, passwordHash, isAdmin, isActive } = newUser;
  const row = { id: newId(), name, email, passwordHash, isAdmin, isActive, createdAt: nowMs, updatedAt: nowMs };
  tx.insert(users).values(row).run();
  return row;
}

/** `updated_at` stays the same: no form shows the password, so a new one conflicts with no edit. */
export function updatePasswordHash(tx: Transaction, id: string, passwordHash: string): void {
  tx.update(users).set({ passwordHash }).where(eq(users.id, id)).run();
}
