import { Radio, type RadioProps, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import classes from './payment-choice.module.css';

/** The meaning of a photo for its owner: the record is paid, or there is only a photo. */
export type PaymentChoice = Extract<RecordStatus, 'lunas' | 'proses'>;

export const PAYMENT_CHOICE_MISSING = 'Pilih dulu: sudah membayar, atau simpan fotonya dulu';

const choices: { value: PaymentChoice; label: string; description: string }[] = [
  { value: 'lunas', label: 'Saya sudah membayar', description: 'Lunas, lalu diperiksa kantor.' },
  {
    value: 'proses',
    label: 'Simpan fotonya dulu',
    description: 'Proses; tetap belum terbayar.',
  },
];

type Props = {
  /** null: nothing is chosen beforehand (R-CHECK-62). */
  value: PaymentChoice | null;
  onChange: (value: PaymentChoice) => void;
  error?: string | undefined;
};

/** The same question wherever an owner hands in a photo: at the record and in the chat. */
export function PaymentChoiceField({ value, onChange, error }: Props) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) group.current?.querySelector('input')?.focus();
  }, [error]);
  return (
    <Radio.Group
      ref={group}
      label="Foto ini untuk apa?"
      value={value}
      onChange={(next) => onChange(next === 'lunas' ? 'lunas' : 'proses')}
      error={error}
    >
      <Stack gap={2}>
        {choices.map((choice, index) => (
          <PaymentRadio key={choice.value} data-autofocus={index === 0 || undefined} {...choice} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** One answer about a payment, as high as a thumb or a mouse needs. */
export function PaymentRadio(props: RadioProps) {
  return <Radio className={classes['choice'] ?? ''} {...props} />;
}
