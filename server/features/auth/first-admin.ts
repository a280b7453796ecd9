import { v7 as newId } from 'uuid';
import type { ServiceContext } from '#server/service-context.ts';
import { generatePassword, hashPassword } from '#server/passwords.ts';
import type { Settings } from '#server/settings.ts';
import { findUserByEmail, hasAdmin, insertUser } from './queries.ts';

export type CreatedAdmin = { email: string; generatedPassword: string | null };

/** Why no administrator could be made; the message is the line to show. */
export class FirstAdminError extends Error {}

/**
 * Makes the first administrator when the database has none (contract 1).
 * @returns who was made, with the password only if it was generated here; null when there was one already
 * @throws FirstAdminError when the e-mail already belongs to a resident: nobody is promoted by a setting
 */
export async function createFirstAdmin(
  { orm, write, now }: Pick<ServiceContext, 'orm' | 'write' | 'now'>,
  admin: Settings['admin'],
): Promise<CreatedAdmin | null> {
  if (hasAdmin(orm)) return null;
  if (findUserByEmail(orm, admin.email)) {
    throw new FirstAdminError(
      `ADMIN_EMAIL: "${admin.email}" sudah dipakai pengguna biasa, padahal belum ada administrator; yang diterima: alamat email yang belum terdaftar`,
    );
  }
  const password = admin.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const at = now();
  await write((tx) =>
    insertUser(tx, {
      id: newId(),
      name: admin.name,
      email: admin.email,
      passwordHash,
      isAdmin: true,
      isActive: true,
      createdAt: at,
      updatedAt: at,
    }),
  );
  return { email: admin.email, generatedPassword: admin.password === null ? password : null };
}
