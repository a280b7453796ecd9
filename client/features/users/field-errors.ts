import { ApiError } from '#client/lib/api/api-error.ts';
import { fieldTexts } from '#shared/texts.ts';

export const requiredUserTexts = {
  name: fieldTexts.nameRequired,
  email: fieldTexts.emailRequired,
  password: fieldTexts.passwordRequired,
};

/** The error of the own password, where a change needs it. */
export function ownPasswordError(isNeeded: boolean, values: { current_password: string }): Record<string, string> {
  return isNeeded && values.current_password === '' ? { current_password: 'Masukkan password Anda' } : {};
}

/** Whether a server asks for the own password; a list that is old may not know that an account is an administrator's. */
export function asksOwnPassword(error: unknown): boolean {
  return error instanceof ApiError && error.errors?.['current_password'] !== undefined;
}
