import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { resetPasswordBody, type UserAnswer } from '#shared/api/users.ts';
import { resetPassword } from '../api.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import { reloadUsers } from '../keys.ts';
import { suggestPassword } from './suggest-password.ts';

const FAILED = 'Gagal mengganti password';

const validate = schemaResolver(resetPasswordBody, { sync: true });

type PasswordSource = 'suggested' | 'typed';
type Options = {
  /** A typed password was stored: whoever typed it knows it. */
  onDone: () => void;
  /** The account was deleted meanwhile. */
  onDeleted: () => void;
  /** Between the press of the button and its end the dialog has to stay: it may have a password to tell. */
  onLockChange: (isLocked: boolean) => void;
};

/** The state of a new password for somebody who forgot theirs. `given` is what was stored, to be told once. */
export function useResetForm(user: UserAnswer, { onDone, onDeleted, onLockChange }: Options) {
  const queryClient = useQueryClient();
  const [suggestion, setSuggestion] = useState(suggestPassword);
  const [source, setSource] = useState<PasswordSource>('suggested');
  const [storedPassword, setStoredPassword] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ message: string; hint?: string | undefined } | null>(null);
  const form = useForm({
    initialValues: { password: '' },
    validate: (values) => (source === 'typed' ? validate(values) : {}),
  });

  const confirmReset = () =>
    confirm({
      title: 'Ganti password?',
      message: `Semua sesi ${user.name} akan berakhir, dan password lamanya tidak berlaku lagi.`,
      confirmLabel: 'Ganti password',
    });

  async function onFailure(error: unknown, element: HTMLElement): Promise<void> {
    if (error instanceof ApiError && error.status === 404) {
      notify.failure(error, FAILED);
      onDeleted();
      await reloadUsers(queryClient);
      return;
    }
    const hint = hintOf(error);
    const timedOut = error instanceof ApiError && error.kind === 'timeout';
    setFailure({
      message: messageOf(error, FAILED),
      hint: timedOut ? `${hint} Password mungkin sudah diganti: ulangi saja dengan password yang sama.` : hint,
    });
    form.setErrors(fieldErrorsOf(error, form.getValues()));
    focusFirstError(element);
  }

  async function save(element: HTMLElement): Promise<void> {
    const password = source === 'typed' ? form.getValues().password : suggestion;
    try {
      await resetPassword(user.id, { password });
    } catch (error) {
      await onFailure(error, element);
      return;
    }
    notify.success(`Password ${user.name} sudah diganti`);
    if (source === 'typed') onDone();
    else setStoredPassword(password);
    void queryClient.invalidateQueries({ queryKey: ['audit'] });
  }

  const { submit, busy } = useSubmit(async (element: HTMLElement) => {
    setFailure(null);
    onLockChange(true);
    if (await confirmReset()) await save(element);
    // Not before the key press that answered has reached everybody who listens to it.
    setTimeout(() => onLockChange(false));
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    form.onSubmit(
      () => void submit(element),
      () => focusFirstError(element),
    )(event);
  };

  function chooseSource(next: PasswordSource): void {
    setSource(next);
    setFailure(null);
    form.clearErrors();
  }

  return {
    form,
    way: source,
    choose: chooseSource,
    suggestion,
    suggestAnother: () => setSuggestion(suggestPassword()),
    given: storedPassword,
    failure,
    busy,
    onSubmit,
  };
}
