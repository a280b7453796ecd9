import type { ListField } from '#shared/domain/dhkp/list-fields.ts';

/** The reading of a list of the tax office, from the file to its rows. */

export type ProblemCode =
  | 'nop_lost'
  | 'nop_length'
  | 'nop_missing'
  | 'nop_invalid'
  | 'nop_double'
  | 'amount_missing'
  | 'amount_invalid'
  | 'amount_negative'
  | 'amount_range';
/** `text`: what stands in the cell; `message`: what is said about it. */
export type CellNote = { code: string; field: ListField | null; text: string; message: string };
/** Money in whole sen; dates yyyy-mm-dd; null: empty or not readable (then a warning says so). */
export type ListValues = {
  name: string | null;
  payer_address: string | null;
  object_address: string | null;
  land_m2: number | null;
  building_m2: number | null;
  njop_sen: number | null;
  amount_sen: number | null;
  amount_changed_sen: number | null;
  due_date: string | null;
  paid_on: string | null;
  paid_amount_sen: number | null;
  paid_fine_sen: number | null;
  paid_place: string | null;
  is_paid: boolean | null;
  old_number: string | null;
  book: string | null;
  dusun: string | null;
  rt: string | null;
  rw: string | null;
  collector: string | null;
  year: number | null;
};
export type ListRow = {
  sheet: string;
  row: number;
  nop: string | null;
  values: ListValues;
  isOtherVillage: boolean;
  problems: CellNote[];
  warnings: CellNote[];
};
export type ListSheet = {
  index: number;
  name: string;
  hidden: boolean;
  rows: number;
  header_row: number | null;
  used: boolean;
};
export type ListTotal = {
  label: string;
  sheet: string;
  row: number;
  objects: number | null;
  amount_sen: number | null;
};
export type ListNote = { code: string; sheet: string; row: number | null; message: string };
export type ListColumns = Partial<Record<ListField, number>>;
export type ReadChoices = {
  year: number;
  sheets?: number[];
  headerRow?: number;
  columns?: ListColumns;
  prefix?: string | null;
  multiplier?: 1 | 1000;
  useChanged?: boolean;
  includeOtherVillage?: boolean;
  rememberedLayouts?: RememberedLayout[];
};
export type RememberedLayout = { headers: string[]; headerRow: number; columns: ListColumns };
export type ListRead = {
  sheets: ListSheet[];
  columns: ListColumns;
  headers: string[];
  headerRow: number | null;
  unknownHeaders: string[];
  prefix: string | null;
  multiplier: 1 | 1000 | null;
  needsMapping: boolean;
  rows: ListRow[];
  totals: ListTotal[];
  warnings: ListNote[];
};
export type ReadOutcome = { ok: true; list: ListRead } | { ok: false; message: string };
