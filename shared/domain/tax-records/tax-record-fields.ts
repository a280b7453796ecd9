import type { PropertyType, RecordStatus } from './record-values.ts';

/**
 * The fields of a tax record that people fill in (docs/requirements.md R-REC-1), described once. Form parsing, request
 * schemas, storage, audit, forms, merging of edits, display and export read this list, and the compiler refuses a place
 * that leaves a field out. The list has the order of an audit entry, and of the long texts in the form, on the detail
 * page and on the receipt; these list their other fields themselves. The order of an answer is that of `answerFields` in
 * shared/api/tax-records/tax-records.ts, a second list that the compiler ties to this one.
 */

type FieldKind = 'text' | 'longText' | 'taxType' | 'propertyType' | 'year' | 'rupiah' | 'status' | 'date' | 'image';

type CommonDescription = {
  /** Property of a stored row that holds it. */
  column: string;
  label: string;
  /** Its name in the audit, which writes labels as in a sentence. */
  auditLabel: string;
  /** Whether it may be null. */
  optional: boolean;
  /** Whether a body carries it; an image arrives beside the body. */
  inBody: boolean;
  /** Whether only an admin chooses it; for a user the server sets it (R-REC-5, R-REC-6). */
  adminOnly: boolean;
  /** Whether a multipart edit without it means null. A form without a status changes no status. */
  nullWhenMissing: boolean;
  /** Whether two conflicting edits are merged field by field here; the tax type cannot differ. */
  merged: boolean;
  audited: boolean;
  /** Whether the Excel and PDF export has a column for it. */
  exported: boolean;
  /** Whether a copy for the next year has it (R-YEAR-2). */
  inCopy: boolean;
};

type FieldDescription = CommonDescription &
  (
    | { kind: Exclude<FieldKind, 'longText'>; emptyText?: never }
    | {
        kind: 'longText';
        /** Shown in its place when it is empty; only long texts have one (R-REC-16). */
        emptyText: string;
      }
  );

/** The stored value of each kind of field that is not null. */
type StoredValues = {
  text: string;
  longText: string;
  taxType: string;
  propertyType: PropertyType;
  year: number;
  /** In sen. */
  rupiah: number;
  status: RecordStatus;
  date: string;
  image: string;
};

const ordinary = {
  inBody: true,
  adminOnly: false,
  nullWhenMissing: true,
  merged: true,
  audited: true,
  exported: true,
  inCopy: true,
} as const;
const required = { ...ordinary, optional: false } as const;
const optional = { ...ordinary, optional: true } as const;

export const taxRecordFields = {
  name: { ...required, column: 'name', kind: 'text', label: 'Nama', auditLabel: 'Nama' },
  address: { ...required, column: 'address', kind: 'text', label: 'Alamat', auditLabel: 'Alamat' },
  tax_type: {
    ...required,
    column: 'taxType',
    kind: 'taxType',
    label: 'Jenis Pajak',
    auditLabel: 'Jenis pajak',
    adminOnly: true,
    merged: false,
    // Every record has the same one, so a column would only take room from the others.
    exported: false,
  },
  property_type: {
    ...optional,
    column: 'propertyType',
    kind: 'propertyType',
    label: 'Jenis Properti',
    auditLabel: 'Jenis properti',
  },
  spt_number: { ...required, column: 'sptNumber', kind: 'text', label: 'Nomor SPT', auditLabel: 'Nomor SPT' },
  year: { ...required, column: 'year', kind: 'year', label: 'Tahun', auditLabel: 'Tahun', adminOnly: true },
  amount: { ...required, column: 'amountSen', kind: 'rupiah', label: 'Jumlah', auditLabel: 'Jumlah' },
  description: {
    ...optional,
    column: 'description',
    kind: 'longText',
    label: 'Deskripsi',
    auditLabel: 'Deskripsi',
    exported: false,
    emptyText: 'Tidak ada deskripsi',
  },
  status: {
    ...required,
    column: 'status',
    kind: 'status',
    label: 'Status',
    auditLabel: 'Status',
    nullWhenMissing: false,
  },
  due_date: {
    ...optional,
    column: 'dueDate',
    kind: 'date',
    label: 'Tanggal Jatuh Tempo',
    auditLabel: 'Jatuh tempo',
  },
  payment_date: {
    ...optional,
    column: 'paymentDate',
    kind: 'date',
    label: 'Tanggal Pembayaran',
    auditLabel: 'Tanggal pembayaran',
    inCopy: false,
  },
  notes: {
    ...optional,
    column: 'notes',
    kind: 'longText',
    label: 'Catatan',
    auditLabel: 'Catatan',
    exported: false,
    inCopy: false,
    emptyText: 'Tidak ada catatan',
  },
  payment_proof: {
    ...optional,
    column: 'proofFile',
    kind: 'image',
    label: 'Bukti Pembayaran',
    auditLabel: 'Bukti pembayaran',
    inBody: false,
    nullWhenMissing: false,
    merged: false,
    exported: false,
    inCopy: false,
  },
} as const satisfies Record<string, FieldDescription>;

