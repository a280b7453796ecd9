import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { FormAlert } from './form-alert.tsx';

export type Failure = { message: string; hint?: string | undefined };

/** The texts for a failed call. @param fallbackText for an error without a text of the server */
export const failureOf = (error: unknown, fallbackText: string): Failure => ({
  message: messageOf(error, fallbackText),
  hint: hintOf(error),
});

/** The failure of a form, above its fields or its buttons; nothing while there is none. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  return failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null;
}
