import type { Verification, VerificationState } from '#shared/api/verification.ts';
import type { CardRow } from './card-queries.ts';

/** The columns about reports and checks. */
export type CheckColumns = Pick<
  CardRow,
  'reportedAt' | 'checkResult' | 'checkedAt' | 'checkedByName' | 'checkReason' | 'changedSinceCheck'
>;

/** Of a record that nobody has reported or checked. */
export const unchecked: CheckColumns = {
  reportedAt: null,
  checkResult: null,
  checkedAt: null,
  checkedByName: null,
  checkReason: null,
  changedSinceCheck: false,
};

/** Whether the office has still to check what the user reported (R-CHECK-2). */
export function isPending({ reportedAt, checkedAt }: Pick<CheckColumns, 'reportedAt' | 'checkedAt'>): boolean {
  return reportedAt !== null && (checkedAt === null || reportedAt > checkedAt);
}

function stateOf(row: CheckColumns): VerificationState {
  if (isPending(row)) return 'pending';
  if (row.checkResult === null) return 'none';
  return row.changedSinceCheck ? 'outdated' : row.checkResult;
}

export function presentVerification(row: CheckColumns): Verification {
  const state = stateOf(row);
  if (state === 'none') return { state, at: null, by_name: null, reason: null };
  const atMs = state === 'pending' ? row.reportedAt : row.checkedAt;
  return {
    state,
    at: atMs === null ? null : new Date(atMs).toISOString(),
    by_name: state === 'pending' ? null : row.checkedByName,
    reason: state === 'rejected' ? row.checkReason : null,
  };
}
