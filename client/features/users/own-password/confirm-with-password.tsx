import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { confirm, type ConfirmOptions } from '#client/ui/feedback/confirm.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { serverFieldErrors, whenValid } from '#client/ui/form/field-errors.ts';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { ownPasswordFields } from '../api.ts';
import { ownPasswordError } from '../field-errors.ts';
import { OwnPasswordField } from './own-password-field.tsx';

export type Question = Pick<ConfirmOptions, 'title' | 'danger'> & {
  message: ReactNode;
  confirmLabel: string;
  /** Of an error without a text of the server. */
  fallbackErrorText: string;
};
type OwnPassword = ReturnType<typeof ownPasswordFields>;

type FormProps = Question & {
  /** Its errors are shown here. */
  onConfirm: (own: OwnPassword) => Promise<void>;
  onCancel: () => void;
};

function PasswordForm({ message, confirmLabel, danger, fallbackErrorText, onConfirm, onCancel }: FormProps) {
  const form = useForm({
    initialValues: { current_password: '' },
    validate: (values) => ownPasswordError(true, values),
  });
  const [failure, setFailure] = useState<{ message: string; hint: string | undefined } | null>(null);
  const { submit, busy } = useSubmit(async (password: string, element: HTMLElement) => {
    setFailure(null);
    try {
      await onConfirm(ownPasswordFields(password));
    } catch (error) {
      const fieldErrors = serverFieldErrors(error, form.getValues());
      form.setErrors(fieldErrors);
      if (!fieldErrors['current_password']) {
        setFailure({ message: messageOf(error, fallbackErrorText), hint: hintOf(error) });
      }
      focusFirstError(element);
    }
  });
  const onSubmit = whenValid(form, ({ current_password: password }, element) => submit(password, element));
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <div>{message}</div>
        {failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}
        <OwnPasswordField data-autofocus {...form.getInputProps('current_password')} />
        <Group justify="flex-end" gap="sm" mt="xs" className="dialog-actions">
          <Button variant="default" onClick={onCancel}>
            Batal
          </Button>
          <SaveButton busy={busy} {...(danger ? { color: 'red' } : {})}>
            {confirmLabel}
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}

/** Each question begins with an empty field, also while the one before fades out. */
let questionCount = 0;

/** An error that another password cannot mend. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 409);

/**
 * Asks a question together with the own password, and runs the action. The dialog stays open after a wrong password.
 * @returns null when the question was declined
 * @throws the error of the action when it cannot be mended, or when the dialog was closed meanwhile
 */
export function confirmWithPassword<T>(question: Question, run: (own: OwnPassword) => Promise<T>): Promise<T | null> {
  questionCount += 1;
  const key = questionCount;
  return new Promise((resolve, reject) => {
    let isOpen = true;
    let isRunning = false;
    async function onConfirm(own: OwnPassword, answer: (yes: boolean) => void): Promise<void> {
      isRunning = true;
      try {
        resolve(await run(own));
      } catch (error) {
        isRunning = false;
        if (isOpen && !isFinal(error)) throw error;
        reject(error);
      }
      if (isOpen) answer(true);
    }
    async function ask(): Promise<void> {
      await confirm({
        title: question.title,
        content: (answer) => (
          <PasswordForm
            key={key}
            {...question}
            onConfirm={(own) => onConfirm(own, answer)}
            onCancel={() => answer(false)}
          />
        ),
      });
      isOpen = false;
      if (!isRunning) resolve(null);
    }
    void ask();
  });
}
