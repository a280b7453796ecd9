import { schemaResolver } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { PasswordField } from '#client/ui/fields/password-field.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import { changePasswordBody } from '#shared/api/auth.ts';
import type { AccountAnswer } from '#shared/api/users.ts';
import { PASSWORD_MAX, PASSWORD_MIN_REGISTER } from '#shared/limits.ts';
import { accountKeys, changePassword } from '../api.ts';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';

/** The own password or PIN is checked apart, because an account has only one of them. */
const validateBody = schemaResolver(changePasswordBody, { sync: true });
const errorsOf = (values: Values, user: AccountAnswer) => ({
  ...validateBody(user.has_password ? values : { ...values, current_password: undefined }),
  ...(user.has_password ? {} : ownSecretError(user, values)),
});
const emptyValues = { ...NO_OWN_SECRET, password: '', password_confirmation: '' };
type Values = typeof emptyValues;

/** Changes the own password. It needs the old one, and all other sessions end (docs/requirements.md R-AUTH-11). */
export function PasswordSection() {
  const { data: user } = useQuery(ownUserQuery);
  // Without an e-mail address there is nothing to enter with beside a password.
  return user?.has_email ? <PasswordForm user={user} /> : null;
}

function PasswordForm({ user }: { user: AccountAnswer }) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSavedForm({
    initialValues: emptyValues,
    validate: (values) => errorsOf(values, user),
    fallbackErrorText: 'Gagal mengubah password',
    save: async (values) => {
      const { password, password_confirmation } = values;
      await changePassword({ password, password_confirmation, ...ownSecretBody(user, values) }, user.email);
      form.reset();
      notify.success('Password berhasil diubah');
      for (const queryKey of [accountKeys.user, accountKeys.sessions, accountKeys.securityLog])
        void queryClient.invalidateQueries({ queryKey });
    },
  });

  return (
    <SectionForm
      state={state}
      label="Password"
      title="Password"
      text="Setelah password diubah, semua sesi lain langsung berakhir. Perangkat ini tetap masuk."
      save={{ label: 'Ubah password', name: 'Ubah password (Change)', icon: IconLock }}
    >
      <OwnSecretField user={user} label="Password lama" inputPropsOf={form.getInputProps} />
      <PasswordField
        label="Password baru"
        secretLabel="password baru"
        description={`Minimal ${PASSWORD_MIN_REGISTER} karakter`}
        required
        maxLength={PASSWORD_MAX}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <PasswordField
        label="Konfirmasi password baru"
        secretLabel="konfirmasi password baru"
        required
        maxLength={PASSWORD_MAX}
        autoComplete="new-password"
        {...form.getInputProps('password_confirmation')}
      />
    </SectionForm>
  );
}
