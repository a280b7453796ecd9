/**
 * The values that some fields of a tax record may have. Apart from `tax-record-fields.ts`, because the first page of a user
 * needs no description of the fields.
 */

export const RECORD_STATUSES = ['lunas', 'belum_lunas', 'proses'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];
/** The results of a check of a reported payment (R-CHECK-2). */
export const CHECK_RESULTS = ['matched', 'rejected'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];
/**
 * The source of an amount: a person, a new-year copy (plus 10 %) that nobody has confirmed, or the office's list
 * (R-YEAR-11).
 */
export const AMOUNT_SOURCES = ['typed', 'estimate', 'office'] as const;
export type AmountSource = (typeof AMOUNT_SOURCES)[number];
export const PROPERTY_TYPES = ['rumah_tinggal', 'kantor', 'gudang', 'lahan_kosong', 'toko', 'pabrik'] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];
/** The only tax type. */
export const TAX_TYPE = 'PBB';
