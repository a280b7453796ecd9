/** A list with amounts, or one that only says what was paid. */
export const BATCH_KINDS = ['list', 'payments'] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

export const BATCH_STATES = ['reading', 'mapping', 'ready', 'applying', 'applied', 'reverted', 'failed'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** The rows of a preview by what applying them does; `warning` asks for those of the others that have one. */
export const ROW_FILTERS = ['new', 'changed', 'same', 'gone', 'problem', 'warning', 'other_village', 'total'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

/** The findings of the office about an object of the list. */
export const OBJECT_CONDITIONS = ['ok', 'not_found', 'double', 'wrong_name'] as const;
export type ObjectCondition = (typeof OBJECT_CONDITIONS)[number];
export const conditionLabels: Record<ObjectCondition, string> = {
  ok: 'Sesuai',
  not_found: 'Tidak ditemukan',
  double: 'Objek ganda',
  wrong_name: 'Nama salah',
};

/** Payment as the filter of the list asks for it. */
export const PAID_FILTERS = ['no', 'held', 'deposited', 'authority'] as const;

/** A user's request to link an object. One that its user withdrew is deleted. */
export const CLAIM_STATES = ['open', 'approved', 'rejected'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];
