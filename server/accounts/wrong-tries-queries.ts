import { and, eq, isNotNull, lte, ne } from 'drizzle-orm';
import type { Tries } from '#shared/domain/users/wrong-tries.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { wrongTries } from '#server/db/schema.ts';

export async function findTries(orm: ConnectionOrTransaction, key: string): Promise<Tries | undefined> {
  return (await orm.select({ tries: wrongTries.tries }).from(wrongTries).where(eq(wrongTries.key, key)).get())?.tries;
}

/** Stores a count, and deletes those that change no answer any more. */
export async function storeTries(tx: Transaction, row: typeof wrongTries.$inferSelect): Promise<void> {
  const { key, forgottenAt } = wrongTries;
  await tx
    .delete(wrongTries)
    .where(and(isNotNull(forgottenAt), lte(forgottenAt, row.at), ne(key, row.key)))
    .run();
  await tx.insert(wrongTries).values(row).onConflictDoUpdate({ target: key, set: row }).run();
}

export async function deleteTries(tx: Transaction, key: string): Promise<void> {
  await tx.delete(wrongTries).where(eq(wrongTries.key, key)).run();
}
