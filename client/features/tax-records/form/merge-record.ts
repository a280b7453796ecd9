import { type FieldWhere, fieldsWhere, taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { parseTypedNumber, type RecordFormValues } from './record-form-values.ts';

export type MergedField = FieldWhere<{ merged: true }>;

/** In the order of the form, where the long texts come last. */
const MERGED_FIELDS = fieldsWhere({ merged: true }).toSorted((a, b) => Number(isLongText(a)) - Number(isLongText(b)));

function isLongText(field: MergedField): boolean {
  return taxRecordFields[field].kind === 'longText';
}

/** A value as it is compared: numbers as numbers, texts without spaces around them. */
export function comparableValue(values: RecordFormValues, field: MergedField): string | number | null {
  const { kind } = taxRecordFields[field];
  const value = values[field];
  if (value !== null && (kind === 'rupiah' || kind === 'year')) return parseTypedNumber(value);
  return typeof value === 'string' ? value.trim() : value;
}

export function sameField(a: RecordFormValues, b: RecordFormValues, field: MergedField): boolean {
  return comparableValue(a, field) === comparableValue(b, field);
}

/** A copy of `values` with one field taken from `source`. */
export function withField(values: RecordFormValues, source: RecordFormValues, field: MergedField): RecordFormValues {
  return { ...values, [field]: source[field] };
}

/**
 * Merges two edits of one record. A field that only the other edit changed takes its stored value; what was typed here
 * stays.
 * @param base what this form began from
 * @returns the values to go on with, and the fields in which the stored and the typed record differ
 */
export function mergeRecord(base: RecordFormValues, typed: RecordFormValues, stored: RecordFormValues) {
  let values = typed;
  for (const field of MERGED_FIELDS) {
    if (sameField(typed, base, field)) values = withField(values, stored, field);
  }
  return { values, differing: MERGED_FIELDS.filter((field) => !sameField(typed, stored, field)) };
}
