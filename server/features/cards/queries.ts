import { eq } from 'drizzle-orm';
import type { UserRow } from '#server/accounts/user-queries.ts';
import type { Transaction } from '#server/db/engine.ts';
import { users } from '#server/db/schema.ts';

/** Stores the number of a new account. */
export async function setPhone(
  tx: Transaction,
  { id, phone, phoneSince, phoneConsentAt }: Pick<UserRow, 'id' | 'phone' | 'phoneSince' | 'phoneConsentAt'>,
): Promise<void> {
  await tx.update(users).set({ phone, phoneSince, phoneConsentAt }).where(eq(users.id, id)).run();
}
