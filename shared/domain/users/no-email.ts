/** Accounts without an e-mail address have one that nobody can own, so that every client finds a valid one (R-ACCESS-8). */
const SUFFIX = '@tanpa-email.invalid';

/** Whether mail can reach the address. */
export const hasEmail = (address: string): boolean => !address.toLowerCase().endsWith(SUFFIX);
