import { parseTypedNumber, type RecordFormValues } from './record-form-values.ts';

/** What a person can change; the tax type is fixed. */
export type RecordField = Exclude<keyof RecordFormValues, 'tax_type'>;

const FIELDS = [
  'name',
  'address',
  'property_type',
  'spt_number',
  'year',
  'amount',
  'status',
  'due_date',
  'payment_date',
  'description',
  'notes',
] as const satisfies readonly RecordField[];

function comparable(values: RecordFormValues, field: RecordField): string | number | null {
  if (field === 'amount' || field === 'year') return parseTypedNumber(values[field]);
  const value = values[field];
  return typeof value === 'string' ? value.trim() : value;
}

export function sameField(a: RecordFormValues, b: RecordFormValues, field: RecordField): boolean {
  return comparable(a, field) === comparable(b, field);
}

/** A copy of `values` with one field taken from `source`. */
export function withField(values: RecordFormValues, source: RecordFormValues, field: RecordField): RecordFormValues {
  return { ...values, [field]: source[field] };
}

/**
 * Two people changed one record. Fields that only somebody else changed are taken over; what was typed here stays.
 * @param base what this form began from
 * @returns the fields to go on with, and those in which the stored and the typed record differ
 */
export function mergeRecord(base: RecordFormValues, typed: RecordFormValues, stored: RecordFormValues) {
  let values = typed;
  for (const field of FIELDS) {
    if (sameField(typed, base, field)) values = withField(values, stored, field);
  }
  return { values, differing: FIELDS.filter((field) => !sameField(typed, stored, field)) };
}
