import { and, eq, isNull, sql } from 'drizzle-orm';
import { UNKNOWN_CARDS_MAX } from '#shared/limits.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { cards, securityLog, sessions, wrongTries } from '#server/db/schema.ts';
import { UNKNOWN_CARD_KEYS } from './card-keys.ts';

export type CardRow = typeof cards.$inferSelect;

export async function findCardByLookup(orm: ConnectionOrTransaction, lookup: string): Promise<CardRow | undefined> {
  return orm.select().from(cards).where(eq(cards.lookup, lookup)).get();
}

export async function findCardOf(orm: ConnectionOrTransaction, userId: string): Promise<CardRow | undefined> {
  return orm.select().from(cards).where(eq(cards.userId, userId)).get();
}

export async function hasCards(orm: ConnectionOrTransaction): Promise<boolean> {
  return (await orm.select({ userId: cards.userId }).from(cards).limit(1).get()) !== undefined;
}

/** Ends the card of an account; triggers end its sessions too. @returns the ids of these, null when it had no card */
export async function deleteCardOf(tx: Transaction, userId: string): Promise<string[] | null> {
  const ended = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.entry, 'card')))
    .all();
  const deleted = await tx.delete(cards).where(eq(cards.userId, userId)).returning({ userId: cards.userId }).all();
  return deleted.length > 0 ? ended.map(({ id }) => id) : null;
}

export async function insertCard(
  tx: Transaction,
  card: Omit<CardRow, 'pinHash' | 'wrongActivations' | 'activatedAt'>,
): Promise<void> {
  await tx.insert(cards).values(card).run();
}

/** Takes the activation, so that it works once. @returns false when it is gone, or the card is another one by now */
export async function takeActivation(
  tx: Transaction,
  { userId, lookup, activationHash }: CardRow,
  { pinHash, activatedAt }: { pinHash: string; activatedAt: number },
): Promise<boolean> {
  const isSame = and(eq(cards.userId, userId), eq(cards.lookup, lookup));
  const taken = await tx
    .update(cards)
    .set({ pinHash, activatedAt, activationHash: null })
    .where(and(isSame, isNull(cards.pinHash), eq(cards.activationHash, activationHash ?? '')))
    .returning({ userId: cards.userId })
    .all();
  return taken.length > 0;
}

/** The same statement for an unknown card, where it changes nothing. */
export async function countWrongActivation(tx: Transaction, lookup: string): Promise<void> {
  const { wrongActivations } = cards;
  await tx
    .update(cards)
    .set({ wrongActivations: sql`${wrongActivations} + 1` })
    .where(eq(cards.lookup, lookup))
    .run();
}

/** Notes in the own log that a card is blocked; the same statement for an unknown card, where it adds nothing. */
export async function insertBlockedEvent(
  tx: Transaction,
  lookup: string,
  by: { id: string; name: string },
  at: number,
): Promise<void> {
  await tx.run(sql`insert into ${securityLog} (user_id, at, event, by_id, by_name)
    select ${cards.userId}, ${at}, 'card.blocked', ${by.id}, ${by.name} from ${cards} where ${cards.lookup} = ${lookup}`);
}

/** Forgets the counts of unknown codes beyond a number, the oldest first: anybody can make them up. */
export async function forgetUnknownTries(tx: Transaction): Promise<void> {
  const { key, at } = wrongTries;
  await tx.run(sql`delete from ${wrongTries} where ${key} in (
    select ${key} from ${wrongTries} where ${key} > ${UNKNOWN_CARD_KEYS.after} and ${key} < ${UNKNOWN_CARD_KEYS.before}
    order by ${at} desc limit ${Number.MAX_SAFE_INTEGER} offset ${UNKNOWN_CARDS_MAX})`);
}
