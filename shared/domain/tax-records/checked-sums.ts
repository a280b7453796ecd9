import { totalAmount } from '../money/rupiah.ts';
import type { RecordStatus } from './record-values.ts';
import type { VerificationState } from './verification-states.ts';

/**
 * The parts of paid money by what the office knows (R-CHECK-30). It matched the report, has not checked it yet, refused it,
 * or the record was changed since the check; `office`: nobody reported it, an admin wrote it. In the order on screen.
 */
export const CHECKED_PARTS = ['matched', 'pending', 'outdated', 'rejected', 'office'] as const;
export type CheckedPart = (typeof CHECKED_PARTS)[number];

export function checkedPartOf(state: VerificationState): CheckedPart {
  return state === 'none' ? 'office' : state;
}

/** The state of the records of a part, as lists filter by it. */
export function stateOfPart(part: CheckedPart): VerificationState {
  return part === 'office' ? 'none' : part;
}

type PaidRecord = { status: RecordStatus; amount: number; verification: { state: VerificationState } };
type Parts = Record<CheckedPart, { count: number; amount: number }>;

/** Sums of the paid ones among records by what the office knows, added to `before`; amounts are rupiah. */
export function checkedSumsOf(records: readonly PaidRecord[], before?: Parts): Parts {
  return mapCheckedParts((part) => {
    const inPart = records.filter(
      ({ status, verification }) => status === 'lunas' && checkedPartOf(verification.state) === part,
    );
    const known = before?.[part] ?? { count: 0, amount: 0 };
    return { count: known.count + inPart.length, amount: totalAmount([known, ...inPart]) };
  });
}

/** An object with `valueOf(part)` for each part. */
export function mapCheckedParts<Value>(valueOf: (part: CheckedPart) => Value): Record<CheckedPart, Value> {
  return {
    matched: valueOf('matched'),
    pending: valueOf('pending'),
    outdated: valueOf('outdated'),
    rejected: valueOf('rejected'),
    office: valueOf('office'),
  };
}
