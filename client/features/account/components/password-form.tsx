import { schemaResolver } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { notify } from '#client/ui/feedback/notify.tsx';
import { PasswordField, PasswordOwner } from '#client/ui/fields/password-field.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import { changePasswordBody } from '#shared/api/auth.ts';
import { PASSWORD_MAX, PASSWORD_MIN_REGISTER } from '#shared/limits.ts';
import { accountKeys, changePassword } from '../api.ts';

const validate = schemaResolver(changePasswordBody, { sync: true });
const emptyValues = { current_password: '', password: '', password_confirmation: '' };

/** Changes the own password. It needs the old one, and all other sessions end (docs/requirements.md R-AUTH-11). */
export function PasswordForm({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSavedForm({
    initialValues: emptyValues,
    validate,
    fallbackErrorText: 'Gagal mengubah password',
    save: async (values) => {
      await changePassword(values, email);
      form.reset();
      notify.success('Password berhasil diubah');
      await queryClient.invalidateQueries({ queryKey: accountKeys.sessions });
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
      <PasswordOwner email={email} />
      <PasswordField
        label="Password lama"
        secretLabel="password lama"
        required
        maxLength={PASSWORD_MAX}
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
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
