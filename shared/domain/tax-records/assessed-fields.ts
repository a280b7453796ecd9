import type { TaxRecordField } from './tax-record-fields.ts';

/** The fields of a record for which the list of the office has a value (R-DHKP-34). */
export const ASSESSED_FIELDS = ['name', 'address', 'amount', 'due_date'] as const satisfies readonly TaxRecordField[];
export type AssessedField = (typeof ASSESSED_FIELDS)[number];

/** Those that are compared with it: people and lists write the same name and address differently. */
export const COMPARED_FIELDS = ['amount', 'due_date'] as const satisfies readonly AssessedField[];
export type ComparedField = (typeof COMPARED_FIELDS)[number];
