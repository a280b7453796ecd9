import { Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { activateCardBody, type ActivateCardBody } from '#shared/api/cards.ts';
import type { Entrance } from '../api.ts';
import { loadSecondStep } from '../use-sign-in.tsx';
import { activateCard } from './api.ts';
import { CardFailure } from './card-failure.tsx';
import { CodeField, lengthErrorOf } from './code-field.tsx';
import { pinField, PinFields } from './pin-fields.tsx';

const validateBody = schemaResolver(activateCardBody, { sync: true });

function errorsOf(values: ActivateCardBody): Record<string, string> {
  const codeError = lengthErrorOf(values.code, 'card');
  const activationError = lengthErrorOf(values.activation, 'activation');
  return {
    ...(codeError ? { code: codeError } : {}),
    ...(activationError ? { activation: activationError } : {}),
    ...validateBody(values),
  };
}

type Props = { code: string; isDone: boolean; onEntered: (entrance: Entrance) => Promise<void> };

/** The first entry with a new card: its holder chooses the PIN. */
export function ActivateForm({ code, isDone, onEntered }: Props) {
  const activation = useRef<HTMLInputElement>(null);
  const { form, failure, busy, onSubmit } = useSentForm<ActivateCardBody>({
    initialValues: { code, activation: '', pin: '', pin_confirmation: '' },
    validate: errorsOf,
    save: async (values) => {
      await loadSecondStep();
      await onEntered(await activateCard(values));
    },
    fallbackErrorText: 'Kartu belum dapat diaktifkan',
  });
  const { setFieldValue } = form;
  useEffect(() => {
    if (code !== '') setFieldValue('code', code);
  }, [code, setFieldValue]);
  // The button that was pressed no longer exists.
  useEffect(() => activation.current?.focus(), []);
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <CodeField
          label="Kode kartu"
          description="Contoh K7M2-9QXA. Huruf besar atau kecil sama saja."
          {...form.getInputProps('code')}
        />
        <CodeField
          ref={activation}
          label="Kode aktivasi"
          description="Ada di potongan kertas kartu Anda, contoh K7M29-QXAC3."
          {...form.getInputProps('activation')}
        />
        <CardFailure
          failure={failure}
          afterWrong="Periksa kedua kode. Kode aktivasi hanya berlaku sekali: bila sudah dipakai, masuklah dengan PIN Anda."
        />
        <PinFields
          fields={[
            {
              ...pinField(form, 'pin', 'PIN baru'),
              description:
                '6 angka yang hanya Anda tahu. Jangan angka berurutan atau berulang, tanggal lahir, atau nomor HP.',
            },
            pinField(form, 'pin_confirmation', 'Ulangi PIN baru'),
          ]}
        />
        <SaveButton busy={busy || isDone} busyLabel="Memeriksa..." fullWidth mt="xs">
          Aktifkan dan masuk
        </SaveButton>
      </Stack>
    </form>
  );
}
