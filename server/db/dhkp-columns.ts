import type { BatchKind } from '#shared/domain/dhkp/list-states.ts';
import type { ListField } from '#shared/domain/dhkp/list-fields.ts';

/** The JSON columns of the office's list, as they are stored. Money is whole sen. */

type Columns = Partial<Record<ListField, number>>;

/** `objects`, `amountSen`: null where the paper does not say it. */
export type StoredTypedControl = {
  objects: number | null;
  amountSen: number | null;
  books: { book: number; objects: number | null; amountSen: number | null }[];
};
export type StoredChoices = {
  kind?: BatchKind;
  sheets?: number[];
  headerRow?: number;
  columns?: Columns;
  prefix?: string | null;
  multiplier?: 1 | 1000;
  useChanged?: boolean;
  complete?: boolean;
  includeOtherVillage?: boolean;
  control?: StoredTypedControl | null;
};
export type StoredFindings = {
  sheets: {
    index: number;
    name: string;
    hidden: boolean;
    rows: number;
    header_row: number | null;
    used: boolean;
  }[];
  columns: Columns;
  headers: string[];
  headerRow: number | null;
  unknownHeaders: string[];
  samples: string[][];
  prefix: string | null;
  multiplier: 1 | 1000 | null;
  totals: { label: string; sheet: string; row: number; objects: number | null; amountSen: number | null }[];
  warnings: { code: string; sheet: string; row: number | null; message: string }[];
};
export type StoredBatchCounts = Record<
  'new' | 'changed' | 'same' | 'gone' | 'problem' | 'warning' | 'other_village',
  number
>;
/** Sums of sen are texts, because they may be larger than a number can hold. */
export type StoredComputed = {
  objects: number;
  sen: string;
  books: { book: number | null; objects: number; sen: string }[];
  sheets: { sheet: string; objects: number; sen: string }[];
};

/** A note at a cell, as `CellNote` of the reading. */
export type StoredNote = { code: string; field: ListField | null; text: string; message: string };
export type StoredCell = string | number | boolean | null;
/** The values of a row, keyed as the columns; amounts in sen. */
export type StoredCells = Partial<Record<ListField | 'listed', StoredCell>>;
export type StoredRowData = {
  sheet: string;
  row: number | null;
  /** The assessment that the row changes, or that it makes. */
  assessmentId: string | null;
  values: StoredCells;
  before: StoredCells | null;
  differences: string[];
  problems: StoredNote[];
  warnings: StoredNote[];
};
