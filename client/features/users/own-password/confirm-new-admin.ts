import { asksOwnPassword } from '../field-errors.ts';
import type { ownPasswordFields } from '../api.ts';
import { confirmWithPassword } from './confirm-with-password.tsx';

type Account = { name: string; email: string; is_admin: boolean };

/** Whether saving makes an administrator of somebody who is none. @param before null for a new account */
export const makesAdmin = (before: Account | null, after: Account): boolean => after.is_admin && !before?.is_admin;

/** Added to the toast, so that a slip of the hand is noticed. */
export const newAdminText = ({ name, email }: Account): string =>
  `${name.trim()} (${email.trim()}) sekarang administrator.`;

/**
 * Asks by name and e-mail address, together with the own password, before an account becomes an administrator's
 * (docs/requirements.md R-USER-30). The question stays open after a wrong password only.
 * @returns null when it was declined
 */
export async function confirmNewAdmin<T>(
  account: Account,
  fallbackErrorText: string,
  run: (own: ReturnType<typeof ownPasswordFields>) => Promise<T>,
): Promise<T | null> {
  const outcome = await confirmWithPassword<{ saved: T } | { error: unknown }>(
    {
      title: 'Administrator baru',
      message: `Jadikan ${account.name.trim()} (${account.email.trim()}) administrator? Ia dapat melihat dan mengubah semua data warga.`,
      confirmLabel: 'Jadikan administrator',
      fallbackErrorText,
    },
    async (own) => {
      try {
        return { saved: await run(own) };
      } catch (error) {
        if (asksOwnPassword(error)) throw error;
        return { error };
      }
    },
  );
  if (outcome === null) return null;
  if ('error' in outcome) throw outcome.error;
  return outcome.saved;
}
