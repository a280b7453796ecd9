import { Button, type ButtonProps, NativeSelect } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { keysOf } from './url-filter.ts';

export type Choice<Value extends string> = { value: Value; label: string };

export function choicesOf<Value extends string>(labels: Record<Value, string>): Choice<Value>[] {
  return keysOf(labels).map((value) => ({ value, label: labels[value] }));
}

type SelectProps<Value extends string> = {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | '';
  onChange: (value: Value | '') => void;
  /** The choice that filters nothing. */
  allLabel?: string;
};

/** One part of a filter with few values. */
export function FilterSelect<Value extends string>({
  label,
  choices,
  value,
  onChange,
  allLabel = 'Semua',
}: SelectProps<Value>) {
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: allLabel }, ...choices]}
      value={value}
      onChange={(event) => onChange(choices.find((choice) => choice.value === event.currentTarget.value)?.value ?? '')}
    />
  );
}

type SortProps<Value extends string> = {
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** The order of a list. */
export function SortSelect<Value extends string>({ choices, value, onChange }: SortProps<Value>) {
  return (
    <NativeSelect
      label="Urutkan"
      data={[...choices]}
      value={value}
      onChange={(event) =>
        onChange(choices.find((choice) => choice.value === event.currentTarget.value)?.value ?? value)
      }
    />
  );
}

/** Empties all parts of a filter. */
export function ClearFilterButton({ onClear, ...props }: ButtonProps & { onClear: () => void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      px="sm"
      leftSection={<IconFilterOff size={18} aria-hidden />}
      aria-label="Bersihkan filter (Clear)"
      {...props}
      onClick={onClear}
    >
      Bersihkan
    </Button>
  );
}
