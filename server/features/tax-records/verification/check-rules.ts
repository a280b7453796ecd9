import type { CheckResult } from '#shared/domain/tax-record-fields.ts';
import { type CheckColumns, isPending, unchecked } from '#server/record-cards/verification-state.ts';
import type { RecordRow } from '../queries.ts';

/** Who writes a record: its owner by the own calls, or the office by the calls for admins. */
export type RecordAuthor = 'user' | 'admin';

const REPORTED_COLUMNS = ['amountSen', 'status', 'dueDate', 'paymentDate', 'proofFile'] as const;
/** Whose payment it is: a check of one object must not become a receipt of another. */
const IDENTITY_COLUMNS = ['name', 'address', 'sptNumber'] as const;
/** What a report says, and what the office compares with its books. */
type Reported = Pick<RecordRow, (typeof REPORTED_COLUMNS)[number] | (typeof IDENTITY_COLUMNS)[number]>;

/** Whether a record says that something was paid (R-CHECK-1). */
const isReport = ({ status, proofFile }: Reported): boolean => status !== 'belum_lunas' || proofFile !== null;

/** The office may correct a name after its check; when a user does, the office has to look again. */
function isSameReport(before: Reported, after: Reported, by: RecordAuthor): boolean {
  const columns = by === 'user' ? [...REPORTED_COLUMNS, ...IDENTITY_COLUMNS] : REPORTED_COLUMNS;
  return columns.every((column) => before[column] === after[column]);
}

/**
 * The columns about reports and checks after a record was written; every path that writes a record takes them from here
 * (R-CHECK-3, R-CHECK-4).
 * @param before null for a new record
 */
export function columnsAfterChange(
  before: (CheckColumns & Reported) | null,
  after: Reported,
  by: RecordAuthor,
  nowMs: number,
): CheckColumns {
  const columns = pickColumns(before ?? unchecked);
  if (before !== null && isSameReport(before, after, by)) return columns;
  if (by === 'user') {
    if (!isReport(after)) return unchecked;
    // The clock may have been set back since the check: the report is the newer one all the same.
    return { ...columns, reportedAt: Math.max(nowMs, (columns.checkedAt ?? 0) + 1) };
  }
  return {
    ...columns,
    reportedAt: isReport(after) ? columns.reportedAt : null,
    changedSinceCheck: columns.checkResult !== null,
  };
}

/** A check answers a report: without one there is nothing to check. */
export const canCheck = ({ reportedAt }: CheckColumns): boolean => reportedAt !== null;

export function columnsAfterCheck(
  before: CheckColumns,
  check: { result: CheckResult; reason: string | null; byName: string },
  nowMs: number,
): CheckColumns {
  return {
    reportedAt: before.reportedAt,
    checkResult: check.result,
    checkedAt: Math.max(nowMs, before.reportedAt ?? 0, before.checkedAt ?? 0),
    checkedByName: check.byName,
    // Only a rejection has a reason: what was typed before 'Cocok' was chosen is not kept.
    checkReason: check.result === 'rejected' ? check.reason : null,
    changedSinceCheck: false,
  };
}

/** A report that came after the check is not checked, so there is nothing to take back. */
export const canUndo = (columns: CheckColumns): boolean => columns.checkResult !== null && !isPending(columns);

/** The report waits again. */
export function columnsAfterUndo({ reportedAt }: CheckColumns): CheckColumns {
  return { ...unchecked, reportedAt };
}

function pickColumns(row: CheckColumns): CheckColumns {
  const { reportedAt, checkResult, checkedAt, checkedByName, checkReason, changedSinceCheck } = row;
  return { reportedAt, checkResult, checkedAt, checkedByName, checkReason, changedSinceCheck };
}
