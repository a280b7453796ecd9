import type { AmountSource, RecordStatus } from './record-values.ts';
import type { TaxRecordField } from './tax-record-fields.ts';

/** The fields of a record for which the list of the office has a value (R-DHKP-34). */
export const ASSESSED_FIELDS = ['name', 'address', 'amount', 'due_date'] as const satisfies readonly TaxRecordField[];
export type AssessedField = (typeof ASSESSED_FIELDS)[number];

/** Those that are compared with it: people and lists write the same name and address differently. */
export const COMPARED_FIELDS = ['amount', 'due_date'] as const satisfies readonly AssessedField[];
export type ComparedField = (typeof COMPARED_FIELDS)[number];

/** The values of a record that decide whether linking may replace others. */
type Decided = { status: RecordStatus; hasProof: boolean; amountSource: AmountSource; dueDate: string | null };

/** No value of a record that is paid or has a proof gives way to one of the list. */
export const isSettled = ({ status, hasProof }: Pick<Decided, 'status' | 'hasProof'>): boolean =>
  status === 'lunas' || hasProof;

/** The fields that hold an estimate or nothing, which linking replaces without asking (R-DHKP-34). */
export function unchosenFields(record: Decided): AssessedField[] {
  if (isSettled(record)) return [];
  return [
    ...(record.amountSource === 'estimate' ? (['amount'] as const) : []),
    ...(record.dueDate === null ? (['due_date'] as const) : []),
  ];
}
