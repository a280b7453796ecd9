import { TextInput, type TextInputProps } from '@mantine/core';
import { cleanCode, CODE_LENGTHS, type CodeKind } from '#shared/domain/users/access-codes.ts';
import { CODE_TYPED_MAX } from '#shared/limits.ts';

/** The field for the code of a card, or for the code on its strip. */
export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      maxLength={CODE_TYPED_MAX}
      {...props}
    />
  );
}

/** The error of a code of another length: a slip of the finger must not cost one of the few tries. */
export function lengthErrorOf(typed: string, kind: CodeKind): string | null {
  const { length } = cleanCode(typed);
  return length === 0 || length === CODE_LENGTHS[kind] ? null : `Harus ${CODE_LENGTHS[kind]} huruf dan angka`;
}
