import { type FormErrors, useForm } from '@mantine/form';
import { useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { serverFieldErrors, whenValid } from './field-errors.ts';
import { focusFirstError } from './focus-first-error.ts';
import { useSubmit } from './use-submit.ts';
import { useUnsavedWarning } from './use-unsaved-warning.ts';

type Options<Values> = {
  initialValues: Values;
  validate: (values: Values) => FormErrors;
  save: (values: Values) => Promise<void>;
  /** Shown when the server sends no message. */
  fallbackErrorText: string;
};

/** The state of a form that stays open after saving. An error keeps the input. */
export function useSavedForm<Values extends Record<string, string>>(options: Options<Values>) {
  const { initialValues, validate, save, fallbackErrorText } = options;
  const form = useForm<Values>({ initialValues, validate });
  const [failure, setFailure] = useState<{ message: string; hint?: string | undefined } | null>(null);
  useUnsavedWarning(form.isDirty());

  const { submit, busy } = useSubmit(async (values: Values, element: HTMLElement) => {
    setFailure(null);
    try {
      await save(values);
    } catch (error) {
      const fieldErrors = serverFieldErrors(error, values);
      // The error of a field is shown at the field only.
      if (Object.keys(fieldErrors).length === 0)
        setFailure({ message: messageOf(error, fallbackErrorText), hint: hintOf(error) });
      form.setErrors(fieldErrors);
      focusFirstError(element);
    }
  });

  return { form, failure, busy, onSubmit: whenValid(form, submit) };
}
