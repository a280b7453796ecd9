import { Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useEffect } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { enterByCardBody } from '#shared/api/cards.ts';
import { PIN_LENGTH } from '#shared/domain/users/pin.ts';
import type { Entrance } from '../api.ts';
import { enterByCard } from './api.ts';
import { CardFailure } from './card-failure.tsx';
import { CodeField, lengthErrorOf } from './code-field.tsx';
import { pinField, PinFields } from './pin-fields.tsx';

type Values = { code: string; pin: string };

const validateBody = schemaResolver(enterByCardBody, { sync: true });

function errorsOf(values: Values): Record<string, string> {
  const codeError = lengthErrorOf(values.code, 'card');
  const { length } = values.pin;
  return {
    ...(codeError ? { code: codeError } : {}),
    ...(length > 0 && length < PIN_LENGTH ? { pin: `PIN berisi ${PIN_LENGTH} angka` } : {}),
    ...validateBody(values),
  };
}

type Props = {
  code: string;
  isDone: boolean;
  onCodeChange: (code: string) => void;
  onEntered: (entrance: Entrance) => Promise<void>;
};

/** The code of the card and its PIN. */
export function EnterForm({ code, isDone, onCodeChange, onEntered }: Props) {
  const { form, failure, busy, onSubmit } = useSentForm<Values>({
    initialValues: { code, pin: '' },
    validate: errorsOf,
    save: async (values) => {
      try {
        await onEntered(await enterByCard(values));
      } catch (error) {
        // The digits are hidden, so a wrong one cannot be found.
        if (error instanceof ApiError && error.status === 401) form.setFieldValue('pin', '');
        throw error;
      }
    },
    fallbackErrorText: 'Belum dapat masuk dengan kartu',
  });
  const { setFieldValue } = form;
  // Another address with a code may be opened in this tab.
  useEffect(() => setFieldValue('code', code), [code, setFieldValue]);
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <CodeField
          label="Kode kartu"
          description="Ada di kartu Anda, contoh K7M2-9QXA. Huruf besar atau kecil sama saja."
          {...form.getInputProps('code')}
          onBlur={() => onCodeChange(form.getValues().code)}
        />
        <CardFailure
          failure={failure}
          afterWrong="Periksa kode di kartu, lalu ketik PIN lagi. Lupa PIN? Minta kartu baru di kantor."
        />
        <PinFields fields={[pinField(form, 'pin', 'PIN')]} />
        <SaveButton busy={busy || isDone} busyLabel="Memeriksa..." aria-label="Masuk (Login)" fullWidth mt="xs">
          Masuk
        </SaveButton>
      </Stack>
    </form>
  );
}
