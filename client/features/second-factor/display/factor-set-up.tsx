import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CopyableSecret } from '#client/features/users/display/copyable-secret.tsx';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';
import { renderQrCode } from '#client/lib/images/qr-code.ts';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import type { StartedFactor } from '#shared/api/second-factor.ts';
import type { AccountAnswer } from '#shared/api/users.ts';
import { cleanCode, CODE_LENGTHS } from '#shared/domain/users/access-codes.ts';
import { CODE_TYPED_MAX, FACTOR_DIGITS } from '#shared/limits.ts';
import { factorTexts } from '#shared/texts.ts';
import { confirmFactor, startFactor } from '../api.ts';
import { FactorCodeField, factorCodeError } from './factor-code-field.tsx';
import { SpareCodesView } from './spare-codes-view.tsx';
import classes from './factor-set-up.module.css';

/** `qrCodeUrl` is null when its code could not be loaded; the secret can be typed. */
type Started = StartedFactor & { qrCodeUrl: string | null };

/** `busy`: it may be on already. `codes`: it is on, and the spare codes are shown, which is done once. */
export type SetUpState = 'idle' | 'busy' | 'codes';

type Props = {
  user: Pick<AccountAnswer, 'email' | 'has_password'>;
  /** The office asks for a second factor, and the code of a colleague for its set-up. */
  asksSetupCode?: boolean;
  /** The button beside that of each step but the last. */
  cancelButton?: ReactNode;
  onState?: (state: SetUpState) => void;
  /** The spare codes are kept. */
  onDone: () => void;
};

/** Sets a second factor up in three steps: the own password, the app, the spare codes (docs/requirements.md R-ACCESS-38). */
export function FactorSetUp({ user, asksSetupCode = false, cancelButton, onState, onDone }: Props) {
  const [started, setStarted] = useState<Started | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const state = codes ? 'codes' : isBusy ? 'busy' : 'idle';
  useEffect(() => onState?.(state), [onState, state]);
  if (codes) return <SpareCodesView codes={codes} onDone={onDone} />;
  if (!started)
    return <StartForm user={user} asksSetupCode={asksSetupCode} cancelButton={cancelButton} onStarted={setStarted} />;
  return <ConfirmForm started={started} cancelButton={cancelButton} onBusy={setIsBusy} onConfirmed={setCodes} />;
}

/** A slip of the finger must not cost one of the few tries. */
function setupCodeError(typed: string): { setup_code?: string } {
  const { length } = cleanCode(typed);
  if (length === 0) return { setup_code: factorTexts.setupCodeRequired };
  return length === CODE_LENGTHS.setup ? {} : { setup_code: `Harus ${CODE_LENGTHS.setup} huruf dan angka` };
}

type StartProps = Pick<Props, 'user' | 'cancelButton'> & {
  asksSetupCode: boolean;
  onStarted: (started: Started) => void;
};

function StartForm({ user, asksSetupCode, cancelButton, onStarted }: StartProps) {
  const { form, failure, busy, onSubmit } = useSentForm({
    initialValues: { setup_code: '', ...NO_OWN_SECRET },
    validate: (values) => ({
      ...(asksSetupCode ? setupCodeError(values.setup_code) : {}),
      ...ownSecretError(user, values),
    }),
    fallbackErrorText: 'Kode kedua belum dapat dipasang',
    save: async (values) => {
      const setupCode = asksSetupCode ? { setup_code: values.setup_code } : {};
      const started = await startFactor({ ...setupCode, ...ownSecretBody(user, values) });
      onStarted({ ...started, qrCodeUrl: await renderQrCode(started.otpauth_url).catch(() => null) });
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Mulai memasang kode kedua">
      <Stack gap="md">
        <Text>Yang Anda perlukan: HP dengan aplikasi kode, misalnya Google Authenticator atau Aegis.</Text>
        <Text>
          Aplikasinya gratis di Play Store atau App Store dan bekerja tanpa internet. Pasang dulu, lalu lanjutkan di
          sini. Perangkat lain yang masuk dengan akun ini akan keluar.
        </Text>
        <FormFailure failure={failure} />
        {asksSetupCode ? (
          <TextInput
            label="Kode pemasangan"
            description="Minta kepada rekan yang sudah memasang kode kedua, atau kepada orang yang mengurus komputer server. Contoh K7M29-QXAC3."
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            maxLength={CODE_TYPED_MAX}
            {...form.getInputProps('setup_code')}
          />
        ) : null}
        <OwnSecretField
          user={user}
          description="Agar orang lain yang memegang perangkat ini tidak dapat memasangnya."
          inputPropsOf={form.getInputProps}
        />
        <Group justify="flex-end" gap="sm" className="dialog-actions">
          {cancelButton}
          <SaveButton busy={busy} busyLabel="Memeriksa...">
            Lanjut
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}

/** In groups of four, as people type it. */
const groupSecret = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

type ConfirmProps = Pick<Props, 'cancelButton'> & {
  started: Started;
  onBusy: (isBusy: boolean) => void;
  onConfirmed: (codes: readonly string[]) => void;
};

function ConfirmForm({ started, cancelButton, onBusy, onConfirmed }: ConfirmProps) {
  const steps = useRef<HTMLDivElement>(null);
  // The pressed button no longer exists. A screen reader reads from here on.
  useEffect(() => steps.current?.focus(), []);
  const { form, failure, busy, onSubmit } = useSentForm({
    initialValues: { code: '' },
    validate: ({ code }) => factorCodeError(code, 'app'),
    fallbackErrorText: 'Kode kedua belum dapat dipasang',
    save: async ({ code }) => onConfirmed(await confirmFactor(code)),
  });
  useEffect(() => onBusy(busy), [busy, onBusy]);
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Pasang kode kedua">
      <Stack gap="md">
        <div ref={steps} tabIndex={-1} className={classes['steps']}>
          <List type="ordered" spacing="md">
            <List.Item>
              <div className={classes['ways']}>
                <div>
                  Aplikasinya di HP lain? Buka di sana, tekan tanda tambah (+), lalu pindai gambar ini.
                  {started.qrCodeUrl ? (
                    <img src={started.qrCodeUrl} alt="Kode QR untuk aplikasi kode" className={classes['qr']} />
                  ) : null}
                </div>
                <div className={classes['here']}>
                  <Text mb={4}>Aplikasinya di HP ini?</Text>
                  <Button
                    component="a"
                    href={started.otpauth_url}
                    variant="default"
                    leftSection={<IconDeviceMobile size={18} aria-hidden />}
                  >
                    Buka di aplikasi
                  </Button>
                </div>
              </div>
              <Text mt="sm" mb={4}>
                Keduanya tidak bisa? Pilih “Masukkan kunci” di aplikasi, lalu ketik kunci ini:
              </Text>
              <CopyableSecret secret={groupSecret(started.secret)} word="kunci" label="Kunci untuk aplikasi" />
            </List.Item>
            <List.Item>Aplikasi menampilkan {FACTOR_DIGITS} angka untuk PBB Kita. Ketik di sini.</List.Item>
          </List>
        </div>
        <FormFailure failure={failure} />
        <FactorCodeField kind="app" label={`Kode ${FACTOR_DIGITS} angka`} {...form.getInputProps('code')} />
        <Group justify="flex-end" gap="sm" className="dialog-actions">
          {cancelButton}
          <SaveButton busy={busy} busyLabel="Memeriksa...">
            Pasang
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}
