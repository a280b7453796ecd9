import type { CheckResult } from '#shared/domain/tax-records/record-values.ts';
import { type CheckColumns, checkStateOf, type StoredCheck, unchecked } from '#server/records/verification-state.ts';
import type { RecordRow } from '../queries.ts';

/** The author of a change: the record's owner by the own calls, or an admin by the calls for admins. */
export type RecordAuthor = 'user' | 'admin';

/** One write of a record. */
export type Writing = {
  by: RecordAuthor;
  /** The name of that account, kept with a check. */
  byName: string;
  nowMs: number;
  /** Puts back what was stored before: it is no new act of the office. */
  isUndo?: boolean;
};

const REPORTED_COLUMNS = ['amountSen', 'status', 'dueDate', 'paymentDate', 'proofFile'] as const;
/** The columns that name what is paid: a check of one object or year must not become a receipt of another. */
const IDENTITY_COLUMNS = ['name', 'address', 'sptNumber', 'year'] as const;
/** The columns that a report states and that the office compares with its books. */
type Reported = Pick<RecordRow, (typeof REPORTED_COLUMNS)[number] | (typeof IDENTITY_COLUMNS)[number]>;

/** Whether a record says that something was paid (R-CHECK-1). */
const isReport = ({ status, proofFile }: Reported): boolean => status !== 'belum_lunas' || proofFile !== null;

export type Payment = Pick<RecordRow, 'status' | 'paymentDate'>;
export const isSamePayment = (a: Payment, b: Payment): boolean =>
  a.status === b.status && a.paymentDate === b.paymentDate;
type BeforeChange = NonNullable<CheckColumns['beforeChange']>;
const NOTHING_REPLACED = { statusBeforeCheck: null, paymentDateBeforeCheck: null, beforeChange: null };

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
  { by, byName, nowMs, isUndo = false }: Writing,
): CheckColumns {
  const columns = pickColumns(before ?? unchecked);
  if (before !== null && isSameReport(before, after, by)) return columns;
  if (by === 'user') {
    const taken = isUndo && before !== null ? findReplacedByReport(before, after) : null;
    if (taken !== null) return withState({ ...columns, ...pickReport(taken), beforeChange: null });
    if (!isReport(after)) return unchecked;
    // The clock may have been set back since the check: the report is the newer one all the same.
    const reportedAt = Math.max(nowMs, (columns.checkedAt ?? 0) + 1);
    const beforeChange = before === null ? null : beforeReportOf(before, after);
    return withState({ ...columns, reportedAt, ...NOTHING_REPLACED, beforeChange });
  }
  const replaced = isUndo ? findPutBack(columns, after) : null;
  if (replaced !== null) return withState({ ...columns, ...pickReport(replaced), beforeChange: null });
  if (!isUndo && before?.checkState === 'pending' && before.status !== 'lunas' && after.status === 'lunas') {
    return columnsAfterCheck(before, after, { result: 'matched', reason: null, byName }, nowMs);
  }
  // The office has ended the checked report before, so what it says to be paid now is its own word.
  const isOfficesOwn = columns.reportedAt === null && isReport(after);
  return withState({
    ...columns,
    reportedAt: isReport(after) ? columns.reportedAt : null,
    changedSinceCheck: columns.checkResult !== null && !isOfficesOwn,
    ...NOTHING_REPLACED,
    beforeChange: before !== null && isPaymentAlone(before, after) ? beforeChangeOf(before) : null,
  });
}

/**
 * An undo of the office puts back what its change replaced, if it names the payment of that time; a claim stays a claim
 * (R-CHECK-44). Each side undoes only its own change.
 */
export function findPutBack({ beforeChange }: Pick<CheckColumns, 'beforeChange'>, payment: Payment) {
  if (beforeChange === null || beforeChange.ownerProof !== undefined) return null;
  return isSamePayment(beforeChange, payment) ? beforeChange : null;
}

/** An undo of the owner puts back what the report replaced, if nothing else differs and its photo goes with it. */
function findReplacedByReport(before: CheckColumns & Reported, after: Reported): BeforeChange | null {
  const { beforeChange } = before;
  if (beforeChange === null || !isSamePayment(beforeChange, after) || !isReportAlone(before, after)) return null;
  return beforeChange.ownerProof === after.proofFile ? beforeChange : null;
}

