import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';
import { cleanCode, CODE_LENGTHS } from '#shared/domain/users/access-codes.ts';
import { CODE_TYPED_MAX, FACTOR_DIGITS } from '#shared/limits.ts';
import { factorTexts } from '#shared/texts.ts';

/** The codes that a field is for: those of the app, spare ones, or either of them. */
export type FactorCodeKind = 'app' | 'spare' | 'either';

const kinds = {
  app: {
    description: 'Berganti tiap 30 detik.',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    lengthText: `Kode dari aplikasi berisi ${FACTOR_DIGITS} angka`,
  },
  spare: {
    description: 'Contoh K7M29-QXAC3. Huruf besar atau kecil sama saja.',
    inputMode: 'text',
    autoComplete: 'off',
    lengthText: `Kode cadangan berisi ${CODE_LENGTHS.spare} huruf dan angka`,
  },
  either: {
    description: 'Dari aplikasi di HP Anda, atau sebuah kode cadangan.',
    inputMode: 'text',
    autoComplete: 'one-time-code',
    lengthText: `Kode berisi ${FACTOR_DIGITS} angka, kode cadangan ${CODE_LENGTHS.spare} huruf dan angka`,
  },
} as const satisfies Record<FactorCodeKind, TextInputProps & { lengthText: string }>;

/** A slip of the finger must not cost one of the few tries. A field for one kind takes the other kind too. */
export function factorCodeError(typed: string, kind: FactorCodeKind): { code?: string } {
  const code = cleanCode(typed);
  if (code === '') return { code: factorTexts.codeRequired };
  const isWhole = code.length === (/^\d+$/.test(code) ? FACTOR_DIGITS : CODE_LENGTHS.spare);
  return isWhole ? {} : { code: kinds[kind].lengthText };
}

type Props = Omit<TextInputProps, 'label'> & { kind: FactorCodeKind; label: string; ref?: Ref<HTMLInputElement> };

/** The field for a code of the second factor. */
export function FactorCodeField({ kind, ...props }: Props) {
  const { lengthText: _error, ...kindProps } = kinds[kind];
  return (
    <TextInput
      {...kindProps}
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      maxLength={CODE_TYPED_MAX}
      {...props}
    />
  );
}
