import { TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { updateSessionUser } from '#client/lib/session/session.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import { changeOwnBody } from '#shared/api/auth.ts';
import type { AccountAnswer } from '#shared/api/users.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { EMAIL_MAX } from '#shared/limits.ts';
import { accountKeys, changeEmail } from '../api.ts';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';

const toValues = ({ email, has_email }: AccountAnswer) => ({ email: has_email ? email : '', ...NO_OWN_SECRET });
type Values = ReturnType<typeof toValues>;

const validateEmail = schemaResolver(changeOwnBody, { sync: true });
const isOther = ({ email }: Values, user: AccountAnswer): boolean =>
  email.trim().toLowerCase() !== toValues(user).email;

/** The own e-mail address, or the first one of a person who enters by card (docs/requirements.md R-ACCESS-57). */
export function EmailSection() {
  const { data: user } = useQuery(ownUserQuery);
  return user ? <EmailForm user={user} /> : null;
}

function EmailForm({ user }: { user: AccountAnswer }) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSavedForm<Values>({
    initialValues: toValues(user),
    validate: (values) => ({
      ...validateEmail({ email: values.email }),
      ...(isOther(values, user) ? ownSecretError(user, values) : {}),
    }),
    fallbackErrorText: 'Gagal memperbarui email',
    save: async (values) => {
      if (!isOther(values, user)) return;
      const stored = await changeEmail(values.email, ownSecretBody(user, values));
      // First the initial values, so that the form has no unsaved input any more.
      form.setInitialValues(toValues(stored));
      form.setValues(toValues(stored));
      updateSessionUser(stored);
      queryClient.setQueryData(accountKeys.user, stored);
      notify.success(
        stored.has_password ? 'Email berhasil diganti' : 'Email tersimpan. Pilih password agar dapat masuk dengannya.',
      );
      for (const queryKey of [accountKeys.sessions, accountKeys.securityLog])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  const label = user.has_email ? 'Ganti email' : 'Tambah email';
  return (
    <SectionForm
      state={state}
      label="Email"
      title="Email"
      text={
        user.has_email
          ? 'Untuk masuk. Email lama masih 7 hari dapat meminta kode masuk.'
          : `${emailText(user.email)}. Dengan email dan password Anda juga dapat masuk tanpa kartu.`
      }
      save={{ label, name: `${label} (Save)`, icon: IconDeviceFloppy }}
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={EMAIL_MAX}
        {...form.getInputProps('email')}
      />
      {isOther(form.values, user) ? (
        <OwnSecretField
          user={user}
          description="Diperlukan untuk email baru. Perangkat lain langsung keluar dari akun Anda."
          inputPropsOf={form.getInputProps}
        />
      ) : null}
    </SectionForm>
  );
}