/** Whether nothing but the payment and the photo differs. */
function isReportAlone(before: Reported, after: Reported): boolean {
  const { status, paymentDate, proofFile } = before;
  return isSameReport(before, { ...after, status, paymentDate, proofFile }, 'user');
}

/** The state that an undo of the report puts back; null when it replaced a photo, or changed anything else. */
function beforeReportOf(before: CheckColumns & Reported, after: Reported): BeforeChange | null {
  const isProofKept = before.proofFile === null || before.proofFile === after.proofFile;
  if (!isProofKept || !isReportAlone(before, after)) return null;
  // The status and the photo of one report may come apart (R-REC-30).
  if (isSamePayment(before, after) && before.beforeChange?.ownerProof === null) return before.beforeChange;
  return { ...beforeChangeOf(before), ownerProof: before.proofFile };
}

function isPaymentAlone(before: Reported, after: Reported): boolean {
  return isSameReport(before, { ...after, status: before.status, paymentDate: before.paymentDate }, 'admin');
}

const pickReport = (row: BeforeChange) => ({
  reportedAt: row.reportedAt,
  changedSinceCheck: row.changedSinceCheck,
  statusBeforeCheck: row.statusBeforeCheck,
  paymentDateBeforeCheck: row.paymentDateBeforeCheck,
});

const beforeChangeOf = (row: BeforeChange): BeforeChange => ({
  status: row.status,
  paymentDate: row.paymentDate,
  ...pickReport(row),
});

/**
 * Whether a write of the office matched a report by setting its record to 'lunas' (R-CHECK-41). The owner's undo of a report
 * may put back an earlier match, which is no new one.
 */
export const wasMatched = (before: CheckColumns, after: CheckColumns): boolean =>
  before.checkState === 'pending' && after.checkState === 'matched' && before.checkedAt !== after.checkedAt;

/** A check answers a report: without one there is nothing to check. */
export const canCheck = ({ reportedAt }: CheckColumns): boolean => reportedAt !== null;

/** @param after the payment that the same act stores */
export function columnsAfterCheck(
  before: CheckColumns & Payment,
  after: Payment,
  check: { result: CheckResult; reason: string | null; byName: string },
  nowMs: number,
): CheckColumns {
  return withState({
    reportedAt: before.reportedAt,
    checkResult: check.result,
    checkedAt: Math.max(nowMs, before.reportedAt ?? 0, before.checkedAt ?? 0),
    checkedByName: check.byName,
    // Only a rejection has a reason: what was typed before 'Cocok' was chosen is not kept.
    checkReason: check.result === 'rejected' ? check.reason : null,
    changedSinceCheck: false,
    ...NOTHING_REPLACED,
    ...(isSamePayment(before, after)
      ? {}
      : { statusBeforeCheck: before.status, paymentDateBeforeCheck: before.paymentDate }),
  });
}

/** A report that came after the check is not checked, so there is nothing to take back. */
export const canUndo = ({ checkState }: CheckColumns): boolean => checkState !== 'none' && checkState !== 'pending';

/** Whether the newest check replaced this payment in the same act. */
export const wasBeforeCheck = (
  { statusBeforeCheck, paymentDateBeforeCheck }: CheckColumns,
  payment: Payment,
): boolean =>
  statusBeforeCheck !== null &&
  isSamePayment({ status: statusBeforeCheck, paymentDate: paymentDateBeforeCheck }, payment);

/** The report waits again, with the status and the date that the check replaced in the same act. */
export function columnsAfterUndo(row: CheckColumns & Payment): CheckColumns & Payment {
  const { reportedAt, status, paymentDate, statusBeforeCheck, paymentDateBeforeCheck } = row;
  const payment =
    statusBeforeCheck === null
      ? { status, paymentDate }
      : { status: statusBeforeCheck, paymentDate: paymentDateBeforeCheck };
  return { ...payment, ...withState({ ...unchecked, reportedAt }) };
}

const withState = (columns: StoredCheck): CheckColumns => ({ ...columns, checkState: checkStateOf(columns) });

const CHECK_COLUMNS = Object.keys(unchecked) as (keyof CheckColumns)[];

function pickColumns(row: CheckColumns): CheckColumns {
  return Object.assign({}, ...CHECK_COLUMNS.map((column) => ({ [column]: row[column] })));
}
