import { randomInt } from 'node:crypto';
import { formatCode, makeCode } from '#shared/domain/users/access-codes.ts';
import type { Connection, ConnectionOrTransaction } from '#server/db/engine.ts';
import { readUsers, type ListedUser } from '#server/features/users/queries.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { TERMINAL_CALLER } from '#server/accounts/policy.ts';
import { deleteFactor, findFactor, storeSetupCode } from '#server/accounts/second-factor/factor-queries.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import {
  deleteSessionsOf,
  findUserByEmail,
  insertUser,
  startAdminTime,
  updatePasswordHash,
  type UserRow,
} from '#server/accounts/user-queries.ts';
import { CommandError } from '../terminal/command-errors.ts';
import type { CommandContext } from '../data-folder/command-context.ts';

/** The longest list of administrators from which to choose. */
const LISTED_ADMINS_MAX = 20;

export async function listAdmins(orm: Connection): Promise<ListedUser[]> {
  return (await readUsers(orm, { is_admin: true, limit: LISTED_ADMINS_MAX, offset: 0 })).rows;
}

/** @throws CommandError when an account with this address exists */
export async function requireFreeEmail(orm: ConnectionOrTransaction, email: string): Promise<void> {
  const owner = await findUserByEmail(orm, email);
  if (!owner) return;
  throw new CommandError(
    owner.isAdmin
      ? `Email "${email}" sudah dipakai administrator ${owner.name}. Untuk password baru: admin reset-password --email ${email}`
      : `Email "${email}" sudah dipakai warga ${owner.name}. Pakai alamat lain, atau jadikan administrator lewat halaman Kelola Users.`,
  );
}

/** @throws CommandError when there is no such account */
export async function requireAccount(orm: ConnectionOrTransaction, email: string): Promise<UserRow> {
  const user = await findUserByEmail(orm, email);
  if (!user) throw new CommandError(`Tidak ada akun dengan email "${email}".`);
  return user;
}

/** @throws CommandError when the address is taken */
export async function createAdministrator(
  context: CommandContext,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<UserRow> {
  const passwordHash = await hashPassword(password);
  return context.write(async (tx) => {
    // Checked inside the transaction: on a running server the address may have been taken meanwhile.
    await requireFreeEmail(tx, email);
    const user = await insertUser(tx, { name, email, passwordHash, isAdmin: true, isActive: true }, context.now());
    await context.audit.userCreated(tx, TERMINAL_CALLER, user);
    await startAdminTime(tx, user.id, context.now());
    return user;
  });
}

/**
 * Sets a new password and ends all sessions of the account; a running server notices within about a second.
 * @returns the account, and the number of ended sessions
 * @throws CommandError when there is no such account
 */
export async function resetPassword(
  context: CommandContext,
  { email, password }: { email: string; password: string },
): Promise<{ user: UserRow; ended: number }> {
  const passwordHash = await hashPassword(password);
  return context.write(async (tx) => {
    const user = await requireAccount(tx, email);
    await updatePasswordHash(tx, user.id, passwordHash, context.now());
    const ended = await deleteSessionsOf(tx, user.id);
    await context.audit.passwordChanged(tx, TERMINAL_CALLER, user);
    const act = {
      userId: user.id,
      event: 'password.changed',
      how: null,
      by: TERMINAL_CALLER,
      at: context.now(),
    } as const;
    await insertSecurityEvent(tx, act);
    return { user, ended };
  });
}

/**
 * Takes the second factor of an account away, and ends its sessions; a running server notices within about a second.
 * @throws CommandError when there is no such account, or it has no second factor
 */
export async function removeSecondFactor(
  { write, audit, now }: CommandContext,
  email: string,
): Promise<{ user: UserRow; ended: number }> {
  return write(async (tx) => {
    const user = await requireAccount(tx, email);
    if (!(await deleteFactor(tx, user.id))) throw new CommandError(`Akun "${email}" tidak memakai kode kedua.`);
    const ended = await deleteSessionsOf(tx, user.id);
    await audit.accessChanged(
      tx,
      TERMINAL_CALLER,
      user,
      { field: 'second_factor', from: true, to: false },
      user.isAdmin,
    );
    const act = { userId: user.id, how: null, by: TERMINAL_CALLER, at: now() } as const;
    await insertSecurityEvent(tx, { ...act, event: 'second_factor.removed' });
    return { user, ended };
  });
}

/**
 * Makes the code with which an administrator may set up a second factor.
 * @param operatingMs the operating time, from which it lives for a day
 * @returns the code as people read it
 * @throws CommandError unless it is an administrator without a second factor
 */
export async function makeSetupCode(
  { write, audit, now }: CommandContext,
  email: string,
  operatingMs: number,
): Promise<string> {
  const code = makeCode('setup', randomInt);
  const codeHash = await hashPassword(code);
  await write(async (tx) => {
    const user = await requireAccount(tx, email);
    if (!user.isAdmin) throw new CommandError(`"${email}" bukan administrator.`);
    if (await findFactor(tx, user.id)) throw new CommandError(`Akun "${email}" sudah memakai kode kedua.`);
    await storeSetupCode(tx, { userId: user.id, codeHash, madeBy: TERMINAL_CALLER.id, madeAt: operatingMs });
    await audit.accessChanged(tx, TERMINAL_CALLER, user, { field: 'setup_code', from: false, to: true }, true);
    const act = { userId: user.id, how: null, by: TERMINAL_CALLER, at: now() } as const;
    await insertSecurityEvent(tx, { ...act, event: 'second_factor.setup_code' });
  });
  return formatCode(code);
}
