import type { PropertyType, RecordStatus, TaxRecord } from '#shared/api/tax-records.ts';
import { parseStrictNumber } from '#shared/domain/rupiah.ts';
import { propertyTypeLabels, statusLabels } from '#shared/texts.ts';

/** A record's form, as the fields hold it. Year and tax type are read-only for residents, yet part of what is sent. */
export type RecordFormValues = {
  name: string;
  address: string;
  property_type: PropertyType | '';
  spt_number: string;
  tax_type: string;
  /** A text while it is empty or unfinished. */
  year: number | string;
  /** A text while it is empty, unfinished ('12,') or too long for a number. */
  amount: number | string;
  status: RecordStatus;
  due_date: string | null;
  payment_date: string | null;
  description: string;
  notes: string;
};

/** What is sent of it. */
export type RecordFormBody = Omit<RecordFormValues, 'property_type' | 'amount' | 'year' | 'description' | 'notes'> & {
  property_type: PropertyType | null;
  amount: number | null;
  year: number | null;
  description: string | null;
  notes: string | null;
};

/** The only one on offer (specification 3). */
const TAX_TYPE = 'PBB';

export const emptyRecord: RecordFormValues = {
  name: '',
  address: '',
  property_type: '',
  spt_number: '',
  tax_type: TAX_TYPE,
  year: '',
  amount: '',
  status: 'belum_lunas',
  due_date: null,
  payment_date: null,
  description: '',
  notes: '',
};

export function recordToFormValues(record: TaxRecord): RecordFormValues {
  return {
    name: record.name,
    address: record.address,
    property_type: record.property_type ?? '',
    spt_number: record.spt_number,
    tax_type: record.tax_type,
    year: record.year,
    amount: record.amount,
    status: record.status,
    due_date: record.due_date,
    payment_date: record.payment_date,
    description: record.description ?? '',
    notes: record.notes ?? '',
  };
}

/** The amount as a number; null when nothing that is one was typed. */
export function parseTypedNumber(typed: number | string): number | null {
  return typeof typed === 'number' ? typed : parseStrictNumber(typed.replace(/\.$/, ''));
}

export function formValuesToBody(values: RecordFormValues): RecordFormBody {
  return {
    ...values,
    property_type: values.property_type === '' ? null : values.property_type,
    amount: parseTypedNumber(values.amount),
    year: parseTypedNumber(values.year),
    // Specification 4: whoever has not paid has no payment date, whatever the field still holds.
    payment_date: values.status === 'lunas' ? values.payment_date : null,
    description: values.description.trim() || null,
    notes: values.notes.trim() || null,
  };
}

/** The values that a select offers, from what it says. */
export function toRecordStatus(value: string): RecordStatus {
  return Object.hasOwn(statusLabels, value) ? (value as RecordStatus) : 'belum_lunas';
}

export function toPropertyType(value: string): PropertyType | '' {
  return Object.hasOwn(propertyTypeLabels, value) ? (value as PropertyType) : '';
}
