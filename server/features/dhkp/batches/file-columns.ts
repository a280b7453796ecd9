import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import { placeKey } from '#server/areas/area-places.ts';
import type { StoredCell, StoredCells } from '#server/db/dhkp-columns.ts';
import type { ListValues } from '../reading/list-reading.ts';
import type { AssessmentRow } from '../assessment-queries.ts';

/** The columns of an assessment that come from a file, by the field of the file. */
export const FILE_COLUMNS = {
  name: 'name',
  payer_address: 'payerAddress',
  object_address: 'objectAddress',
  land_m2: 'landM2',
  building_m2: 'buildingM2',
  njop: 'njopSen',
  amount: 'amountSen',
  due_date: 'dueDate',
  old_number: 'oldNumber',
  book: 'fileBook',
  dusun: 'dusun',
  rt: 'rt',
  rw: 'rw',
  collector: 'fileCollector',
} as const satisfies Partial<Record<ListField, keyof AssessmentRow>>;
export type FileField = keyof typeof FILE_COLUMNS;
export const FILE_FIELDS = Object.keys(FILE_COLUMNS) as FileField[];

export const PAYMENT_COLUMNS = {
  paid_on: 'paidOn',
  paid_amount: 'paidAmountSen',
  paid_fine: 'paidFineSen',
  paid_place: 'paidPlace',
} as const satisfies Partial<Record<ListField, keyof AssessmentRow>>;
export type PaymentField = keyof typeof PAYMENT_COLUMNS;
export const PAYMENT_FIELDS = Object.keys(PAYMENT_COLUMNS) as PaymentField[];

/** The fields whose stored values are sen, and rupiah in answers. */
export const MONEY_FIELDS: ReadonlySet<string> = new Set<ListField>([
  'njop',
  'amount',
  'amount_changed',
  'paid_amount',
  'paid_fine',
]);

/** The values of a row as the reading gives them, keyed as the columns. */
export function cellsOf(values: ListValues) {
  const { njop_sen, amount_sen, amount_changed_sen, paid_amount_sen, paid_fine_sen, is_paid, ...others } = values;
  return {
    ...others,
    njop: njop_sen,
    amount: amount_sen,
    amount_changed: amount_changed_sen,
    paid_amount: paid_amount_sen,
    paid_fine: paid_fine_sen,
    paid_flag: is_paid,
  } satisfies StoredCells;
}

/** The values of the list about an object, keyed as the columns of a file. */
export function cellsOfAssessment(row: AssessmentRow): StoredCells {
  const columns = { ...FILE_COLUMNS, ...PAYMENT_COLUMNS };
  const cells = Object.fromEntries(
    Object.entries(columns).map(([field, column]): [string, StoredCell] => [field, row[column]]),
  );
  return { ...cells, paid_flag: row.paidBatchId !== null, listed: row.isListed };
}

/** The columns of an assessment that some fields of a file decide. */
export function fileColumnsOf(cells: StoredCells, fields: readonly string[]): Partial<AssessmentRow> {
  return Object.fromEntries(
    FILE_FIELDS.filter((field) => fields.includes(field)).map((field) => [FILE_COLUMNS[field], cells[field] ?? null]),
  );
}

export function paymentColumnsOf(cells: StoredCells, fields: readonly string[]): Partial<AssessmentRow> {
  return Object.fromEntries(
    PAYMENT_FIELDS.filter((field) => fields.includes(field)).map((field) => [
      PAYMENT_COLUMNS[field],
      cells[field] ?? null,
    ]),
  );
}

/** An assessment whose place key agrees with its columns. */
export const withPlaceKey = <Row extends Pick<AssessmentRow, 'dusun' | 'rw' | 'rt'>>(row: Row) => ({
  ...row,
  placeKey: placeKey({ dusun: row.dusun, rw: row.rw, rt: row.rt }),
});
