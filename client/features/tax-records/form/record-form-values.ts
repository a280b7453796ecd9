import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { parseStrictNumber } from '#shared/domain/money/rupiah.ts';
import { type PropertyType, type RecordStatus, TAX_TYPE } from '#shared/domain/tax-records/record-values.ts';
import {
  BODY_FIELDS,
  type BodyField,
  type KindOf,
  mapFields,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { propertyTypeLabels, statusLabels } from '#shared/labels.ts';

/** The value in the input of each kind of field. */
type InputValues = {
  text: string;
  longText: string;
  taxType: string;
  propertyType: PropertyType | '';
  /** A text while it is empty or unfinished. */
  year: number | string;
  /** A text while it is empty, unfinished ('12,') or too long for a number. */
  rupiah: number | string;
  status: RecordStatus;
  date: string | null;
};

/** The value that the client sends for each kind of field. */
type SentValues = Omit<InputValues, 'longText' | 'propertyType' | 'year' | 'rupiah'> & {
  longText: string | null;
  propertyType: PropertyType | null;
  year: number | null;
  rupiah: number | null;
};

/** The values of a record's form. Year and tax type are read-only for users, but are sent too. */
export type RecordFormValues = { [Field in BodyField]: InputValues[KindOf<Field>] };
/** The values that the client sends. */
export type RecordFormBody = { [Field in BodyField]: SentValues[KindOf<Field>] };

const emptyInputs: InputValues = {
  text: '',
  longText: '',
  taxType: TAX_TYPE,
  propertyType: '',
  year: '',
  rupiah: '',
  status: 'belum_lunas',
  date: null,
};

export const emptyRecord = mapFields<RecordFormValues>(
  BODY_FIELDS,
  (field) => emptyInputs[taxRecordFields[field].kind],
);

export function recordToFormValues(record: TaxRecord): RecordFormValues {
  return mapFields<RecordFormValues>(BODY_FIELDS, (field) => record[field] ?? emptyRecord[field]);
}

/** The number that was typed; null when the text is not a number. */
export function parseTypedNumber(typed: number | string): number | null {
  return typeof typed === 'number' ? typed : parseStrictNumber(typed.replace(/\.$/, ''));
}

export function formValuesToBody(values: RecordFormValues): RecordFormBody {
  const body = mapFields<RecordFormBody>(BODY_FIELDS, (field) => {
    const { kind } = taxRecordFields[field];
    const value = values[field];
    if (kind === 'rupiah' || kind === 'year') return value === null ? null : parseTypedNumber(value);
    if (kind === 'longText') return String(value).trim() || null;
    return kind === 'propertyType' ? value || null : value;
  });
  // A payment date counts only with the status lunas (R-REC-2), whatever the input still holds.
  return values.status === 'lunas' ? body : { ...body, payment_date: null };
}

/** The status of a select's value. */
export function toRecordStatus(value: string): RecordStatus {
  return Object.hasOwn(statusLabels, value) ? (value as RecordStatus) : 'belum_lunas';
}

/** The property type of a select's value; '' for none. */
export function toPropertyType(value: string): PropertyType | '' {
  return Object.hasOwn(propertyTypeLabels, value) ? (value as PropertyType) : '';
}
