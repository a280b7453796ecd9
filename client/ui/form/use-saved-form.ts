import { type FormErrors, useForm } from '@mantine/form';
import { type FormEvent, useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
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
      const fieldErrors = Object.entries((error instanceof ApiError && error.errors) || {}).filter(
        ([field]) => field in values,
      );
      // The error of a field is shown at the field only.
      if (fieldErrors.length === 0) setFailure({ message: messageOf(error, fallbackErrorText), hint: hintOf(error) });
      form.setErrors(Object.fromEntries(fieldErrors.map(([field, texts]) => [field, texts[0]])));
      focusFirstError(element);
    }
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    form.onSubmit(
      (values) => void submit(values, element),
      () => focusFirstError(element),
    )(event);
  };

  return { form, failure, busy, onSubmit };
}
