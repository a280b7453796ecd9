import { and, desc, eq, gt, inArray, isNotNull, lte, ne, or, sql } from 'drizzle-orm';
import type { Identifier } from '#shared/domain/users/identifier.ts';
import {
  FORMER_EMAIL_MS,
  RECOVERIES_MAX,
  RECOVERY_CODE_MS,
  RECOVERY_REQUEST_MS,
  RECOVERY_USERS_MAX,
} from '#shared/limits.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { provesOwner } from './phone-queries.ts';
import { cards, formerEmails, recoveryCodes, recoveryRequests, users } from '#server/db/schema.ts';

export type CodeRow = typeof recoveryCodes.$inferSelect;
export type RequestRow = typeof recoveryRequests.$inferSelect;

/**
 * The active accounts that an identifier means, also by an address that one gave up within days; one statement, whatever it is.
 * @param cardLookup what is looked up of a card with this code
 */
export async function findAccountsOf(
  orm: ConnectionOrTransaction,
  { kind, value }: Identifier,
  operatingMs: number,
  cardLookup: string,
): Promise<{ id: string }[]> {
  const { userId, email, until } = formerEmails;
  const formerOwners = orm
    .select({ userId })
    .from(formerEmails)
    .where(and(eq(email, value), gt(until, operatingMs - FORMER_EMAIL_MS)));
  const cardHolders = orm.select({ userId: cards.userId }).from(cards).where(eq(cards.lookup, cardLookup));
  const isMeant =
    kind === 'phone'
      ? eq(users.phone, value)
      : or(eq(users.email, value), inArray(users.id, formerOwners), inArray(users.id, cardHolders));
  return orm
    .select({ id: users.id })
    .from(users)
    .where(and(isMeant, eq(users.isActive, true)))
    .limit(RECOVERY_USERS_MAX)
    .all();
}

/** Stores a request, or that it was asked again; one of more than seven days before begins anew. */
export async function storeRequest(tx: Transaction, row: RequestRow): Promise<void> {
  const { askedAt, subject } = recoveryRequests;
  await tx
    .delete(recoveryRequests)
    .where(lte(askedAt, row.askedAt - RECOVERY_REQUEST_MS))
    .run();
  const { kind, lastSeenAt } = row;
  await tx
    .insert(recoveryRequests)
    .values(row)
    .onConflictDoUpdate({ target: subject, set: { kind, lastSeenAt, askedAt: row.askedAt } })
    .run();
}

export type OpenRequest = RequestRow & {
  users: (Pick<typeof users.$inferSelect, 'id' | 'name' | 'email' | 'phone'> & {
    /** 1 where a call to the number proves whose account it is. */
    phoneProves: number;
    /** The operating time at which the office made a code or a card that is not used yet. */
    wayMadeAt: number | null;
  })[];
};

/** The open requests with their active accounts, the one that was asked last first. */
export async function listOpenRequests(orm: ConnectionOrTransaction, operatingMs: number): Promise<OpenRequest[]> {
  const { userId, phone, askedAt, lastSeenAt, id } = recoveryRequests;
  const rows = await orm
    .select()
    .from(recoveryRequests)
    .where(and(or(isNotNull(userId), isNotNull(phone)), gt(askedAt, operatingMs - RECOVERY_REQUEST_MS)))
    .orderBy(desc(lastSeenAt), desc(id))
    .limit(RECOVERIES_MAX)
    .all();
  const accounts = await orm
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      phone: users.phone,
      phoneProves: provesOwner(operatingMs),
      wayMadeAt: sql<number | null>`coalesce(${recoveryCodes.madeAt}, ${cards.issuedAt})`,
    })
    .from(users)
    .leftJoin(recoveryCodes, and(eq(recoveryCodes.userId, users.id), isOpen(operatingMs)))
    .leftJoin(cards, and(eq(cards.userId, users.id), isNotNull(cards.activationHash)))
    .where(
      and(
        or(
          inArray(
            users.id,
            rows.flatMap((row) => row.userId ?? []),
          ),
          inArray(
            users.phone,
            rows.flatMap((row) => row.phone ?? []),
          ),
        ),
        eq(users.isActive, true),
      ),
    )
    .orderBy(users.name, users.id)
    .all();
  return rows.flatMap((row) => {
    const meant = accounts.filter((account) =>
      row.phone === null ? account.id === row.userId : account.phone === row.phone,
    );
    return meant.length > 0 ? [{ ...row, users: meant }] : [];
  });
}

