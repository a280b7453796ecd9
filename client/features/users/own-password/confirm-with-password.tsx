import type { ReactNode } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { confirm, type ConfirmOptions } from '#client/ui/feedback/confirm.ts';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
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
  const { form, ...state } = useSentForm({
    initialValues: { current_password: '' },
    validate: (values) => ownPasswordError(true, values),
    save: ({ current_password: password }) => onConfirm(ownPasswordFields(password)),
    fallbackErrorText,
  });
  return (
    <DialogForm
      state={state}
      intro={<div>{message}</div>}
      send={{ label: confirmLabel, ...(danger ? { color: 'red' } : {}) }}
      onCancel={onCancel}
    >
      <OwnPasswordField data-autofocus {...form.getInputProps('current_password')} />
    </DialogForm>
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
