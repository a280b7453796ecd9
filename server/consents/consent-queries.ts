import { asc, eq } from 'drizzle-orm';
import type { ConsentDue } from '#shared/api/own-data.ts';
import { isSameVersion, presentTexts } from '#shared/legal-versions.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { consents } from '#server/db/schema.ts';

/** Stores that an account accepted a version of a text; the first time counts. */
export async function insertConsent(tx: Transaction, userId: string, text: ConsentDue, at: number): Promise<void> {
  const { document, version } = text;
  await tx.insert(consents).values({ userId, document, version, at }).onConflictDoNothing().run();
}

/** The texts that a user has not accepted in their present version. Admins are asked nothing: the texts are for users. */
export async function listConsentsDue(
  orm: ConnectionOrTransaction,
  { id, isAdmin }: { id: string; isAdmin: boolean },
): Promise<ConsentDue[]> {
  if (isAdmin) return [];
  const accepted = await listConsents(orm, id);
  return presentTexts.filter((due) => !accepted.some((text) => isSameVersion(text, due)));
}

/** All versions that an account has accepted, the oldest first. */
export async function listConsents(
  orm: ConnectionOrTransaction,
  userId: string,
): Promise<(typeof consents.$inferSelect)[]> {
  return orm.select().from(consents).where(eq(consents.userId, userId)).orderBy(asc(consents.at)).all();
}
