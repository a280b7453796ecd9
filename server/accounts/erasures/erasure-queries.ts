import { asc, eq, sql } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { erasureRequests, objectClaims, taxRecords, users } from '#server/db/schema.ts';

export type ErasureRow = typeof erasureRequests.$inferSelect;

/** The last request of an account. */
export async function findErasure(orm: ConnectionOrTransaction, userId: string): Promise<ErasureRow | undefined> {
  return orm.select().from(erasureRequests).where(eq(erasureRequests.userId, userId)).get();
}

/** Stores a request in place of an earlier one of the account. */
export async function storeErasure(tx: Transaction, row: ErasureRow): Promise<void> {
  await tx.delete(erasureRequests).where(eq(erasureRequests.userId, row.userId)).run();
  await tx.insert(erasureRequests).values(row).run();
}

export async function endErasure(
  tx: Transaction,
  { id, state, reason, updatedAt }: Pick<ErasureRow, 'id' | 'state' | 'reason' | 'updatedAt'>,
): Promise<void> {
  await tx.update(erasureRequests).set({ state, reason, updatedAt }).where(eq(erasureRequests.id, id)).run();
}

export type OpenErasureRow = {
  request: ErasureRow;
  user: Pick<typeof users.$inferSelect, 'id' | 'name' | 'email' | 'isAdmin' | 'isActive'>;
  records: number;
  unpaid: number;
  openClaims: number;
};

/** The open requests with what their accounts have, the nearest deadline first. */
export async function listOpenErasures(orm: ConnectionOrTransaction, limit: number): Promise<OpenErasureRow[]> {
  const { id, name, email, isAdmin, isActive } = users;
  const isOwners = eq(taxRecords.userId, id);
  return orm
    .select({
      request: erasureRequests,
      user: { id, name, email, isAdmin, isActive },
      records: sql<number>`(select count(*) from ${taxRecords} where ${isOwners})`,
      unpaid: sql<number>`(select count(*) from ${taxRecords} where ${isOwners} and ${taxRecords.status} <> 'lunas')`,
      openClaims: sql<number>`(select count(*) from ${objectClaims} where ${objectClaims.userId} = ${id} and ${objectClaims.state} = 'open')`,
    })
    .from(erasureRequests)
    .innerJoin(users, eq(id, erasureRequests.userId))
    .where(eq(erasureRequests.state, 'open'))
    .orderBy(asc(erasureRequests.dueAt), asc(erasureRequests.id))
    .limit(limit)
    .all();
}
