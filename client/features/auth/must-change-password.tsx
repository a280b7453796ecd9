import { Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { changePassword } from '#client/features/account/api.ts';
import { type SessionUser, updateSessionUser, useSession } from '#client/lib/session/session.ts';
import { paths, startPath } from '#client/paths.ts';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { PasswordField, PasswordOwner } from '#client/ui/fields/password-field.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { changePasswordBody } from '#shared/api/auth.ts';
import { PASSWORD_MAX } from '#shared/limits.ts';
import { accessTexts } from '#shared/texts.ts';
import { AuthShell } from './components/auth-shell.tsx';
import { NewPasswordFields } from './components/new-password-fields.tsx';

const TITLE = 'Ganti password Anda dulu';

type Values = Record<'current_password' | 'password' | 'password_confirmation', string>;

const validateBody = schemaResolver(changePasswordBody, { sync: true });

/** The office knows the old one. */
const sameErrorOf = ({ current_password: old, password }: Values): { password?: string } =>
  old !== '' && old === password ? { password: accessTexts.passwordOfOffice } : {};

type Props = { signOutButton: ReactNode };

/** /new-password: the only page of a session that came in by a password of the office (docs/requirements.md R-ACCESS-35). */
export function MustChangePassword({ signOutButton }: Props) {
  usePageTitle(TITLE);
  const session = useSession();
  if (!session) return <Navigate to={paths.login} replace />;
  const { user } = session;
  // Also after the change: then all pages are open again.
  if (!user?.must_change_password) return <Navigate to={startPath(user?.is_admin ?? false)} replace />;
  return (
    <AuthShell
      title={TITLE}
      description="Anda masuk dengan password dari kantor. Pilih password sendiri yang tidak diketahui orang lain."
    >
      <NewPasswordForm user={user} signOutButton={signOutButton} />
    </AuthShell>
  );
}

function NewPasswordForm({ user, signOutButton }: Props & { user: SessionUser }) {
  const queryClient = useQueryClient();
  const { form, failure, busy, onSubmit } = useSentForm<Values>({
    initialValues: { current_password: '', password: '', password_confirmation: '' },
    validate: (values) => ({ ...validateBody(values), ...sameErrorOf(values) }),
    save: async (values) => {
      await changePassword(values, user.email);
      // Answers of before say that this page must come first.
      queryClient.clear();
      updateSessionUser({ ...user, must_change_password: false });
      notify.success('Password berhasil diubah');
    },
    fallbackErrorText: 'Gagal mengubah password',
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <FormFailure failure={failure} />
        <PasswordOwner email={user.email} />
        <PasswordField
          label="Password lama (dari kantor)"
          secretLabel="password lama"
          maxLength={PASSWORD_MAX}
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <NewPasswordFields inputPropsOf={form.getInputProps} />
        <SaveButton busy={busy} fullWidth mt="xs">
          Simpan password
        </SaveButton>
        {signOutButton}
      </Stack>
    </form>
  );
}
