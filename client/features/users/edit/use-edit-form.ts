import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { updateUserBody, type UserAnswer } from '#shared/api/users.ts';
import { isAdminChange } from '#shared/domain/admin-change.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { fetchUser, ownPasswordFields, updateUser } from '../api.ts';
import { fieldErrorsOf, hasMissingUserFields, ownPasswordError, withRequiredUserTexts } from '../field-errors.ts';
import { reloadUsers } from '../keys.ts';
import { confirmNewAdmin, makesAdmin, newAdminText } from '../own-password/confirm-new-admin.ts';
import { mergeUser, type UserFormValues, userToFormValues } from './merge-user.ts';

const FAILED = 'Gagal memperbarui user';

type Values = UserFormValues & { current_password: string };

const toValues = (user: UserAnswer): Values => ({ ...userToFormValues(user), current_password: '' });

/** A new administrator is asked about in a dialog of its own, with the password. */
export const asksInForm = (base: UserAnswer, values: UserFormValues): boolean =>
  isAdminChange(base, values) && !makesAdmin(base, values);

const validateBody = schemaResolver(updateUserBody, { sync: true });
const validate = (base: UserAnswer, values: Values) => ({
  ...withRequiredUserTexts(validateBody(values), fieldTexts.userNameEmailRequired),
  ...ownPasswordError(asksInForm(base, values), values),
});

type Notice = { kind: 'error' | 'warning'; message: string; hint?: string | undefined };

/** The state of the edit form of an account. An error keeps the input. @param onAsking whether a question stands above it */
export function useEditForm(loaded: UserAnswer, onDone: () => void, onAsking: (isAsking: boolean) => void) {
  const queryClient = useQueryClient();
  /** The values with which the form began; after a conflict, the stored values. */
  const [base, setBase] = useState(loaded);
  const [notice, setNotice] = useState<Notice | null>(null);
  const form = useForm<Values>({ initialValues: toValues(loaded), validate: (values) => validate(base, values) });

  async function rebaseOnStored(): Promise<void> {
    const stored = await fetchUser(base.id);
    const { values, storedTexts } = mergeUser(userToFormValues(base), form.getValues(), userToFormValues(stored));
    form.setInitialValues(toValues(stored));
    form.setValues(values);
    setBase(stored);
    const differing = storedTexts.length > 0 ? ` Tersimpan sekarang: ${storedTexts.join('; ')}.` : '';
    setNotice({
      kind: 'warning',
      message: errorTexts.conflict,
      hint: `Data terbaru sudah dimuat, dan isian Anda tidak hilang.${differing} Periksa, lalu tekan Update lagi.`,
    });
  }

  async function onFailure(error: unknown, element: HTMLElement): Promise<void> {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 404) {
      // The account was deleted meanwhile.
      notify.failure(error, FAILED);
      onDone();
      await reloadUsers(queryClient);
      return;
    }
    // A 409 about the own account or the last admin has another cause, and loading again would not help.
    if (status === 409 && messageOf(error, '') === errorTexts.conflict) {
      await rebaseOnStored();
      void reloadUsers(queryClient);
      return;
    }
    setNotice({ kind: 'error', message: messageOf(error, FAILED), hint: hintOf(error) });
    form.setErrors(fieldErrorsOf(error, form.getValues()));
    focusFirstError(element);
  }

  const { submit, busy } = useSubmit(
    async ({ current_password: ownPassword, ...values }: Values, element: HTMLElement) => {
      setNotice(null);
      const isNewAdmin = makesAdmin(base, values);
      try {
        const save = (own: Partial<ReturnType<typeof ownPasswordFields>>) =>
          updateUser(base.id, { ...values, ...own, updated_at: base.updated_at });
        if (isNewAdmin) {
          onAsking(true);
          if (!(await confirmNewAdmin(values, FAILED, save).finally(() => onAsking(false)))) return;
        } else await save(asksInForm(base, values) ? ownPasswordFields(ownPassword) : {});
      } catch (error) {
        await onFailure(error, element).catch((failed: unknown) =>
          setNotice({ kind: 'error', message: messageOf(failed, FAILED), hint: hintOf(failed) }),
        );
        return;
      }
      notify.success(`User berhasil diperbarui${isNewAdmin ? `. ${newAdminText(values)}` : ''}`);
      onDone();
      await reloadUsers(queryClient);
    },
  );

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    form.onSubmit(
      (values) => void submit(values, element),
      (errors) => {
        if (hasMissingUserFields(errors)) notify.warning(fieldTexts.userNameEmailRequired);
        focusFirstError(element);
      },
    )(event);
  };

  return { form, base, notice, busy, onSubmit };
}
