import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { updateUserBody, type UserAnswer } from '#shared/api/users.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { fetchUser, updateUser } from './api.ts';
import { fieldErrorsOf, isIncomplete, withShortTexts } from './field-errors.ts';
import { reloadUsers } from './keys.ts';
import { mergeUser, type UserFormValues, valuesOf } from './merge-user.ts';

const FAILED = 'Gagal memperbarui user';

const check = schemaResolver(updateUserBody, { sync: true });
const errorsOf = (values: UserFormValues) => withShortTexts(check(values), fieldTexts.userNameEmailRequired);

type Notice = { kind: 'error' | 'warning'; message: string; hint?: string | undefined };

/** The state of an account's edit. Whatever fails, what was typed stays. */
export function useEditForm(loaded: UserAnswer, onDone: () => void) {
  const queries = useQueryClient();
  /** What the form began from; after somebody else's change, what is stored now. */
  const [base, setBase] = useState(loaded);
  const [notice, setNotice] = useState<Notice | null>(null);
  const form = useForm<UserFormValues>({ initialValues: valuesOf(loaded), validate: errorsOf });

  async function takeNewBase(): Promise<void> {
    const stored = await fetchUser(base.id);
    const { values, storedWords } = mergeUser(valuesOf(base), form.getValues(), valuesOf(stored));
    form.setInitialValues(valuesOf(stored));
    form.setValues(values);
    setBase(stored);
    const differing = storedWords.length > 0 ? ` Tersimpan sekarang: ${storedWords.join('; ')}.` : '';
    setNotice({
      kind: 'warning',
      message: errorTexts.conflict,
      hint: `Data terbaru sudah dimuat, dan isian Anda tidak hilang.${differing} Periksa, lalu tekan Update lagi.`,
    });
  }

  async function onFailure(error: unknown, element: HTMLElement): Promise<void> {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 404) {
      // Deleted meanwhile: there is nothing left to edit.
      notify.failure(error, FAILED);
      onDone();
      await reloadUsers(queries);
      return;
    }
    // A 409 about one's own account or the last administrator is not mended by loading anew.
    if (status === 409 && messageOf(error, '') === errorTexts.conflict) {
      await takeNewBase();
      void reloadUsers(queries);
      return;
    }
    setNotice({ kind: 'error', message: messageOf(error, FAILED), hint: hintOf(error) });
    form.setErrors(fieldErrorsOf(error, form.getValues()));
    focusFirstError(element);
  }

  const { submit, busy } = useSubmit(async (values: UserFormValues, element: HTMLElement) => {
    setNotice(null);
    try {
      await updateUser(base.id, { ...values, updated_at: base.updated_at });
    } catch (error) {
      await onFailure(error, element).catch((failed: unknown) =>
        setNotice({ kind: 'error', message: messageOf(failed, FAILED), hint: hintOf(failed) }),
      );
      return;
    }
    notify.success('User berhasil diperbarui');
    onDone();
    await reloadUsers(queries);
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    form.onSubmit(
      (values) => void submit(values, element),
      (errors) => {
        if (isIncomplete(errors)) notify.warning(fieldTexts.userNameEmailRequired);
        focusFirstError(element);
      },
    )(event);
  };

  return { form, base, notice, busy, onSubmit };
}
