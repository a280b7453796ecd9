import type { Verification } from '#shared/api/tax-records/verification.ts';
import type { VerificationState } from '#shared/domain/tax-records/verification-states.ts';
import type { CardRow } from './card-queries.ts';

/** The stored columns about the newest report and the newest check. */
export type StoredCheck = Pick<
  CardRow,
  | 'reportedAt'
  | 'checkResult'
  | 'checkedAt'
  | 'checkedByName'
  | 'checkReason'
  | 'changedSinceCheck'
  | 'statusBeforeCheck'
  | 'paymentDateBeforeCheck'
  | 'beforeChange'
>;

/** The columns about reports and checks. */
export type CheckColumns = StoredCheck & Pick<CardRow, 'checkState'>;

/** Of a record that nobody has reported or checked. */
export const unchecked: CheckColumns = {
  reportedAt: null,
  checkResult: null,
  checkedAt: null,
  checkedByName: null,
  checkReason: null,
  changedSinceCheck: false,
  statusBeforeCheck: null,
  paymentDateBeforeCheck: null,
  beforeChange: null,
  checkState: 'none',
};

/** The state that the other columns say; it is stored with them, so that indexes hold it (R-CHECK-2). */
export function checkStateOf(columns: StoredCheck): VerificationState {
  const { reportedAt, checkedAt, checkResult, changedSinceCheck } = columns;
  if (reportedAt !== null && (checkedAt === null || reportedAt > checkedAt)) return 'pending';
  // Without a report, an unchanged check is one of before: the office itself wrote what the record says now.
  if (checkResult === null || (reportedAt === null && !changedSinceCheck)) return 'none';
  return changedSinceCheck ? 'outdated' : checkResult;
}

export function presentVerification(row: CheckColumns): Verification {
  const { checkState: state } = row;
  if (state === 'none') return { state, at: null, by_name: null, reason: null };
  const atMs = state === 'pending' ? row.reportedAt : row.checkedAt;
  return {
    state,
    at: atMs === null ? null : new Date(atMs).toISOString(),
    by_name: state === 'pending' ? null : row.checkedByName,
    reason: state === 'rejected' ? row.checkReason : null,
  };
}
