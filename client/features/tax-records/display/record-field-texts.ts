import { formatRupiah, showDate } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import {
  LONG_TEXT_FIELDS,
  type LongTextField,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { propertyLabel, statusLabel } from './record-labels.ts';

/** The text for the value of a field in a record, an audit entry or a form; '(kosong)' for an empty value. */
export function formatRecordValue(field: TaxRecordField, value: string | number | boolean | null): string {
  const { kind } = taxRecordFields[field];
  if (kind === 'propertyType') return propertyLabel(value === null ? null : String(value));
  if (value === null || value === '') return '(kosong)';
  if (kind === 'rupiah') return formatRupiah(Number(value));
  if (kind === 'status') return statusLabel(String(value));
  if (field === 'spt_number') return formatSptNumber(String(value));
  return kind === 'date' ? showDate(String(value)) : String(value);
}

/** The text for a field on the record's page and on its receipt, where a missing date is '-'. */
export function recordText(record: TaxRecord, field: TaxRecordField): string {
  return taxRecordFields[field].kind === 'date' && record[field] === null
    ? showDate(null)
    : formatRecordValue(field, record[field]);
}

/** The long texts with their labels; an empty text is replaced by its placeholder. */
export function longTextRows(record: Pick<TaxRecord, LongTextField>): { label: string; value: string }[] {
  return LONG_TEXT_FIELDS.map((field) => {
    const { label, emptyText } = taxRecordFields[field];
    return { label, value: record[field] || emptyText };
  });
}
