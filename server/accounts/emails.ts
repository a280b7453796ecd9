import { hasEmail } from '#shared/domain/users/no-email.ts';
import { EMAIL_CHANGES_MAX, FORMER_EMAIL_MS } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { invalid, tooMany } from '#server/http/errors.ts';
import { findEmailHolder, insertFormerEmail, listFormerEmails } from './email-queries.ts';
import type { UserRow } from './user-queries.ts';

/**
 * The address of another account, also one that it gave up within days: who registers it then would get the requests of its
 * former owner, and the office could not give it back (R-ACCESS-17).
 * @param userId null for a new account
 * @throws 422 when another account holds it, or for one that nobody can own
 */
export async function requireOwnableEmail(
  db: ConnectionOrTransaction,
  email: string,
  userId: string | null,
  operatingMs: number,
): Promise<void> {
  if (!hasEmail(email)) throw invalid('email', fieldTexts.emailInvalid);
  const holder = await findEmailHolder(db, email, operatingMs - FORMER_EMAIL_MS);
  if (holder !== undefined && holder !== userId) throw invalid('email', errorTexts.emailTaken);
}

/**
 * Remembers the present address inside the transaction in which its owner changes it.
 * @throws 422 as above, 429 after some changes within days: each reserves an address and is a line for the office
 */
export async function giveUpEmail(
  tx: Transaction,
  { id: userId, email }: UserRow,
  newEmail: string,
  { operatingMs, nowMs }: { operatingMs: number; nowMs: number },
): Promise<void> {
  await requireOwnableEmail(tx, newEmail, userId, operatingMs);
  const sinceMs = operatingMs - FORMER_EMAIL_MS;
  const former = await listFormerEmails(tx, userId, sinceMs);
  const [oldest] = former;
  if (oldest && former.length >= EMAIL_CHANGES_MAX) throw tooMany(Math.ceil((oldest.until - sinceMs) / 1000));
  await insertFormerEmail(tx, { userId, email, newEmail, changedAt: nowMs, until: operatingMs }, sinceMs);
}
