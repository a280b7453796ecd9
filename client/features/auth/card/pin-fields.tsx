import { Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconBackspace } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { PIN_LENGTH } from '#shared/domain/users/pin.ts';

const DIGIT_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
/** A thumb that trembles still hits it. */
const KEY_HEIGHT = 60;

type PinField = {
  name: string;
  label: string;
  description?: string;
  value: string;
  error?: ReactNode;
  onChange: (value: string) => void;
};

type PinForm<Name extends string> = {
  values: Readonly<Record<Name, string>>;
  errors: Readonly<Record<string, ReactNode>>;
  setFieldValue: (name: Name, value: string) => void;
};

/** A PIN of a form. */
export const pinField = <Name extends string>(form: PinForm<Name>, name: Name, label: string): PinField => ({
  name,
  label,
  value: form.values[name],
  error: form.errors[name],
  onChange: (value) => form.setFieldValue(name, value),
});

type Props = {
  /** One PIN, or one that is typed twice. */
  fields: readonly [PinField, ...PinField[]];
};

/** Hidden digits with large keys below. A screen reader reads how many there are, never which. */
export function PinFields({ fields }: Props) {
  const [activeName, setActiveName] = useState(fields[0].name);
  const index = Math.max(
    0,
    fields.findIndex(({ name }) => name === activeName),
  );
  const active = fields[index] ?? fields[0];
  const keys = useRef<HTMLFieldSetElement>(null);

  /** After a refusal the PINs, which cannot be read, are typed anew. */
  function startAnew(digit: string): void {
    for (const field of fields) field.onChange('');
    setActiveName(fields[0].name);
    fields[0].onChange(digit);
  }

  function press(digit: string): void {
    if (fields.some(({ error }) => Boolean(error)) && fields.every(({ value }) => value.length === PIN_LENGTH))
      return startAnew(digit);
    // The key after the last digit of a PIN belongs to the next one.
    const target = active.value.length < PIN_LENGTH ? active : fields[index + 1];
    if (!target || target.value.length >= PIN_LENGTH) return;
    target.onChange(target.value + digit);
    // A full PIN hands over to the next one.
    const next = fields[fields.indexOf(target) + 1];
    setActiveName(next && target.value.length === PIN_LENGTH - 1 ? next.name : target.name);
  }

  function eraseLast(): void {
    const target = active.value === '' ? (fields[index - 1] ?? active) : active;
    setActiveName(target.name);
    target.onChange(target.value.slice(0, -1));
  }

  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <TextInput
          key={field.name}
          type="password"
          // The keys below are larger than those of a phone.
          inputMode="none"
          autoComplete="off"
          name={field.name}
          label={field.label}
          description={field.description}
          error={field.error}
          value={field.value}
          onChange={(event) => field.onChange(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, PIN_LENGTH))}
          onFocus={(event) => {
            setActiveName(field.name);
            if (field.error) event.currentTarget.select();
            // On a low screen the keys lie below its edge, and no other keyboard opens.
            keys.current?.scrollIntoView?.({ block: 'nearest' });
          }}
          fz="xl"
          styles={{
            input: {
              textAlign: 'center',
              letterSpacing: '0.5em',
              fontSize: 'var(--mantine-font-size-xl)',
              ...(field === active && fields.length > 1 ? { borderColor: 'var(--focus)' } : {}),
            },
          }}
        />
      ))}
      <Text component="output" aria-live="polite" fz="sm" c="dimmed" ta="center">
        {active.label}: {active.value.length} dari {PIN_LENGTH} angka
      </Text>
      <fieldset
        ref={keys}
        aria-label={`Tombol angka untuk ${active.label}`}
        style={{ minWidth: 0, margin: 0, padding: 0, border: 'none' }}
      >
        <SimpleGrid cols={3} spacing="xs">
          {DIGIT_KEYS.map((digit) => (
            <Key key={digit} label={digit} onPress={() => press(digit)} />
          ))}
          <span />
          <Key label="0" onPress={() => press('0')} />
          <Button
            variant="subtle"
            color="gray"
            h={KEY_HEIGHT}
            px={0}
            aria-label="Hapus angka terakhir"
            onClick={eraseLast}
          >
            <IconBackspace size={28} aria-hidden />
          </Button>
        </SimpleGrid>
      </fieldset>
    </Stack>
  );
}

function Key({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button variant="default" h={KEY_HEIGHT} px={0} fz="xl" onClick={onPress}>
      {label}
    </Button>
  );
}
