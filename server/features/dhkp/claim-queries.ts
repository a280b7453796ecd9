import { and, asc, count, desc, eq, inArray, type SQL } from 'drizzle-orm';
import type { ClaimState } from '#shared/domain/dhkp/list-states.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { assessments, attachments, objectClaims, users } from '#server/db/schema.ts';

export type ClaimRow = typeof objectClaims.$inferSelect;
export type ClaimWithUser = { claim: ClaimRow; user: { id: string; name: string; email: string } };
type Paging = { limit: number; offset: number };

const userColumns = { id: users.id, name: users.name, email: users.email };
const { userId, nop, state, createdAt, id } = objectClaims;

export async function insertClaim(tx: Transaction, row: ClaimRow): Promise<void> {
  await tx.insert(objectClaims).values(row).run();
}

export async function updateClaim(tx: Transaction, { id: claimId, ...columns }: ClaimRow): Promise<void> {
  await tx.update(objectClaims).set(columns).where(eq(id, claimId)).run();
}

export async function deleteClaim(tx: Transaction, claimId: string): Promise<void> {
  await tx.delete(objectClaims).where(eq(id, claimId)).run();
}

export async function findClaim(orm: ConnectionOrTransaction, claimId: string): Promise<ClaimWithUser | undefined> {
  return orm
    .select({ claim: objectClaims, user: userColumns })
    .from(objectClaims)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(id, claimId))
    .get();
}

export async function hasOpenClaim(tx: Transaction, account: string, digits: string): Promise<boolean> {
  const isSame = and(eq(userId, account), eq(nop, digits), eq(state, 'open'));
  return (await tx.select({ id }).from(objectClaims).where(isSame).get()) !== undefined;
}

export async function countOpenClaims(tx: Transaction, account: string): Promise<number> {
  const isOpen = and(eq(userId, account), eq(state, 'open'));
  return (await tx.select({ open: count() }).from(objectClaims).where(isOpen).get())?.open ?? 0;
}

async function countClaims(orm: ConnectionOrTransaction, where: SQL | undefined): Promise<number> {
  return (await orm.select({ total: count() }).from(objectClaims).where(where).get())?.total ?? 0;
}

/** Newest first. */
export function listOwnClaims(
  orm: ConnectionOrTransaction,
  account: string,
  { limit, offset }: Paging,
): Promise<{ rows: ClaimRow[]; total: number }> {
  const isOwn = eq(userId, account);
  // One snapshot, so that the total agrees with the rows.
  return readSnapshot(orm, async (tx) => {
    const rows = await tx
      .select()
      .from(objectClaims)
      .where(isOwn)
      .orderBy(desc(createdAt), desc(id))
      .limit(limit)
      .offset(offset)
      .all();
    return { rows, total: await countClaims(tx, isOwn) };
  });
}

/** Open ones wait, so the oldest is the first; of all others it is the newest. */
export async function listClaims(
  orm: ConnectionOrTransaction,
  /** Null: one that no claim has. */
  wanted: ClaimState | null | undefined,
  { limit, offset }: Paging,
): Promise<{ rows: ClaimWithUser[]; total: number }> {
  if (wanted === null) return { rows: [], total: 0 };
  const where = wanted === undefined ? undefined : eq(state, wanted);
  const order = wanted === 'open' ? [asc(createdAt), asc(id)] : [desc(createdAt), desc(id)];
  return readSnapshot(orm, async (tx) => {
    const rows = await tx
      .select({ claim: objectClaims, user: userColumns })
      .from(objectClaims)
      .innerJoin(users, eq(users.id, userId))
      .where(where)
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
      .all();
    return { rows, total: await countClaims(tx, where) };
  });
}

/** The newest claims of an object. */
export async function listClaimsOfNop(
  orm: ConnectionOrTransaction,
  digits: string,
  limit: number,
): Promise<ClaimWithUser[]> {
  return orm
    .select({ claim: objectClaims, user: userColumns })
    .from(objectClaims)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(nop, digits))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit)
    .all();
}

/** The ids of the listed assessments of some objects. */
export async function listListedIds(orm: ConnectionOrTransaction, nops: readonly string[]): Promise<string[]> {
  const isListedOne = and(inArray(assessments.nop, [...nops]), eq(assessments.isListed, true));
  return (await orm.select({ id: assessments.id }).from(assessments).where(isListedOne).all()).map((row) => row.id);
}

/** Whether an own file is in the own conversation already. */
export async function isSentFile(tx: Transaction, fileId: string, account: string): Promise<boolean> {
  const isOwnSent = and(eq(attachments.id, fileId), eq(attachments.userId, account));
  return (await tx.select({ id: attachments.id }).from(attachments).where(isOwnSent).get()) !== undefined;
}
