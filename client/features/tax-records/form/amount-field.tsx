import { NumberInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AMOUNT_STEP_RUPIAH } from '#shared/limits.ts';

type Props = {
  label: string;
  description?: string;
  value: number | string;
  onChange: (value: number | string) => void;
  error?: ReactNode;
};

/** An amount in rupiah, grouped while it is typed: 1.500.000. */
export function AmountField({ label, description, value, onChange, error }: Props) {
  return (
    <NumberInput
      label={label}
      description={description}
      // As in the date field, so that both stand in one line.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      placeholder="0"
      leftSection={
        <Text component="span" c="dimmed" aria-hidden>
          Rp
        </Text>
      }
      value={value}
      onChange={onChange}
      error={error}
      min={0}
      step={AMOUNT_STEP_RUPIAH}
      // An amount out of range gets an error message; the input does not change it silently.
      clampBehavior="none"
      allowNegative={false}
      decimalScale={2}
      decimalSeparator=","
      thousandSeparator="."
      allowedDecimalSeparators={[',']}
      hideControls
    />
  );
}
