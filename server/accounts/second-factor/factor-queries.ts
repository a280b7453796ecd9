import { and, count, desc, eq, gt, isNotNull, isNull, lt, lte, notInArray, sql } from 'drizzle-orm';
import { ACCOUNT_TICKETS_MAX, FACTOR_SETUP_MS, SETUP_CODE_MS, TICKET_MS, TICKET_WRONG_MAX } from '#shared/limits.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import {
  auditEntries,
  factorRemovals,
  loginTickets,
  secondFactors,
  setupCodes,
  spareCodes,
} from '#server/db/schema.ts';

export type FactorRow = typeof secondFactors.$inferSelect;
export type SpareCodeRow = typeof spareCodes.$inferSelect;
export type TicketRow = typeof loginTickets.$inferSelect;
export type SetupCodeRow = typeof setupCodes.$inferSelect;
export type RemovalRow = typeof factorRemovals.$inferSelect;

const isOn = (userId: string) => and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt));

/** The second factor that every way into the account asks for. */
export async function findFactor(orm: ConnectionOrTransaction, userId: string): Promise<FactorRow | undefined> {
  return orm.select().from(secondFactors).where(isOn(userId)).get();
}

/** One that was begun and not confirmed; it lives for an hour. */
export async function findFactorSetup(
  orm: ConnectionOrTransaction,
  userId: string,
  operatingMs: number,
): Promise<FactorRow | undefined> {
  const { confirmedAt, madeAt } = secondFactors;
  return orm
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNull(confirmedAt), gt(madeAt, operatingMs - FACTOR_SETUP_MS)))
    .get();
}

/** Stores a set-up in place of an earlier one. @returns false when the account has a second factor */
export async function storeFactorSetup(
  tx: Transaction,
  { userId, secret, madeAt }: Pick<FactorRow, 'userId' | 'secret' | 'madeAt'>,
): Promise<boolean> {
  const stored = await tx
    .insert(secondFactors)
    .values({ userId, secret, madeAt })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { secret, madeAt },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ userId: secondFactors.userId })
    .all();
  return stored.length > 0;
}

/** @returns false when the set-up is another one by now, or confirmed */
export async function confirmFactor(
  tx: Transaction,
  { userId, secret }: FactorRow,
  { confirmedAt, lastStep }: { confirmedAt: number; lastStep: number },
): Promise<boolean> {
  const confirmed = await tx
    .update(secondFactors)
    .set({ confirmedAt, lastStep })
    .where(and(eq(secondFactors.userId, userId), eq(secondFactors.secret, secret), isNull(secondFactors.confirmedAt)))
    .returning({ userId: secondFactors.userId })
    .all();
  return confirmed.length > 0;
}

/** Also one that is not confirmed. @returns whether one was on */
export async function deleteFactor(tx: Transaction, userId: string): Promise<boolean> {
  const deleted = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .returning({ confirmedAt: secondFactors.confirmedAt })
    .all();
  return deleted.some(({ confirmedAt }) => confirmedAt !== null);
}

/** Notes that the code of a time step was used. @returns false when it, or a later one, was used before */
export async function useStep(tx: Transaction, userId: string, step: number): Promise<boolean> {
  const used = await tx
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(isOn(userId), lt(secondFactors.lastStep, step)))
    .returning({ userId: secondFactors.userId })
    .all();
  return used.length > 0;
}

export async function insertSpareCodes(tx: Transaction, rows: SpareCodeRow[]): Promise<void> {
  await tx.insert(spareCodes).values(rows).run();
}

export async function findSpareCode(
  orm: ConnectionOrTransaction,
  userId: string,
  beginning: string,
): Promise<SpareCodeRow | undefined> {
  return orm
    .select()
    .from(spareCodes)
    .where(and(eq(spareCodes.userId, userId), eq(spareCodes.beginning, beginning)))
    .get();
}

/** @returns false when it is gone */
export async function takeSpareCode(tx: Transaction, { userId, codeHash }: SpareCodeRow): Promise<boolean> {
  const taken = await tx
    .delete(spareCodes)
    .where(and(eq(spareCodes.userId, userId), eq(spareCodes.codeHash, codeHash)))
    .returning({ userId: spareCodes.userId })
    .all();
  return taken.length > 0;
}

