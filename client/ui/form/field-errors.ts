import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { FormEvent } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { focusFirstError } from './focus-first-error.ts';

/** The first error of each field in the server's answer, for the fields of this form. */
export function serverFieldErrors(error: unknown, values: object): Record<string, string | undefined> {
  const fieldErrors = error instanceof ApiError ? Object.entries(error.errors ?? {}) : [];
  return Object.fromEntries(
    fieldErrors.filter(([field]) => field in values).map(([field, texts]) => [field, texts[0]]),
  );
}

/** Shows the server's errors at the fields of a form, and focuses the first. @returns whether there are any */
export function showFieldErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  error: unknown,
  element: HTMLElement,
): boolean {
  const fieldErrors = serverFieldErrors(error, form.getValues());
  form.setErrors(fieldErrors);
  focusFirstError(element);
  return Object.keys(fieldErrors).length > 0;
}

/** The error text of each required field. */
export type RequiredTexts = Readonly<Record<string, string>>;

/**
 * Replaces the one text for all missing fields by a text for each field (docs/requirements.md R-REC-26, R-USER-3, R-USER-5).
 * The common text is shown once, as a toast.
 * @param incompleteText the text that the schema puts into every missing field
 */
export function withRequiredTexts(
  errors: object,
  incompleteText: string,
  texts: RequiredTexts,
): Record<string, string> {
  const fieldErrors = Object.entries(errors) as [string, string][];
  return Object.fromEntries(
    fieldErrors.map(([field, text]) => [field, text === incompleteText ? (texts[field] ?? text) : text]),
  );
}

/** Whether a required field is missing; other errors do not count. */
export function hasMissingFields(errors: Readonly<Record<string, unknown>>, texts: RequiredTexts): boolean {
  return Object.entries(errors).some(([field, text]) => text !== undefined && text === texts[field]);
}

/** The `onSubmit` of a form: sends valid values, and else focuses the first wrong field. */
export function whenValid<Values extends object>(
  form: UseFormReturnType<Values>,
  submit: (values: Values, element: HTMLFormElement) => Promise<void>,
  onInvalid?: (errors: FormErrors) => void,
) {
  return (event: FormEvent<HTMLFormElement>): void => {
    const element = event.currentTarget;
    form.onSubmit(
      (values) => void submit(values, element),
      (errors) => {
        onInvalid?.(errors);
        focusFirstError(element);
      },
    )(event);
  };
}