type Descriptions = typeof taxRecordFields;
export type TaxRecordField = keyof Descriptions;
export type KindOf<Field extends TaxRecordField> = Descriptions[Field]['kind'];
export type ColumnOf<Field extends TaxRecordField> = Descriptions[Field]['column'];

/** The fields whose description has the given properties. */
export type FieldWhere<Properties> = {
  [Field in TaxRecordField]: Descriptions[Field] extends Properties ? Field : never;
}[TaxRecordField];

export const TAX_RECORD_FIELDS = Object.keys(taxRecordFields) as readonly TaxRecordField[];

/** The fields whose description has the given properties, in the order of the list. */
export function fieldsWhere<const Properties extends Partial<FieldDescription>>(
  properties: Properties,
): readonly FieldWhere<Properties>[] {
  const keys = Object.keys(properties) as (keyof FieldDescription)[];
  return TAX_RECORD_FIELDS.filter((field): field is FieldWhere<Properties> => {
    const description: FieldDescription = taxRecordFields[field];
    return keys.every((key) => description[key] === properties[key]);
  });
}

export const BODY_FIELDS = fieldsWhere({ inBody: true });
export const LONG_TEXT_FIELDS = fieldsWhere({ kind: 'longText' });
export const COPIED_FIELDS = fieldsWhere({ inCopy: true });

export type BodyField = FieldWhere<{ inBody: true }>;
export type OptionalField = FieldWhere<{ optional: true }>;
export type LongTextField = FieldWhere<{ kind: 'longText' }>;
export type CopiedField = FieldWhere<{ inCopy: true }>;

/** The columns of some fields with their stored values. */
export type StoredColumns<Fields extends TaxRecordField> = {
  [Field in Fields as ColumnOf<Field>]:
    | StoredValues[KindOf<Field>]
    | (Descriptions[Field]['optional'] extends true ? null : never);
};

/**
 * An object with `valueOf(field)` for each of `fields`. The compiler checks that each value fits some field; that the
 * fields are complete is up to the caller, who passes a list of `fieldsWhere`.
 */
export function mapFields<Values extends object>(
  fields: readonly (keyof Values)[],
  valueOf: (field: keyof Values) => Values[keyof Values],
): Values {
  return Object.fromEntries(fields.map((field) => [field, valueOf(field)])) as Values;
}

/** As `mapFields`, with the columns of the fields as keys. */
export function mapColumns<Field extends TaxRecordField, Values extends Record<ColumnOf<Field>, unknown>>(
  fields: readonly Field[],
  valueOf: (field: Field) => Values[ColumnOf<Field>],
): Values {
  return Object.fromEntries(fields.map((field) => [taxRecordFields[field].column, valueOf(field)])) as Values;
}

/**
 * The given list, which has to name every member of `Name`: `listEvery<'a' | 'b'>()(['b', 'a'])`. A missing one is a type
 * error, so that a list in an order of its own stays complete.
 */
export function listEvery<Name extends string>() {
  return <const List extends readonly Name[]>(
    list: List & ([Exclude<Name, List[number]>] extends [never] ? unknown : { missing: Exclude<Name, List[number]> }),
  ): readonly Name[] => list;
}
