/** Accounts without an e-mail address have one that nobody can own, so that every client finds a valid one (R-ACCESS-8). */
const SUFFIX = '@tanpa-email.invalid';

/** The address of an account without one; its number is 8 digits. */
export const assistedEmail = (accountNumber: string): string => `w-${accountNumber}${SUFFIX}`;

/** The number as people read it, '4821-7735'; null for an account with an e-mail address. */
export function accountNumberOf(address: string): string | null {
  const [, first, second] = /^w-(\d{4})(\d{4})@/.exec(address) ?? [];
  return hasEmail(address) || first === undefined ? null : `${first}-${second}`;
}

/** Whether mail can reach the address. */
export const hasEmail = (address: string): boolean => !address.toLowerCase().endsWith(SUFFIX);
