import { mapCheckedParts, stateOfPart } from '#shared/domain/tax-records/checked-sums.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import type { RecordRow } from './factories.ts';

/** Sums in the server's format, made slowly row by row, so that tests can compare them with those of the queries. */

export const naiveSum = (rows: readonly RecordRow[]) => ({
  count: rows.length,
  amount: senSumToRupiah(rows.reduce((sum, { amountSen }) => sum + BigInt(amountSen), 0n)),
});

export const isPaidRow = ({ status }: RecordRow): boolean => status === 'lunas';

/** Sums of the paid ones of the rows, divided by what the office knows of them. */
export const naiveChecked = (rows: readonly RecordRow[]) =>
  mapCheckedParts((part) => naiveSum(rows.filter((row) => isPaidRow(row) && row.checkState === stateOfPart(part))));

/** The paid ones of the rows. */
export const naivePaid = (rows: readonly RecordRow[]) => ({
  ...naiveSum(rows.filter(isPaidRow)),
  checked: naiveChecked(rows),
});

/** @param rows only overdue ones */
export const naiveOverdue = (rows: readonly RecordRow[]) => ({
  ...naiveSum(rows),
  estimated: naiveSum(rows.filter(({ amountSource }) => amountSource === 'estimate')),
});
