import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { resetPasswordBody, type UserAnswer } from '#shared/api/users.ts';
import { resetPassword } from './api.ts';
import { fieldErrorsOf } from './field-errors.ts';
import { reloadUsers } from './keys.ts';
import { suggestPassword } from './suggest-password.ts';

const FAILED = 'Gagal mengganti password';

const check = schemaResolver(resetPasswordBody, { sync: true });

type Way = 'suggested' | 'typed';
type Options = {
  /** A typed password was stored: whoever typed it knows it. */
  onDone: () => void;
  /** The account was deleted meanwhile. */
  onGone: () => void;
  /** Between the press of the button and its end the dialog has to stay: it may have a password to tell. */
  onHold: (held: boolean) => void;
};

/** The state of a new password for somebody who forgot theirs. `given` is what was stored, to be told once. */
export function useResetForm(user: UserAnswer, { onDone, onGone, onHold }: Options) {
  const queries = useQueryClient();
  const [suggestion, setSuggestion] = useState(suggestPassword);
  const [way, setWay] = useState<Way>('suggested');
  const [given, setGiven] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ message: string; hint?: string | undefined } | null>(null);
  const form = useForm({
    initialValues: { password: '' },
    validate: (values) => (way === 'typed' ? check(values) : {}),
  });

  const askIfSure = () =>
    confirm({
      title: 'Ganti password?',
      message: `Semua sesi ${user.name} akan berakhir, dan password lamanya tidak berlaku lagi.`,
      confirmLabel: 'Ganti password',
    });

  async function onFailure(error: unknown, element: HTMLElement): Promise<void> {
    if (error instanceof ApiError && error.status === 404) {
      notify.failure(error, FAILED);
      onGone();
      await reloadUsers(queries);
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
    const password = way === 'typed' ? form.getValues().password : suggestion;
    try {
      await resetPassword(user.id, { password });
    } catch (error) {
      await onFailure(error, element);
      return;
    }
    notify.success(`Password ${user.name} sudah diganti`);
    if (way === 'typed') onDone();
    else setGiven(password);
    void queries.invalidateQueries({ queryKey: ['audit'] });
  }

  const { submit, busy } = useSubmit(async (element: HTMLElement) => {
    setFailure(null);
    onHold(true);
    if (await askIfSure()) await save(element);
    // Not before the key press that answered has reached everybody who listens to it.
    setTimeout(() => onHold(false));
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    form.onSubmit(
      () => void submit(element),
      () => focusFirstError(element),
    )(event);
  };

  function choose(next: Way): void {
    setWay(next);
    setFailure(null);
    form.clearErrors();
  }

  return {
    form,
    way,
    choose,
    suggestion,
    renew: () => setSuggestion(suggestPassword()),
    given,
    failure,
    busy,
    onSubmit,
  };
}
