import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { onCodeOfAddress, takeCodeOfAddress } from '#client/lib/session/code-of-address.ts';
import { paths } from '#client/paths.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { SuccessOverlay } from '#client/ui/feedback/success-overlay.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { type CompleteRecoveryBody, completeRecoveryBody } from '#shared/api/auth.ts';
import { cleanCode, CODE_LENGTHS, formatCode } from '#shared/domain/users/access-codes.ts';
import { CODE_TYPED_MAX } from '#shared/limits.ts';
import { completeRecovery } from './api.ts';
import { AuthShell } from './components/auth-shell.tsx';
import { NewPasswordFields } from './components/new-password-fields.tsx';
import { SignedInNotice } from './components/signed-in-notice.tsx';
import { loadSecondStep, useSignIn } from './use-sign-in.tsx';

const validateBody = schemaResolver(completeRecoveryBody, { sync: true });

/** A slip of the finger must not cost one of the few tries. */
function codeErrorOf({ code }: CompleteRecoveryBody): { code?: string } {
  const { length } = cleanCode(code);
  if (length === 0) return { code: 'Isi kode dari kantor' };
  return length === CODE_LENGTHS.recovery ? {} : { code: `Kode berisi ${CODE_LENGTHS.recovery} huruf dan angka` };
}

/** The code of the address as the field shows it; '' without one. */
function readAddress(): string {
  const code = takeCodeOfAddress() ?? '';
  return cleanCode(code).length === CODE_LENGTHS.recovery ? formatCode(cleanCode(code)) : code.slice(0, CODE_TYPED_MAX);
}

/** /pulih: a new password with a code of the office (docs/requirements.md R-ACCESS-31). */
export function RecoverPage() {
  usePageTitle('Masuk dengan kode');
  const [codeOfAddress] = useState(readAddress);
  const { enter, signedIn, secondStep, endedStep } = useSignIn('Password baru tersimpan setelah kode ini benar.');
  const { form, failure, busy, onSubmit } = useSentForm<CompleteRecoveryBody>({
    initialValues: { code: codeOfAddress, password: '', password_confirmation: '' },
    validate: (values) => ({ ...validateBody(values), ...codeErrorOf(values) }),
    save: async (values) => {
      await loadSecondStep();
      await enter(await completeRecovery(values));
    },
    fallbackErrorText: 'Belum dapat masuk dengan kode',
  });
  const { setFieldValue } = form;
  useEffect(() => onCodeOfAddress(() => setFieldValue('code', readAddress())), [setFieldValue]);

  if (secondStep) return secondStep;
  return (
    <AuthShell title="Masuk dengan kode" description="Ketik kode dari kantor, lalu pilih password baru Anda sendiri.">
      {signedIn ? <SuccessOverlay title="Password baru tersimpan" text="Mohon tunggu sebentar..." /> : null}
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <FormFailure failure={failure} />
          {endedStep ? (
            <FormAlert
              kind="warning"
              message={endedStep}
              hint="Kode dari kantor sudah terpakai dan password lama tetap. Minta kode baru di kantor."
            />
          ) : null}
          <SignedInNotice hint="Setelah kode dipakai, perangkat ini masuk ke akun pemilik kode." />
          <TextInput
            label="Kode dari kantor"
            description="Contoh K7M2-9QXA. Huruf besar atau kecil sama saja."
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            {...form.getInputProps('code')}
          />
          <NewPasswordFields inputPropsOf={form.getInputProps} />
          <SaveButton busy={busy || signedIn} busyLabel="Memeriksa..." fullWidth mt="xs">
            Simpan dan masuk
          </SaveButton>
        </Stack>
      </form>
      <Text mt="sm" ta="center">
        Belum punya kode?{' '}
        <Anchor component={Link} to={paths.login} fw={600} className="link-target" aria-label="Masuk (Login)">
          Ke halaman masuk
        </Anchor>
      </Text>
    </AuthShell>
  );
}
