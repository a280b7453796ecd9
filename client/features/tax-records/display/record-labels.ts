import { formatRupiah, showDate } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import {
  LONG_TEXT_FIELDS,
  type LongTextField,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-record-fields.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels, UNKNOWN_STATUS_LABEL } from '#shared/texts.ts';

/** Words for values that come from outside and so may be any text. */

export function statusLabel(status: string): string {
  return Object.hasOwn(statusLabels, status) ? statusLabels[status as keyof typeof statusLabels] : UNKNOWN_STATUS_LABEL;
}

export function propertyLabel(type: string | null): string {
  if (type === null || !Object.hasOwn(propertyTypeLabels, type)) return NO_PROPERTY_TYPE_LABEL;
  return propertyTypeLabels[type as keyof typeof propertyTypeLabels];
}

/** The text of a field's value as a record, an audit entry or a form has it; '(kosong)' for an empty one. */
export function formatRecordValue(field: TaxRecordField, value: string | number | boolean | null): string {
  const { kind } = taxRecordFields[field];
  if (kind === 'propertyType') return propertyLabel(value === null ? null : String(value));
  if (value === null || value === '') return '(kosong)';
  if (kind === 'rupiah') return formatRupiah(Number(value));
  if (kind === 'status') return statusLabel(String(value));
  return kind === 'date' ? showDate(String(value)) : String(value);
}

/** The text of a record's field on its page and on paper, where a missing date is '-'. */
export function recordText(record: TaxRecord, field: TaxRecordField): string {
  return taxRecordFields[field].kind === 'date' && record[field] === null
    ? showDate(null)
    : formatRecordValue(field, record[field]);
}

/** The label and the text of a record's long texts, with what stands in their place when they are empty. */
export function longTextRows(record: Pick<TaxRecord, LongTextField>): { label: string; value: string }[] {
  return LONG_TEXT_FIELDS.map((field) => {
    const { label, emptyText } = taxRecordFields[field];
    return { label, value: record[field] || emptyText };
  });
}