export async function countSpareCodes(orm: ConnectionOrTransaction, userId: string): Promise<number> {
  const [row] = await orm.select({ left: count() }).from(spareCodes).where(eq(spareCodes.userId, userId)).all();
  return row?.left ?? 0;
}

/** Stores a ticket, deletes old ones, and keeps the newest of the account. */
export async function insertTicket(tx: Transaction, ticket: Omit<TicketRow, 'wrong'>): Promise<void> {
  await tx
    .delete(loginTickets)
    .where(lte(loginTickets.madeAt, ticket.madeAt - TICKET_MS))
    .run();
  await tx.insert(loginTickets).values(ticket).run();
  const newest = tx
    .select({ ticketHash: loginTickets.ticketHash })
    .from(loginTickets)
    .where(eq(loginTickets.userId, ticket.userId))
    .orderBy(desc(sql`rowid`))
    .limit(ACCOUNT_TICKETS_MAX);
  await tx
    .delete(loginTickets)
    .where(and(eq(loginTickets.userId, ticket.userId), notInArray(loginTickets.ticketHash, newest)))
    .run();
}

/** A ticket that is still worth something. */
export async function findTicket(
  orm: ConnectionOrTransaction,
  ticketHash: string,
  operatingMs: number,
): Promise<TicketRow | undefined> {
  const { madeAt, wrong } = loginTickets;
  const isLive = and(gt(madeAt, operatingMs - TICKET_MS), lt(wrong, TICKET_WRONG_MAX));
  return orm
    .select()
    .from(loginTickets)
    .where(and(eq(loginTickets.ticketHash, ticketHash), isLive))
    .get();
}

export async function countWrongOfTicket(tx: Transaction, ticketHash: string): Promise<void> {
  await tx
    .update(loginTickets)
    .set({ wrong: sql`${loginTickets.wrong} + 1` })
    .where(eq(loginTickets.ticketHash, ticketHash))
    .run();
}

/** @returns false when it is gone */
export async function takeTicket(tx: Transaction, ticketHash: string): Promise<boolean> {
  const taken = await tx
    .delete(loginTickets)
    .where(eq(loginTickets.ticketHash, ticketHash))
    .returning({ userId: loginTickets.userId })
    .all();
  return taken.length > 0;
}

/** Stores a set-up code in place of an earlier one of the account. */
export async function storeSetupCode(tx: Transaction, row: SetupCodeRow): Promise<void> {
  await tx.insert(setupCodes).values(row).onConflictDoUpdate({ target: setupCodes.userId, set: row }).run();
}

export async function findSetupCode(
  orm: ConnectionOrTransaction,
  userId: string,
  operatingMs: number,
): Promise<SetupCodeRow | undefined> {
  return orm
    .select()
    .from(setupCodes)
    .where(and(eq(setupCodes.userId, userId), gt(setupCodes.madeAt, operatingMs - SETUP_CODE_MS)))
    .get();
}

export async function deleteSetupCode(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(setupCodes).where(eq(setupCodes.userId, userId)).run();
}

/** Stores who took the second factor of an account away. */
export async function storeRemoval(tx: Transaction, row: RemovalRow): Promise<void> {
  await tx.insert(factorRemovals).values(row).onConflictDoUpdate({ target: factorRemovals.userId, set: row }).run();
}

export async function findRemoval(orm: ConnectionOrTransaction, userId: string): Promise<RemovalRow | undefined> {
  return orm.select().from(factorRemovals).where(eq(factorRemovals.userId, userId)).get();
}

/** The one who set the password of an account last, as the audit has it: its owner, an admin, or the command line. */
export async function findPasswordMaker(orm: ConnectionOrTransaction, userId: string): Promise<string | undefined> {
  const found = await orm
    .select({ actorId: auditEntries.actorId })
    .from(auditEntries)
    .where(and(eq(auditEntries.subjectId, userId), sql`${auditEntries.action} in ('user.created', 'password.changed')`))
    .orderBy(desc(auditEntries.id))
    .limit(1)
    .get();
  return found?.actorId;
}
