import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { hasMissingFields, showFieldErrors, whenValid, withRequiredTexts } from '#client/ui/form/field-errors.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { createUserBody, type CreateUserBody } from '#shared/api/users.ts';
import { fieldTexts } from '#shared/texts.ts';
import { createUser } from '../api.ts';
import { requiredUserTexts } from '../field-errors.ts';
import { reloadUsers } from '../keys.ts';
import { confirmNewAdmin, makesAdmin, newAdminText } from '../own-password/confirm-new-admin.ts';

const FAILED = 'Gagal membuat user';

type Values = Pick<CreateUserBody, 'name' | 'email' | 'password' | 'is_admin' | 'is_active'>;

const emptyUser: Values = {
  name: '',
  email: '',
  password: '',
  is_admin: false,
  is_active: true,
};

const validateBody = schemaResolver(createUserBody, { sync: true });
const validate = (values: Values) =>
  withRequiredTexts(validateBody(values), fieldTexts.adminUserIncomplete, requiredUserTexts);

/** The state of the form for a new account. An error keeps the input. */
export function useCreateForm() {
  const queryClient = useQueryClient();
  const form = useForm<Values>({ initialValues: emptyUser, validate });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [saved, setSaved] = useState(false);
  useUnsavedWarning(!saved && form.isDirty());

  const { submit, busy } = useSubmit(async (values: Values, element: HTMLElement) => {
    if (saved) return;
    setFailure(null);
    const isNewAdmin = makesAdmin(null, values);
    try {
      if (!isNewAdmin) await createUser(values);
      else if (!(await confirmNewAdmin(values, FAILED, (own) => createUser({ ...values, ...own })))) return;
    } catch (error) {
      const timedOut = error instanceof ApiError && error.kind === 'timeout';
      const { message, hint } = failureOf(error, FAILED);
      setFailure({
        message,
        hint: timedOut ? `${hint} Pengguna mungkin sudah tersimpan: lihat dulu daftar Kelola Users.` : hint,
      });
      showFieldErrors(form, error, element);
      return;
    }
    setSaved(true);
    notify.success(`User berhasil dibuat${isNewAdmin ? `. ${newAdminText(values)}` : ''}`);
    void reloadUsers(queryClient);
  });

  const onSubmit = whenValid(form, submit, (errors) => {
    if (hasMissingFields(errors, requiredUserTexts)) notify.warning(fieldTexts.adminUserIncomplete);
  });

  return { form, onSubmit, busy, saved, failure };
}
