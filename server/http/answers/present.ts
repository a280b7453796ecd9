import type { AccountAnswer, UserAnswer } from '#shared/api/users.ts';
import { hasPassword } from '#server/security/no-password.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';

/** Parts of answers that several features share: both spellings of ids and times (docs/requirements.md R-API-5, R-API-6). */

export function presentIds(id: string): { id: string; _id: string } {
  return { id, _id: id };
}

export function presentTimes(row: { createdAt: number; updatedAt: number }) {
  const created = new Date(row.createdAt).toISOString();
  // Most rows were never changed, and formatting a time is the slowest part of presenting a row.
  const updated = row.updatedAt === row.createdAt ? created : new Date(row.updatedAt).toISOString();
  return { created_at: created, createdAt: created, updated_at: updated, updatedAt: updated };
}

export function presentUser(row: {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  isActive: boolean;
  createdAt: number;
  updatedAt: number;
}): UserAnswer {
  return {
    ...presentIds(row.id),
    name: row.name,
    email: row.email,
    has_email: hasEmail(row.email),
    is_admin: row.isAdmin,
    is_active: row.isActive,
    role: row.isAdmin ? 'admin' : 'user',
    ...presentTimes(row),
  };
}

/** With what only admins and the account itself see. */
export function presentAccount(
  row: Parameters<typeof presentUser>[0] & {
    phone: string | null;
    phoneConsentAt: number | null;
    mustChangePassword: boolean;
    passwordHash: string;
  },
): AccountAnswer {
  return {
    ...presentUser(row),
    phone: row.phone,
    phone_consent: row.phoneConsentAt !== null,
    has_password: hasPassword(row.passwordHash),
    must_change_password: row.mustChangePassword,
  };
}

/** A way in whose second step is missing. */
export const presentTicket = (ticket: string) =>
  presentSingle('Masukkan kode kedua', { second_factor: true as const, ticket });

export function presentSingle<T>(message: string, data: T) {
  return { success: true as const, message, data };
}

/** @param page counted from 1 */
export function presentList<T>(message: string, data: T[], total: number, perPage: number, page: number) {
  return presentSingle(message, {
    data,
    total,
    per_page: perPage,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / perPage)),
  });
}
