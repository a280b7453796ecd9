import { z } from 'zod';
import { mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';

/** A number of records and the sum of their amounts in rupiah. */
export const recordSum = z.object({ count: z.number().int(), amount: z.number() });
/** A sum of paid money by the result of the check; the parts add up to it (R-CHECK-30). */
export const checkedSums = z.object(mapCheckedParts(() => recordSum)).meta({ id: 'JumlahPencocokan' });
export type CheckedSums = z.infer<typeof checkedSums>;
export const paidSum = recordSum.extend({ checked: checkedSums });
/** `estimated`: the part of it whose amount nobody has confirmed yet (R-YEAR-11). */
export const overdueSum = recordSum.extend({ estimated: recordSum });
