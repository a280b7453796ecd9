import { type FormErrors, useForm } from '@mantine/form';
import { useState } from 'react';
import { type Failure, failureOf } from '../feedback/form-failure.tsx';
import { showFieldErrors, whenValid } from './field-errors.ts';
import { useSubmit } from './use-submit.ts';
import { useUnsavedWarning } from './use-unsaved-warning.ts';

type Options<Values> = {
  initialValues: Values;
  validate: (values: Values) => FormErrors;
  save: (values: Values) => Promise<void>;
  /** Shown when the server sends no message. */
  fallbackErrorText: string;
};

/** The state of a form whose values are sent as they are. An error keeps the input. */
export function useSentForm<Values extends Record<string, string | boolean>>(options: Options<Values>) {
  const { initialValues, validate, save, fallbackErrorText } = options;
  const form = useForm<Values>({ initialValues, validate });
  const [failure, setFailure] = useState<Failure | null>(null);

  const { submit, busy } = useSubmit(async (values: Values, element: HTMLElement) => {
    setFailure(null);
    try {
      await save(values);
    } catch (error) {
      // The error of a field is shown at the field only.
      if (!showFieldErrors(form, error, element)) setFailure(failureOf(error, fallbackErrorText));
    }
  });

  return { form, failure, busy, onSubmit: whenValid(form, submit) };
}

/** The part of the state that a form shows. */
export type FormState = Pick<ReturnType<typeof useSentForm>, 'failure' | 'busy' | 'onSubmit'>;

/** The state of a form that stays open after saving. */
export function useSavedForm<Values extends Record<string, string | boolean>>(options: Options<Values>) {
  const state = useSentForm(options);
  useUnsavedWarning(state.form.isDirty());
  return state;
}
