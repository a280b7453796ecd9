import type { Retention } from '#shared/api/retention.ts';

/** Months; 0: for ever. */
export type Terms = { messages: number; accounts: number };

export const termsOf = ({ messages_months, inactive_accounts_months }: Retention): Terms => ({
  messages: messages_months,
  accounts: inactive_accounts_months,
});

const isLower = (before: number, after: number): boolean => after > 0 && (before === 0 || after < before);

/** Whether these terms delete what the stored ones keep: then the 30 days begin anew. */
export const losesMore = (stored: Terms, terms: Terms): boolean =>
  isLower(stored.messages, terms.messages) || isLower(stored.accounts, terms.accounts);

/** The counts that a term would delete today. */
export const olderCount = ({ older }: Retention, months: number): { messages: number; accounts: number } =>
  older.find((one) => one.months === months) ?? { messages: 0, accounts: 0 };
