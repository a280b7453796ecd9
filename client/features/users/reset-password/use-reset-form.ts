import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { showFieldErrors, whenValid } from '#client/ui/form/field-errors.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { resetPasswordBody, type UserAnswer } from '#shared/api/users.ts';
import { ownPasswordFields, resetPassword } from '../api.ts';
import { ownPasswordError } from '../field-errors.ts';
import { useAskedPassword } from '../own-password/use-asked-password.ts';
import { reloadUsers } from '../keys.ts';
import { suggestPassword } from './suggest-password.ts';

const FAILED = 'Gagal mengganti password';

const validate = schemaResolver(resetPasswordBody, { sync: true });

type PasswordSource = 'suggested' | 'typed';
type Options = {
  /** Called after a typed password was stored, which need not be shown. */
  onDone: () => void;
  /** Called when the account was deleted meanwhile. */
  onDeleted: () => void;
  /** While locked, the dialog must stay open, because the result may be a password to show. */
  onLockChange: (isLocked: boolean) => void;
};

/** The state of the dialog for a new password. `storedPassword` is the stored suggestion, shown once. */
export function useResetForm(user: UserAnswer, { onDone, onDeleted, onLockChange }: Options) {
  const queryClient = useQueryClient();
  const [suggestion, setSuggestion] = useState(suggestPassword);
  const [source, setSource] = useState<PasswordSource>('suggested');
  const [storedPassword, setStoredPassword] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { asksPassword, addField } = useAskedPassword(user.is_admin);
  const form = useForm({
    initialValues: { password: '', must_change: true, current_password: '' },
    validate: (values) => ({
      ...(source === 'typed' ? validate(values) : {}),
      ...ownPasswordError(asksPassword, values),
    }),
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
    if (addField(form, error, element)) return;
    const { message, hint } = failureOf(error, FAILED);
    const timedOut = error instanceof ApiError && error.kind === 'timeout';
    setFailure({
      message,
      hint: timedOut ? `${hint} Password mungkin sudah diganti: ulangi saja dengan password yang sama.` : hint,
    });
    showFieldErrors(form, error, element);
  }

  async function save(element: HTMLElement): Promise<void> {
    const { password: typed, must_change, current_password } = form.getValues();
    const password = source === 'typed' ? typed : suggestion;
    try {
      const own = asksPassword ? ownPasswordFields(current_password) : {};
      await resetPassword(user.id, { password, must_change, ...own });
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
    // Only after all listeners have handled the key press that answered the question.
    setTimeout(() => onLockChange(false));
  });

  const onSubmit = whenValid(form, (_values, element) => submit(element));

  function chooseSource(next: PasswordSource): void {
    setSource(next);
    setFailure(null);
    form.clearErrors();
  }

  return {
    form,
    asksPassword,
    source,
    chooseSource,
    suggestion,
    suggestAnother: () => setSuggestion(suggestPassword()),
    storedPassword,
    failure,
    busy,
    onSubmit,
  };
}
