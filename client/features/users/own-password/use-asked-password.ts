import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { asksOwnPassword, ownPasswordError } from '../field-errors.ts';

/**
 * Whether a form has the field of the own password: at once where the page knows that the server wants it, else after the server
 * has asked. Only the server knows who was an administrator in the last 24 hours.
 */
export function useAskedPassword(isKnown: boolean) {
  const [isAsked, setIsAsked] = useState(false);
  const asksPassword = isKnown || isAsked;

  /** Adds the field when an error asks for it. @returns whether the error has been shown by that */
  function addField<Values extends { current_password: string }>(
    form: UseFormReturnType<Values>,
    error: unknown,
    element: HTMLElement,
  ): boolean {
    if (asksPassword || !asksOwnPassword(error)) return false;
    setIsAsked(true);
    form.setErrors(ownPasswordError(true, { current_password: '' }));
    focusFirstError(element);
    return true;
  }

  return { asksPassword, addField };
}
