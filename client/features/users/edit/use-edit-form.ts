import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf } from '#client/lib/api/api-error.ts';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { hasMissingFields, showFieldErrors, whenValid, withRequiredTexts } from '#client/ui/form/field-errors.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { updateUserBody, type UserAnswer } from '#shared/api/users.ts';
import { isAdminChange } from '#shared/domain/users/admin-change.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { fetchUser, ownPasswordFields, updateUser } from '../api.ts';
import { ownPasswordError, requiredUserTexts } from '../field-errors.ts';
import { reloadUsers } from '../keys.ts';
import { confirmNewAdmin, makesAdmin, newAdminText } from '../own-password/confirm-new-admin.ts';
import { useAskedPassword } from '../own-password/use-asked-password.ts';

const FAILED = 'Gagal memperbarui user';

type UserFormValues = Pick<UserAnswer, 'name' | 'email' | 'is_active' | 'is_admin'>;
type Values = UserFormValues & { current_password: string };

const toValues = (user: UserAnswer): Values => ({ ...userToFormValues(user), current_password: '' });

/** A new administrator is asked about in a dialog of its own, with the password. */
const asksInForm = (base: UserAnswer, values: UserFormValues): boolean =>
  isAdminChange(base, values) && !makesAdmin(base, values);

const validateBody = schemaResolver(updateUserBody, { sync: true });
const validate = (base: UserAnswer, values: Values, asksPassword: boolean) => ({
  ...withRequiredTexts(validateBody(withAddress(base, values)), fieldTexts.userNameEmailRequired, requiredUserTexts),
  ...ownPasswordError(asksPassword, values),
});

type Notice = Failure & { kind: 'error' | 'warning' };

/** The state of the edit form of an account. An error keeps the input. @param onAsking whether a question stands above it */
export function useEditForm(loaded: UserAnswer, onDone: () => void, onAsking: (isAsking: boolean) => void) {
  const queryClient = useQueryClient();
  /** The values with which the form began; after a conflict, the stored values. */
  const [base, setBase] = useState(loaded);
  const [notice, setNotice] = useState<Notice | null>(null);
  const form = useForm<Values>({
    initialValues: toValues(loaded),
    validate: (values) => validate(base, values, asksPassword),
  });
  const { asksPassword, addField } = useAskedPassword(asksInForm(base, form.values));

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
    if (addField(form, error, element)) return;
    setNotice({ kind: 'error', ...failureOf(error, FAILED) });
    showFieldErrors(form, error, element);
  }

  const { submit, busy } = useSubmit(
    async ({ current_password: ownPassword, ...values }: Values, element: HTMLElement) => {
      setNotice(null);
      const isNewAdmin = makesAdmin(base, values);
      try {
        const save = (own: Partial<ReturnType<typeof ownPasswordFields>>) =>
          updateUser(base.id, { ...withAddress(base, values), ...own, updated_at: base.updated_at });
        if (isNewAdmin) {
          onAsking(true);
          if (!(await confirmNewAdmin(values, FAILED, save).finally(() => onAsking(false)))) return;
        } else await save(asksPassword ? ownPasswordFields(ownPassword) : {});
      } catch (error) {
        await onFailure(error, element).catch((failed: unknown) =>
          setNotice({ kind: 'error', ...failureOf(failed, FAILED) }),
        );
        return;
      }
      notify.success(`User berhasil diperbarui${isNewAdmin ? `. ${newAdminText(values)}` : ''}`);
      onDone();
      await reloadUsers(queryClient);
    },
  );

  const onSubmit = whenValid(form, submit, (errors) => {
    if (hasMissingFields(errors, requiredUserTexts)) notify.warning(fieldTexts.userNameEmailRequired);
  });

  return { form, base, asksPassword, notice, busy, onSubmit };
}

/** The field is empty for an account without an e-mail address. */
function userToFormValues({ name, email, has_email, is_active, is_admin }: UserAnswer): UserFormValues {
  return { name, email: has_email ? email : '', is_active, is_admin };
}

/** The values as they are sent: an empty field keeps the address that stands for none. */
const withAddress = <T extends UserFormValues>(base: UserAnswer, values: T): T =>
  !base.has_email && values.email.trim() === '' ? { ...values, email: base.email } : values;

const yesNo = (value: boolean) => (value ? 'ya' : 'tidak');

const fields = [
  { field: 'name', describe: ({ name }: UserFormValues) => `Nama: ${name}` },
  { field: 'email', describe: ({ email }: UserFormValues) => `Email: ${email}` },
  { field: 'is_active', describe: (values: UserFormValues) => `Pengguna Aktif: ${yesNo(values.is_active)}` },
  { field: 'is_admin', describe: (values: UserFormValues) => `Hak Akses Admin: ${yesNo(values.is_admin)}` },
] as const;

function comparable(values: UserFormValues, field: keyof UserFormValues): string | boolean {
  const value = values[field];
  return typeof value === 'string' ? value.trim() : value;
}

/**
 * Merges the edits of two admins. Fields edited here keep their input; the others get the stored values.
 * @param base the values with which this form began
 * @returns the merged values, and a text for each stored value that differs from them
 */
function mergeUser(base: UserFormValues, typed: UserFormValues, stored: UserFormValues) {
  const wasEdited = (field: keyof UserFormValues) => comparable(typed, field) !== comparable(base, field);
  const values: UserFormValues = {
    name: wasEdited('name') ? typed.name : stored.name,
    email: wasEdited('email') ? typed.email : stored.email,
    is_active: wasEdited('is_active') ? typed.is_active : stored.is_active,
    is_admin: wasEdited('is_admin') ? typed.is_admin : stored.is_admin,
  };
  const differing = fields.filter(({ field }) => comparable(values, field) !== comparable(stored, field));
  return { values, storedTexts: differing.map(({ describe }) => describe(stored)) };
}
