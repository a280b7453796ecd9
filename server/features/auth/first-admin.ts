import type { ServiceContext } from '#server/service-context.ts';
import { generatePassword, hashPassword } from '#server/accounts/passwords.ts';
import type { Settings } from '#server/settings.ts';
import { findUserByEmail, insertUser, startAdminTime } from '#server/accounts/user-queries.ts';
import { hasAdmin } from './queries.ts';

export type CreatedAdmin = { email: string; generatedPassword: string | null };

/** The message is the line that the terminal shows. */
export class FirstAdminError extends Error {}

/**
 * Creates the first admin when the database has none (R-RUN-5).
 * @returns the account, with the password only if it was generated here; null when there was an admin already
 * @throws FirstAdminError when the e-mail address already belongs to a user: a setting must not promote an account
 */
export async function createFirstAdmin(
  { orm, write, now }: Pick<ServiceContext, 'orm' | 'write' | 'now'>,
  admin: Settings['admin'],
): Promise<CreatedAdmin | null> {
  if (await hasAdmin(orm)) return null;
  if (await findUserByEmail(orm, admin.email)) {
    // Another process that starts too may have made this admin since.
    if (await hasAdmin(orm)) return null;
    throw new FirstAdminError(
      `ADMIN_EMAIL: "${admin.email}" sudah dipakai pengguna biasa, padahal belum ada administrator; yang diterima: alamat email yang belum terdaftar`,
    );
  }
  const password = admin.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const { name, email } = admin;
  const isMade = await write(async (tx) => {
    // Another process that starts too may have made one since.
    if (await hasAdmin(tx)) return false;
    const user = await insertUser(tx, { name, email, passwordHash, isAdmin: true, isActive: true }, now());
    await startAdminTime(tx, user.id, now());
    return true;
  });
  if (!isMade) return null;
  return { email, generatedPassword: admin.password === null ? password : null };
}
