import type { ListField } from '#shared/domain/dhkp/list-fields.ts';

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

/** `text`: the cell as it was; `message`: Indonesian, with what to do. The codes of problems are `ProblemCode`. */
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

/** `row`: as the spreadsheet shows it; in text the line where the row begins. */
export type ListRow = {
  sheet: string;
  row: number;
  nop: string | null;
  values: ListValues;
  /** Its first ten digits are another village's, and rows of other villages were not asked for. */
  isOtherVillage: boolean;
  problems: CellNote[];
  warnings: CellNote[];
};

/** Whether the tax office says that it was paid; no date and no amount are invented. */
export function hasPayment({ values }: Pick<ListRow, 'values'>): boolean {
  return values.paid_on !== null || (values.paid_amount_sen ?? 0) > 0 || values.is_paid === true;
}

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

/** Zero-based columns. */
export type ListColumns = Partial<Record<ListField, number>>;

export type RememberedLayout = { headers: string[]; headerRow: number; columns: ListColumns };

export type ReadChoices = {
  year: number;
  sheets?: number[];
  headerRow?: number;
  columns?: ListColumns;
  /** Ten digits: chosen, or the office's setting. */
  prefix?: string | null;
  multiplier?: 1 | 1000;
  useChanged?: boolean;
  includeOtherVillage?: boolean;
  rememberedLayouts?: RememberedLayout[];
};

export type ListRead = {
  sheets: ListSheet[];
  /** Columns, headers and header row of the first sheet that is used. */
  columns: ListColumns;
  headers: string[];
  headerRow: number | null;
  unknownHeaders: string[];
  /** The texts of the first rows below the header, by column, so that a person sees what a column holds. */
  samples: string[][];
  /** Ten digits: as chosen, else those that most rows share. */
  prefix: string | null;
  /** null: the header speaks of thousands, and an admin must choose. */
  multiplier: 1 | 1000 | null;
  /** The columns were not recognised for certain, or the multiplier must be said; then there are no rows. */
  needsMapping: boolean;
  /** The NOPs of a file in which every row that counts has a payment; null for all other files. */
  paidNops: string[] | null;
  rows: ListRow[];
  /** The control totals only. */
  totals: ListTotal[];
  warnings: ListNote[];
};

/** `message`: why the file cannot be read, in Indonesian. */
export type ReadOutcome = { ok: true; list: ListRead } | { ok: false; message: string };
