import { CODE_LENGTHS, cleanCode } from './access-codes.ts';
import { readPhone } from './phone.ts';

export const IDENTIFIER_KINDS = ['email', 'phone', 'card'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];
/** The text that a person typed to say which account is meant, as it is stored. */
export type Identifier = { kind: IdentifierKind; value: string };

/** Reads an e-mail address, a phone number or the code of a card; what is none of them is an address that no account has. */
export function readIdentifier(typed: string): Identifier {
  const phone = readPhone(typed);
  if (phone !== null) return { kind: 'phone', value: phone };
  const code = cleanCode(typed);
  if (!typed.includes('@') && code.length === CODE_LENGTHS.card) return { kind: 'card', value: code };
  return { kind: 'email', value: typed.trim().toLowerCase() };
}
