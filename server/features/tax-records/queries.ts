import { eq, inArray } from 'drizzle-orm';
import { insertMany, listOf, updateMany } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { taxRecords, users } from '#server/db/schema.ts';

export type RecordRow = typeof taxRecords.$inferSelect;
export type RecordOwner = { id: string; name: string; email: string };
export type OwnedRecord = { record: RecordRow; owner: RecordOwner };

/** The columns of an owner that records need. A password hash is never read. */
export const ownerColumns = { id: users.id, name: users.name, email: users.email };

export async function findRecord(orm: ConnectionOrTransaction, id: string): Promise<OwnedRecord | undefined> {
  return orm
    .select({ record: taxRecords, owner: ownerColumns })
    .from(taxRecords)
    .innerJoin(users, eq(users.id, taxRecords.userId))
    .where(eq(taxRecords.id, id))
    .get();
}

export async function findOwner(orm: ConnectionOrTransaction, id: string): Promise<RecordOwner | undefined> {
  return orm.select(ownerColumns).from(users).where(eq(users.id, id)).get();
}

/** The names of accounts by their ids; those that are gone are left out. */
export async function listOwnerNames(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  const owners = await tx
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, listOf(ids)))
    .all();
  return new Map(owners.map(({ id, name }) => [id, name]));
}

export const insertRecords = (tx: Transaction, records: readonly RecordRow[]): Promise<void> =>
  insertMany(tx, taxRecords, records);

export async function insertRecord(tx: Transaction, record: RecordRow): Promise<void> {
  await tx.insert(taxRecords).values(record).run();
}

export async function updateRecord(tx: Transaction, { id, ...columns }: RecordRow): Promise<void> {
  await tx.update(taxRecords).set(columns).where(eq(taxRecords.id, id)).run();
}

export const updateRecords = (tx: Transaction, records: readonly RecordRow[]): Promise<void> =>
  updateMany(tx, taxRecords, records);

export async function listRecords(tx: Transaction, ids: readonly string[]): Promise<RecordRow[]> {
  return tx
    .select()
    .from(taxRecords)
    .where(inArray(taxRecords.id, listOf(ids)))
    .all();
}

export async function deleteRecords(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .delete(taxRecords)
    .where(inArray(taxRecords.id, listOf(ids)))
    .run();
}

export async function deleteRecord(tx: Transaction, id: string): Promise<void> {
  await tx.delete(taxRecords).where(eq(taxRecords.id, id)).run();
}

/** Id of the user whose record refers to an image; null when no record does. */
export async function findProofOwner(orm: ConnectionOrTransaction, file: string): Promise<string | null> {
  // The join leaves out the records of a deleted account, which may stay for a moment.
  const found = await orm
    .select({ userId: users.id })
    .from(taxRecords)
    .innerJoin(users, eq(users.id, taxRecords.userId))
    .where(eq(taxRecords.proofFile, file))
    .get();
  return found?.userId ?? null;
}
