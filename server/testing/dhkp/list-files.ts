import { createRequire } from 'node:module';
import { type BookType, type CellObject, utils, type WorkSheet, write } from 'xlsx';

/** A cell of a test file; `{ error: 0x17 }` is `#REF!`. */
export type TestCell =
  | string
  | number
  | boolean
  | null
  | { formula: string; value?: string | number }
  | { error: number };

export type TestSheet = {
  name: string;
  rows: TestCell[][];
  /** References such as `E6:F6`. */
  merges?: string[];
  hidden?: boolean;
  /** Zero-based. */
  hiddenRows?: number[];
};

export const BINARY_TYPES = ['xlsx', 'xlsm', 'xlsb', 'biff8', 'ods'] as const satisfies BookType[];
export type BinaryType = (typeof BINARY_TYPES)[number];

/** A spreadsheet as another program writes it: SheetJS, of which nothing is in the product. */
export function writeSpreadsheet(
  type: BinaryType | 'html',
  sheets: TestSheet[],
  options: { date1904?: boolean; sharedTexts?: boolean } = {},
): Buffer {
  const book = utils.book_new();
  for (const sheet of sheets) utils.book_append_sheet(book, toWorkSheet(sheet), sheet.name);
  book.Workbook = {
    Sheets: sheets.map(({ name, hidden = false }) => ({ name, Hidden: hidden ? 1 : 0 })),
    WBProps: { date1904: options.date1904 ?? false },
  };
  return Buffer.from(
    write(book, {
      type: 'buffer',
      bookType: type,
      compression: true,
      bookSST: options.sharedTexts ?? true,
    }) as Uint8Array,
  );
}

function toWorkSheet({ rows, merges = [], hiddenRows = [] }: TestSheet): WorkSheet {
  const sheet: WorkSheet = {};
  let width = 1;
  for (const [row, cells] of rows.entries()) {
    width = Math.max(width, cells.length);
    for (const [column, cell] of cells.entries())
      if (cell !== null) sheet[utils.encode_cell({ r: row, c: column })] = toCell(cell);
  }
  sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: Math.max(0, rows.length - 1), c: width - 1 } });
  sheet['!merges'] = merges.map((range) => utils.decode_range(range));
  if (hiddenRows.length > 0) sheet['!rows'] = rows.map((_, row) => ({ hidden: hiddenRows.includes(row) }));
  return sheet;
}

function toCell(cell: Exclude<TestCell, null>): CellObject {
  if (typeof cell === 'string') return { t: 's', v: cell };
  if (typeof cell === 'number') return { t: 'n', v: cell };
  if (typeof cell === 'boolean') return { t: 'b', v: cell };
  if ('error' in cell) return { t: 'e', v: cell.error };
  const { formula, value } = cell;
  if (value === undefined) return { t: 'n', f: formula };
  return typeof value === 'number' ? { t: 'n', v: value, f: formula } : { t: 's', v: value, f: formula };
}

type Compound = { FullPaths: string[] };
type CompoundFiles = {
  utils: { cfb_new: () => Compound; cfb_add: (file: Compound, name: string, content: Buffer) => void };
  write: (file: Compound, options: { type: 'buffer' }) => Uint8Array;
};
/** Node does not see this export of a CommonJS module. */
const { CFB: compoundFiles } = createRequire(import.meta.url)('xlsx') as { CFB: CompoundFiles };

/** A container such as .xls, .doc and locked .xlsx files are. */
export function writeCompoundFile(streams: Record<string, Buffer>): Buffer {
  const file = compoundFiles.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) compoundFiles.utils.cfb_add(file, name, content);
  return Buffer.from(compoundFiles.write(file, { type: 'buffer' }));
}
