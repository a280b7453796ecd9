import { eq } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { auditEntries, users } from '#server/db/schema.ts';

type NewEntry = Omit<typeof auditEntries.$inferSelect, 'id'>;

export async function insertEntry(tx: Transaction, entry: NewEntry): Promise<void> {
  await tx.insert(auditEntries).values(entry).run();
}

/** Stays well below the number of parameters that SQLite allows in one statement. */
const ROWS_PER_INSERT = 100;

export async function insertEntries(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += ROWS_PER_INSERT) {
    await tx
      .insert(auditEntries)
      .values(entries.slice(from, from + ROWS_PER_INSERT))
      .run();
  }
}

export async function findSubjectUser(
  orm: ConnectionOrTransaction,
  id: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  return orm.select({ id: users.id, name: users.name, email: users.email }).from(users).where(eq(users.id, id)).get();
}
