import type { Transaction } from '#server/db/engine.ts';
import { ownPasswordKey } from './own-password.ts';
import { insertSecurityEvent } from './security-log-queries.ts';
import { deleteSessionsOf, updatePasswordHash, type UserRow } from './user-queries.ts';
import type { WrongTries } from './wrong-tries.ts';

type RecoveryContext = {
  audit: { passwordChanged: (tx: Transaction, currentUser: UserRow, account: UserRow) => Promise<void> };
  wrongTries: Pick<WrongTries, 'forget'>;
  now: () => number;
};

/**
 * Stores the new password that a user chose with a code of the office. All sessions of the account end.
 * @returns the account with it
 */
export async function recoverPassword(
  { audit, wrongTries, now }: RecoveryContext,
  tx: Transaction,
  user: UserRow,
  passwordHash: string,
): Promise<UserRow> {
  const at = now();
  await updatePasswordHash(tx, user.id, passwordHash, at);
  await deleteSessionsOf(tx, user.id);
  await wrongTries.forget(tx, ownPasswordKey(user.id));
  await audit.passwordChanged(tx, user, user);
  await insertSecurityEvent(tx, { userId: user.id, by: user, at, event: 'password.changed', how: 'code' });
  return { ...user, passwordHash, mustChangePassword: false };
}
