import { showDateShort } from '#client/lib/format.ts';
import type { Verification, VerificationState } from '#shared/api/verification.ts';

type CheckedState = Exclude<VerificationState, 'none'>;

/** What the office says about a reported payment, without details (R-CHECK-20). */
export const verificationLabels: Record<CheckedState, string> = {
  pending: 'Menunggu dicocokkan',
  matched: 'Dicocokkan kantor',
  rejected: 'Tidak cocok',
  outdated: 'Berubah sejak dicocokkan',
};

/** One word, for a narrow column below the status. */
export const verificationWords: Record<CheckedState, string> = {
  pending: 'Menunggu',
  matched: 'Dicocokkan',
  rejected: 'Tidak cocok',
  outdated: 'Berubah',
};

/** The answer to 'Cocok?', where there is hardly room for a word. */
export const verificationAnswers: Record<CheckedState, string> = {
  pending: 'Belum',
  matched: 'Ya',
  rejected: 'Tidak',
  outdated: 'Ulang',
};

/** The label of the state; '' for a record that nobody reported. */
export function verificationLabel({ state }: Verification): string {
  return state === 'none' ? '' : verificationLabels[state];
}

/** Everything that is known about the check, on one line; '' for a record that nobody reported. */
export function verificationText(verification: Verification): string {
  const { state, at, by_name, reason } = verification;
  const label = verificationLabel(verification);
  if (state === 'matched') return [label, by_name, at && showDateShort(at)].filter(Boolean).join(' · ');
  return state === 'rejected' && reason ? `${label}: ${reason}` : label;
}
