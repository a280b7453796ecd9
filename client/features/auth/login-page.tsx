import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { paths } from '#client/paths.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { PasswordField } from '#client/ui/fields/password-field.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { SuccessOverlay } from '#client/ui/feedback/success-overlay.tsx';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { useEndedSession } from '#client/lib/session/session.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { loginBody } from '#shared/api/auth.ts';
import { areCardsInUse, login } from './api.ts';
import { AuthShell } from './components/auth-shell.tsx';
import { ForgottenLink } from './components/forgotten-link.tsx';
import { toAuthFailure, type AuthFailure } from './auth-failure.ts';
import { useSignIn } from './use-sign-in.tsx';

/** After these a person may have forgotten the password: it was wrong, or too often. */
const WRONG_PASSWORD_STATUSES: readonly unknown[] = [401, 429];
/** The account was deactivated: only the office can help. */
const BLOCKED_STATUS = 403;

const failureTexts = { refused: 'Login gagal', failed: 'Terjadi kesalahan saat login. Silakan coba lagi.' };

export function LoginPage() {
  usePageTitle('Masuk');
  const endedSession = useEndedSession();
  const { enter, signedIn, secondStep, endedStep } = useSignIn();
  const [failure, setFailure] = useState<AuthFailure | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hasCards, setHasCards] = useState(false);
  useEffect(() => void areCardsInUse().then(setHasCards, () => undefined), []);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: schemaResolver(loginBody, { sync: true }),
  });

  const { submit, busy } = useSubmit(async (values: typeof form.values) => {
    setFailure(null);
    try {
      await enter(await login(values));
    } catch (error) {
      setFailure(toAuthFailure(error, failureTexts));
    }
  });

  if (secondStep) return secondStep;
  return (
    <AuthShell title="Masuk" description="Masukkan email dan password akun Anda.">
      {signedIn ? <SuccessOverlay title="Login Berhasil!" text="Mohon tunggu sebentar..." /> : null}
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values) => void submit(values),
          (_errors, _values, event) => focusFirstError(event?.currentTarget),
        )}
      >
        <Stack>
          <FormFailure failure={failure} />
          {failure?.status === BLOCKED_STATUS ? <OfficeContact /> : null}
          {failure && WRONG_PASSWORD_STATUSES.includes(failure.status) && !isHelpOpen ? (
            <Anchor component="button" type="button" className="link-target" onClick={() => setHelpOpen(true)}>
              Lupa password? Lihat caranya
            </Anchor>
          ) : null}
          {endedSession && !failure && !signedIn ? <FormAlert kind="warning" message={endedSession.message} /> : null}
          {endedStep ? <FormAlert kind="warning" message={endedStep} hint="Masuk sekali lagi." /> : null}
          <TextInput
            label="Email"
            description="Alamat email, contoh sri@gmail.com. Tidak punya atau lupa? Tanyakan ke kantor."
            type="email"
            autoComplete="username"
            placeholder="nama@contoh.com"
            {...form.getInputProps('email')}
          />
          <PasswordField label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
          <SaveButton busy={busy || signedIn} busyLabel="Memeriksa..." aria-label="Masuk (Login)" fullWidth mt="xs">
            Masuk
          </SaveButton>
        </Stack>
      </form>
      <ForgottenLink kind="password" identifier={form.values.email.trim()} isOpen={isHelpOpen} onToggle={setHelpOpen} />
      {hasCards ? (
        <Text ta="center">
          <Anchor component={Link} to={paths.card} className="link-target">
            Masuk dengan kartu warga
          </Anchor>
        </Text>
      ) : null}
      <Text ta="center">
        Belum punya akun?{' '}
        <Anchor component={Link} to={paths.register} fw={600} className="link-target" aria-label="Daftar (Register)">
          Daftar
        </Anchor>
      </Text>
    </AuthShell>
  );
}
