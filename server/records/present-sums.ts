import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import { mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';
import { senSumToRupiah } from '../db/sen-sums.ts';
import { type OverdueSum, type PaidSum, type RecordSum, totalOf } from './record-sum-queries.ts';

/** Sums as the answers show them, in rupiah. */

export const presentSum = ({ count, sen }: RecordSum) => ({ count, amount: senSumToRupiah(sen) });

/** A sum of paid money, divided by what the office knows of it (R-CHECK-30). */
export const presentChecked = (paid: PaidSum): CheckedSums => mapCheckedParts((part) => presentSum(paid[part]));

export const presentPaid = (paid: PaidSum) => ({ ...presentSum(totalOf(paid)), checked: presentChecked(paid) });

export const presentOverdue = ({ all, estimated }: OverdueSum) => ({
  ...presentSum(all),
  estimated: presentSum(estimated),
});
