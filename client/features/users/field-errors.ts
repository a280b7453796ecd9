import { ApiError } from '#client/lib/api-error.ts';
import { fieldTexts } from '#shared/texts.ts';

const requiredTexts: Record<string, string> = {
  name: fieldTexts.nameRequired,
  email: fieldTexts.emailRequired,
  password: fieldTexts.passwordRequired,
};

/**
 * Specification 5 has one text for whatever is missing on a form; it is shown once, as such, and the fields say what is missing
 * in them.
 */
export function withRequiredUserTexts(errors: object, incompleteText: string): Record<string, string> {
  const fieldErrors = Object.entries(errors) as [string, string][];
  return Object.fromEntries(
    fieldErrors.map(([field, text]) => [field, text === incompleteText ? (requiredTexts[field] ?? text) : text]),
  );
}

/** Whether something is missing, rather than wrong. */
export function hasMissingUserFields(errors: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(errors).some(([field, text]) => text === requiredTexts[field]);
}

/** What the server says is wrong, by the form's own fields: the first text of each. */
export function fieldErrorsOf(error: unknown, values: object): Record<string, string | undefined> {
  const fieldErrors = error instanceof ApiError ? Object.entries(error.errors ?? {}) : [];
  return Object.fromEntries(
    fieldErrors.filter(([field]) => field in values).map(([field, texts]) => [field, texts[0]]),
  );
}
