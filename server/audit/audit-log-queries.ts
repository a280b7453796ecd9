import { eq } from 'drizzle-orm';
import { insertMany } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { auditEntries, users } from '#server/db/schema.ts';

type NewEntry = Omit<typeof auditEntries.$inferSelect, 'id'>;

export async function insertEntry(tx: Transaction, entry: NewEntry): Promise<void> {
  await tx.insert(auditEntries).values(entry).run();
}

export const insertEntries = (tx: Transaction, entries: readonly NewEntry[]): Promise<void> =>
  insertMany(
    tx,
    auditEntries,
    entries.map((entry) => ({ ...entry, id: null })),
  );

export async function findSubjectUser(
  orm: ConnectionOrTransaction,
  id: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  return orm.select({ id: users.id, name: users.name, email: users.email }).from(users).where(eq(users.id, id)).get();
}
