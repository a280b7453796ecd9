import { formatRupiah, showDate } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import {
  LONG_TEXT_FIELDS,
  type LongTextField,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-record-fields.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels, UNKNOWN_STATUS_LABEL } from '#shared/labels.ts';

/** Names a record in the accessible name of a button, because every row has the same buttons. */
export function recordLabel({ name, spt_number, year }: Pick<TaxRecord, 'name' | 'spt_number' | 'year'>): string {
  return `${name}, ${spt_number}, ${year}`;
}

/** The label of a status. A value from the server or the URL may be any text. */
export function statusLabel(status: string): string {
  return Object.hasOwn(statusLabels, status) ? statusLabels[status as keyof typeof statusLabels] : UNKNOWN_STATUS_LABEL;
}

export function propertyLabel(type: string | null): string {
  if (type === null || !Object.hasOwn(propertyTypeLabels, type)) return NO_PROPERTY_TYPE_LABEL;
  return propertyTypeLabels[type as keyof typeof propertyTypeLabels];
}

/** The text for the value of a field in a record, an audit entry or a form; '(kosong)' for an empty value. */
export function formatRecordValue(field: TaxRecordField, value: string | number | boolean | null): string {
  const { kind } = taxRecordFields[field];
  if (kind === 'propertyType') return propertyLabel(value === null ? null : String(value));
  if (value === null || value === '') return '(kosong)';
  if (kind === 'rupiah') return formatRupiah(Number(value));
  if (kind === 'status') return statusLabel(String(value));
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

/** Said to a payment date that is a slip of typing; the server takes any date. */
export const PAYMENT_AFTER_TODAY = 'Tanggal pembayaran tidak boleh setelah hari ini';
