import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { paths } from '#client/paths.ts';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { PasswordField } from '#client/ui/fields/password-field.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { SuccessOverlay } from '#client/ui/feedback/success-overlay.tsx';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { registerBody } from '#shared/api/auth.ts';
import { presentTexts } from '#shared/legal-versions.ts';
import { register } from './api.ts';
import { AuthShell } from './components/auth-shell.tsx';
import { LegalLinks } from './components/legal-links.tsx';
import { toAuthFailure, type AuthFailure } from './auth-failure.ts';
import { useSignIn } from './use-sign-in.tsx';

const failureTexts = { refused: 'Registrasi gagal', failed: 'Terjadi kesalahan saat registrasi' };

export function RegisterPage() {
  usePageTitle('Daftar');
  const { signIn, signedIn } = useSignIn();
  const [failure, setFailure] = useState<AuthFailure | null>(null);
  const form = useForm({
    initialValues: { name: '', email: '', password: '', password_confirmation: '' },
    validate: schemaResolver(registerBody, { sync: true }),
  });

  const { submit, busy } = useSubmit(async (values: typeof form.values, element?: HTMLFormElement) => {
    setFailure(null);
    try {
      signIn(await register({ ...values, consents: presentTexts }));
    } catch (error) {
      const newFailure = toAuthFailure(error, failureTexts);
      setFailure(newFailure);
      // The message is above the form, so the field is only marked.
      form.setErrors(Object.fromEntries(newFailure.fields.map((field) => [field, true])));
      focusFirstError(element);
    }
  });

  return (
    <AuthShell title="Daftar akun" description="Isi data berikut untuk membuat akun baru.">
      {signedIn ? <SuccessOverlay title="Registrasi Berhasil!" text="Mohon tunggu sebentar..." /> : null}
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values, event) => void submit(values, event?.currentTarget),
          (_errors, _values, event) => focusFirstError(event?.currentTarget),
        )}
      >
        <Stack>
          <FormFailure failure={failure} />
          <TextInput
            label="Nama Lengkap"
            aria-label="Nama Lengkap (Full name)"
            autoComplete="name"
            autoCapitalize="words"
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Email"
            description="Alamat email, contoh sri@gmail.com. Belum punya? Minta dibuatkan di kantor."
            type="email"
            autoComplete="username"
            placeholder="nama@contoh.com"
            {...form.getInputProps('email')}
          />
          <OfficeContact />
          <PasswordField
            label="Password"
            description="Paling sedikit 8 karakter"
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <PasswordField
            label="Konfirmasi Password"
            aria-label="Konfirmasi Password (Password confirmation)"
            secretLabel="konfirmasi password"
            autoComplete="new-password"
            {...form.getInputProps('password_confirmation')}
          />
          <LegalLinks />
          <SaveButton busy={busy || signedIn} busyLabel="Mendaftarkan..." aria-label="Daftar (Register)" fullWidth>
            Daftar
          </SaveButton>
        </Stack>
      </form>
      <Text mt="sm" ta="center">
        Sudah punya akun?{' '}
        <Anchor component={Link} to={paths.login} fw={600} className="link-target" aria-label="Masuk (Login)">
          Masuk
        </Anchor>
      </Text>
    </AuthShell>
  );
}
