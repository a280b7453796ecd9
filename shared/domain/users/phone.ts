/** Mobile numbers of Indonesia, as they are stored: '+6281234567890'. */

const STORED_PATTERN = /^\+62[1-9]\d{7,12}$/;

/**
 * Reads `08…`, `62…` and `+62…`, with spaces, hyphens and brackets.
 * @returns null when it is no such number
 */
export function readPhone(typed: string): string | null {
  const plain = typed.replaceAll(/[\s()\p{Pd}]/gu, '');
  // Behind a zero only a mobile number counts: '021…' is a landline.
  const phone = plain.replace(/^(?:\+62|62|0(?=8))/, '+62');
  return STORED_PATTERN.test(phone) ? phone : null;
}

/** The digits that a person says: without the country code and without the zero that stands for it. */
export const nationalDigits = (phone: string): string => phone.replace(/^\+62/, '');

/** As people write it: '0812-3456-7890'. */
export function formatPhone(phone: string): string {
  const digits = `0${nationalDigits(phone)}`;
  return [digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)].filter(Boolean).join('-');
}
