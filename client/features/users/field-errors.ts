import { ApiError } from '#client/lib/api-error.ts';
import { fieldTexts } from '#shared/texts.ts';

const requiredTexts: Record<string, string> = {
  name: fieldTexts.nameRequired,
  email: fieldTexts.emailRequired,
  password: fieldTexts.passwordRequired,
};

/**
 * Replaces the one text for all missing fields (docs/requirements.md R-USER-3, R-USER-5) by a text for each field.
 * The common text is shown once, as a toast.
 */
export function withRequiredUserTexts(errors: object, incompleteText: string): Record<string, string> {
  const fieldErrors = Object.entries(errors) as [string, string][];
  return Object.fromEntries(
    fieldErrors.map(([field, text]) => [field, text === incompleteText ? (requiredTexts[field] ?? text) : text]),
  );
}

/** The error of the own password, where a change needs it. */
export function ownPasswordError(isNeeded: boolean, values: { current_password: string }): Record<string, string> {
  return isNeeded && values.current_password === '' ? { current_password: 'Masukkan password Anda' } : {};
}

/** Whether a server asks for the own password; a list that is old may not know that an account is an administrator's. */
export function asksOwnPassword(error: unknown): boolean {
  return error instanceof ApiError && error.errors?.['current_password'] !== undefined;
}

/** Whether a required field is missing, rather than invalid. */
export function hasMissingUserFields(errors: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(errors).some(([field, text]) => text === requiredTexts[field]);
}

/** The first error of each field in the server's answer, for the fields of this form. */
export function fieldErrorsOf(error: unknown, values: object): Record<string, string | undefined> {
  const fieldErrors = error instanceof ApiError ? Object.entries(error.errors ?? {}) : [];
  return Object.fromEntries(
    fieldErrors.filter(([field]) => field in values).map(([field, texts]) => [field, texts[0]]),
  );
}
