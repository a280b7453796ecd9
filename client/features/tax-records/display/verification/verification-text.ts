import { showDateShort } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import {
  VERIFICATION_FILTERS,
  type VerificationFilter,
  type VerificationState,
} from '#shared/domain/tax-records/verification-states.ts';
import { statusLabel } from '../record-labels.ts';
import type { RecordScope } from '../../scope.ts';

type CheckedState = Exclude<VerificationState, 'none'>;
/** The fields that decide the words: a matched report of an unpaid record alone is no good news. */
export type CheckedRecord = Pick<TaxRecord, 'status' | 'verification'>;

/** The label of the words on a page and on paper. */
export const verificationTitles: Record<RecordScope, string> = { own: 'Pemeriksaan kantor', admin: 'Pencocokan' };

/** The answer of the office to a reported payment, without details (R-CHECK-20). */
const officeLabels: Record<CheckedState, string> = {
  pending: 'Menunggu dicocokkan',
  matched: 'Dicocokkan kantor',
  rejected: 'Tidak cocok',
  outdated: 'Berubah sejak dicocokkan',
};

/** The choices of the filter 'Pencocokan' (R-CHECK-51). */
export const verificationFilterLabels: Record<VerificationFilter, string> = {
  ...officeLabels,
  none: 'Tanpa laporan warga',
  matched_unpaid: 'Cocok, belum lunas',
};

/** The chosen states in words: 'Menunggu dicocokkan, Tidak cocok'. @param chosen separated by commas */
export function verificationFilterText(chosen: string): string {
  return VERIFICATION_FILTERS.filter((state) => chosen.split(',').includes(state))
    .map((state) => verificationFilterLabels[state])
    .join(', ');
}

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

/** The words for the owner (R-CHECK-60). They name the office, because the owner must know who checks. */
function ownerLabel(status: TaxRecord['status'], state: CheckedState): string {
  switch (state) {
    case 'pending':
      return 'Menunggu diperiksa kantor';
    case 'matched':
      return status === 'lunas' ? 'Sudah diperiksa kantor' : 'Diperiksa kantor, belum lunas';
    case 'rejected':
      return 'Ditolak kantor';
    case 'outdated':
      // The office does not check a record that it set back, so the owner must not wait for it.
      return status === 'belum_lunas' ? 'Berubah sejak diperiksa kantor' : 'Menunggu diperiksa kantor';
  }
}

/** Whether the office still has to compare the record. One that it set back itself says nothing that could be compared. */
export function needsDecision(record: Pick<TaxRecord, 'status' | 'payment_proof' | 'verification'>): boolean {
  const { state } = record.verification;
  if (state === 'outdated') return record.status !== 'belum_lunas' || record.payment_proof !== null;
  return state === 'pending';
}

/** The label of the state, in the words of the office or of the owner; '' for a record that nobody reported. */
export function verificationLabel({ status, verification: { state } }: CheckedRecord, scope: RecordScope): string {
  if (state === 'none') return '';
  return scope === 'own' ? ownerLabel(status, state) : officeLabels[state];
}

/** Everything that is known about the check, on one line; '' for a record that nobody reported. */
export function verificationText(record: CheckedRecord, scope: RecordScope): string {
  const { state, at, by_name, reason } = record.verification;
  const label = verificationLabel(record, scope);
  if (state === 'matched') return [label, by_name, at && showDateShort(at)].filter(Boolean).join(' · ');
  return state === 'rejected' && reason ? `${label}: ${reason}` : label;
}

/** The words in a row of a list, with the reason of a rejection for the owner. */
export function verificationInList(record: CheckedRecord, scope: RecordScope): string {
  const isRefusedOwn = scope === 'own' && record.verification.state === 'rejected';
  return isRefusedOwn ? verificationText(record, scope) : verificationLabel(record, scope);
}

/** The status where a line has no room for a mark: 'Lunas · Menunggu diperiksa kantor'. */
export function statusText(record: CheckedRecord, scope: RecordScope): string {
  return [statusLabel(record.status), verificationLabel(record, scope)].filter(Boolean).join(' · ');
}