/** Whether the account has a request for a code of the office. */
export async function hasRequest(orm: ConnectionOrTransaction, userId: string): Promise<boolean> {
  const { id, subject } = recoveryRequests;
  return (
    (await orm
      .select({ id })
      .from(recoveryRequests)
      .where(eq(subject, subjectOf(userId)))
      .get()) !== undefined
  );
}

/** @returns false when there is no such request that the office sees */
export async function deleteRequest(tx: Transaction, requestId: string): Promise<boolean> {
  const { id, userId, phone } = recoveryRequests;
  const isSeen = or(isNotNull(userId), isNotNull(phone));
  const deleted = await tx
    .delete(recoveryRequests)
    .where(and(eq(id, requestId), isSeen))
    .returning({ id })
    .all();
  return deleted.length > 0;
}

/** Ends the requests of an account that is in again. */
export async function deleteRequestsOf(tx: Transaction, account: { id: string; phone: string | null }): Promise<void> {
  const { userId, phone } = recoveryRequests;
  const isOwn = eq(userId, account.id);
  await tx
    .delete(recoveryRequests)
    .where(account.phone === null ? isOwn : or(isOwn, eq(phone, account.phone)))
    .run();
}

/** Names the request of one account. */
export const subjectOf = (userId: string): string => `user ${userId}`;

const isOpen = (operatingMs: number) => gt(recoveryCodes.madeAt, operatingMs - RECOVERY_CODE_MS);

export async function findOpenCode(
  orm: ConnectionOrTransaction,
  selector: string,
  operatingMs: number,
): Promise<CodeRow | undefined> {
  return orm
    .select()
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.selector, selector), isOpen(operatingMs)))
    .get();
}

/** The selectors of the codes of other accounts that are still open. */
export async function listTakenSelectors(
  orm: ConnectionOrTransaction,
  userId: string,
  operatingMs: number,
): Promise<Set<string>> {
  const rows = await orm
    .select({ selector: recoveryCodes.selector })
    .from(recoveryCodes)
    .where(and(ne(recoveryCodes.userId, userId), isOpen(operatingMs)))
    .all();
  return new Set(rows.map(({ selector }) => selector));
}

/** Stores a code in place of an earlier one of the account. @returns false when another open code has its selector */
export async function storeCode(tx: Transaction, row: CodeRow): Promise<boolean> {
  const { userId, madeAt } = recoveryCodes;
  await tx
    .delete(recoveryCodes)
    .where(or(eq(userId, row.userId), lte(madeAt, row.madeAt - RECOVERY_CODE_MS)))
    .run();
  const { changes } = await tx.run(
    sql`insert into ${recoveryCodes} (user_id, selector, code_hash, made_by, checked, made_at)
      values (${row.userId}, ${row.selector}, ${row.codeHash}, ${row.madeBy}, ${row.checked}, ${row.madeAt}) on conflict do nothing`,
  );
  return changes > 0;
}

/** Takes a code, so that it opens nothing again. @returns false when it is gone, or another one by now */
export async function takeCode(tx: Transaction, { userId, codeHash }: CodeRow): Promise<boolean> {
  const taken = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ userId: recoveryCodes.userId })
    .all();
  return taken.length > 0;
}

/** Ends the open code of an account. */
export async function deleteCodeOf(tx: Transaction, userId: string, operatingMs: number): Promise<CodeRow | undefined> {
  const [row] = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isOpen(operatingMs)))
    .returning()
    .all();
  return row;
}
