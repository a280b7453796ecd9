import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { FactorCodeField, factorCodeError } from '#client/features/second-factor/display/factor-code-field.tsx';
import { ApiError } from '#client/lib/api/api-error.ts';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { TICKET_MS, TICKET_WRONG_MAX } from '#shared/limits.ts';
import { completeEntrance, type OpenedSession, type StartedEntrance } from '../api.ts';
import { AuthShell } from '../components/auth-shell.tsx';

const REMOVED_STATUS = 403;

type Props = {
  started: StartedEntrance;
  note: string | undefined;
  onOpened: (opened: OpenedSession, usedSpare: boolean) => void;
  /** The ticket is worth nothing any more. */
  onEnded: (reason: string) => void;
  onBack: () => void;
};

/** The second step of every way in to an account with a second factor (docs/requirements.md R-ACCESS-37). */
export function SecondStep({ started, note, onOpened, onEnded, onBack }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [isSpare, setIsSpare] = useState(false);
  const kind = isSpare ? 'spare' : 'app';
  const wrongCount = useRef(0);
  const end = useEffectEvent(onEnded);
  // The server says 'Kode salah' for an old ticket too.
  useEffect(() => {
    const timer = setTimeout(() => end('Waktu lima menit untuk kode kedua sudah habis.'), TICKET_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => field.current?.focus(), [isSpare]);

  const { form, failure, busy, onSubmit } = useSentForm({
    initialValues: { code: '' },
    validate: ({ code }) => factorCodeError(code, kind),
    save: async ({ code }) => {
      try {
        onOpened(await completeEntrance(started, code), isSpare);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === REMOVED_STATUS) return onEnded(error.message);
        if (error.status === 422) {
          wrongCount.current += 1;
          if (wrongCount.current >= TICKET_WRONG_MAX) return onEnded('Kode kedua salah lima kali.');
          // The app shows another one soon.
          form.setFieldValue('code', '');
        }
        throw error;
      }
    },
    fallbackErrorText: 'Kode belum dapat diperiksa',
  });

  return (
    <AuthShell
      title={isSpare ? 'Kode cadangan' : 'Kode dari aplikasi'}
      description={
        isSpare
          ? 'Salah satu dari sepuluh kode yang Anda simpan saat memasang kode kedua. Tiap kode hanya sekali pakai.'
          : 'Akun ini memakai kode kedua. Buka aplikasi kode di HP Anda, lalu ketik 6 angka untuk PBB Kita.'
      }
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <FormFailure failure={failure} />
          {note ? <Text fw={500}>{note}</Text> : null}
          <FactorCodeField
            ref={field}
            kind={kind}
            label={isSpare ? 'Kode cadangan Anda' : 'Kode 6 angka'}
            {...form.getInputProps('code')}
          />
          <SaveButton busy={busy} busyLabel="Memeriksa..." aria-label="Masuk (Login)" fullWidth>
            Masuk
          </SaveButton>
          <Button variant="default" fullWidth onClick={onBack}>
            Kembali
          </Button>
        </Stack>
      </form>
      <Text mt="sm" ta="center">
        <Anchor
          component="button"
          type="button"
          className="link-target"
          onClick={() => {
            form.reset();
            setIsSpare(!isSpare);
          }}
        >
          {isSpare ? 'Pakai kode dari aplikasi' : 'HP hilang atau ganti HP? Pakai kode cadangan'}
        </Anchor>
      </Text>
      {isSpare ? (
        <Stack gap="xs" mt="sm">
          <Text>HP hilang dan kode cadangan juga tidak ada? Datang ke loket dengan KTP Anda.</Text>
          <Text>
            Anda administrator? Minta administrator lain menekan “Hapus kode kedua” di halaman akun Anda, atau minta
            orang yang mengurus komputer server.
          </Text>
          <Text>
            Kantor baru menghapus kode kedua Anda? Tekan “Kembali”, lalu masuk lagi: kode tidak ditanyakan lagi.
          </Text>
          <OfficeContact />
        </Stack>
      ) : null}
    </AuthShell>
  );
}
