import type { Cell, CellStyle, CellValue as CellValueOfSheet, WriteSheet } from 'hucre/xlsx';
import { rangeRef, writeXlsx } from 'hucre/xlsx';
import { parseCalendarDate } from '#shared/domain/dates/dates.ts';
import type {
  CellKind,
  CellValue,
  ReportCell,
  ReportColumn,
  ReportDocument,
  ReportSection,
} from './report-document.ts';
import { EMPTY_SECTION_TEXT, normalizeCell, cellText, detailsWithPrintTime, isNumericKind } from './report-document.ts';
import { wellFormed } from './well-formed.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const NUMBER_FORMATS: Record<CellKind, string> = {
  // Excel's text format. A text that starts with = + - @ stays text even after the cell is edited.
  text: '@',
  rupiah: '"Rp" #,##0',
  integer: '#,##0',
  year: '0',
  percent: '0.0%',
  // 421 is Indonesian: month names do not follow the language of the computer that opens the file.
  date: '[$-421]d mmmm yyyy',
};
const DEFAULT_WIDTHS: Record<CellKind, number> = { text: 14, rupiah: 20, integer: 8, year: 8, percent: 10, date: 20 };
const TEXT_WIDTH_MAX = 48;
const CELL_TEXT_MAX = 32_767;
const SHEET_NAME_MAX = 31;
const ROW_HEIGHT_POINTS = 15;

const TITLE_ROW = 1;
const DETAILS_ROW = 2;
const HEADER_ROW = 4;
/** A shorter table is visible as a whole and needs no filter buttons. */
const AUTO_FILTER_MIN_ROWS = 10;

const borderLine = (style: 'thin' | 'double') => ({ style, color: { rgb: '5C6470' } }) as const;
/** Excel uses a different font for cells whose font has no name and size. */
const baseFont = { name: 'Calibri', size: 11 };
const boldFont = { ...baseFont, bold: true };
const headerStyle: CellStyle = {
  font: boldFont,
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'E3E9F1' } },
  border: { top: borderLine('thin'), bottom: borderLine('thin') },
};

/** Removes characters that make Excel report a corrupt file. The writer itself does not remove the last two. */
function writableText(text: string): string {
  return wellFormed(text)
    .replaceAll(/(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]/gu, '')
    .slice(0, CELL_TEXT_MAX);
}

function textCell(text: string, style: CellStyle): Partial<Cell> {
  const value = writableText(text);
  // The writer takes a text such as '#N/A' for an error value. As rich text it stays a text.
  return value.startsWith('#') ? { value, richText: [{ text: value }], style } : { value, style };
}

/** The whole head in one cell, so that the rows below stay where they are. */
function letterheadCell({ name, addressLines }: ReportDocument['letterhead']): Partial<Cell> {
  if (addressLines.length === 0) return textCell(name, { font: boldFont });
  const parts = [name, ...addressLines].map(writableText);
  const [bold = '', ...rest] = parts;
  const others = rest.map((text) => ` · ${text}`).join('');
  return {
    value: bold + others,
    richText: [
      { text: bold, font: boldFont },
      { text: others, font: baseFont },
    ],
    style: { font: baseFont },
  };
}

type Variant = 'body' | 'total';

const totalStyle: CellStyle = {
  font: boldFont,
  border: { top: borderLine('thin'), bottom: borderLine('double') },
};

/** One style for each kind of cell. A style of its own for each of 500,000 cells would cost more than their contents. */
const cellStyles = new Map<string, CellStyle>();
function cellStyle(kind: CellKind, numFmt: string, variant: Variant): CellStyle {
  const key = `${kind} ${numFmt} ${variant}`;
  let style = cellStyles.get(key);
  if (!style) {
    style = {
      ...(variant === 'total' && totalStyle),
      numFmt,
      alignment: { vertical: 'top', wrapText: kind === 'text', horizontal: isNumericKind(kind) ? 'right' : 'left' },
    };
    cellStyles.set(key, style);
  }
  return style;
}

/** The value of a cell that fits its kind, or undefined for one that is written as a text. */
function typedValue(kind: CellKind, value: CellValue): number | Date | null | undefined {
  if (value === null) return null;
  if (typeof value === 'number') {
    if (kind === 'text' || !Number.isFinite(value)) return undefined;
    // 58.7 / 100 is not 0.587 in doubles. A worksheet keeps 15 digits anyway.
    return kind === 'percent' ? Number((value / 100).toPrecision(15)) : value;
  }
  if (kind === 'date' && parseCalendarDate(value) !== null) return new Date(`${value.slice(0, 10)}T00:00:00Z`);
  return undefined;
}

function reportCell(kind: CellKind, value: CellValue, variant: Variant): Partial<Cell> {
  const typed = typedValue(kind, value);
  if (typed !== undefined) return { value: typed, style: cellStyle(kind, NUMBER_FORMATS[kind], variant) };
  return textCell(String(value), cellStyle(kind, NUMBER_FORMATS.text, variant));
}

/** The plain value of a cell that needs no more than the style of its column; undefined for any other cell. */
function plainValue(cell: ReportCell | undefined, { kind }: ReportColumn): string | number | Date | null | undefined {
  if (typeof cell === 'object' && cell !== null) return undefined;
  const value = cell ?? null;
  if (kind !== 'text' || typeof value !== 'string') return typedValue(kind, value);
  const text = writableText(value);
  return text.startsWith('#') ? undefined : text;
}

function columnWidth(section: ReportSection, index: number): number {
  const column = section.columns[index];
  if (!column) return DEFAULT_WIDTHS.text;
  if (column.width) return column.width;
  const texts = [...section.rows, section.totals ?? []].map((row) => cellText(normalizeCell(row[index], column)));
  const longest = Math.max(column.header.length, ...texts.map((text) => text.length));
  return Math.min(TEXT_WIDTH_MAX, Math.max(DEFAULT_WIDTHS[column.kind], longest + 2));
}

function toSheet(report: ReportDocument, section: ReportSection, name: string): WriteSheet {
  const cells = new Map<string, Partial<Cell>>();
  const setCell = (row: number, column: number, cell: Partial<Cell>) => cells.set(`${row},${column}`, cell);
  const lastColumn = section.columns.length - 1;
  const widths = section.columns.map((_, index) => columnWidth(section, index));

  const details = detailsWithPrintTime(report)
    .map(({ label, value }) => `${label}: ${value.replaceAll(/\s+/g, ' ')}`)
    .join(' · ');
  setCell(0, 0, letterheadCell(report.letterhead));
  setCell(TITLE_ROW, 0, textCell(report.title, { font: { ...boldFont, size: 14 } }));
  setCell(DETAILS_ROW, 0, textCell(details, { alignment: { wrapText: true, vertical: 'top' } }));
  const charactersPerRow = widths.reduce((sum, width) => sum + width, 0);

  for (const [index, column] of section.columns.entries()) {
    const horizontal = isNumericKind(column.kind) ? 'right' : 'left';
    setCell(HEADER_ROW, index, textCell(column.header, { ...headerStyle, alignment: { horizontal, wrapText: true } }));
  }
  const rows: CellValueOfSheet[][] = Array.from({ length: HEADER_ROW + 1 }, () => []);
  for (const [rowIndex, row] of section.rows.entries()) {
    rows.push(
      section.columns.map((column, index) => {
        const plain = plainValue(row[index], column);
        if (plain !== undefined) return plain;
        const { kind, value } = normalizeCell(row[index], column);
        setCell(HEADER_ROW + 1 + rowIndex, index, reportCell(kind, value, 'body'));
        return null;
      }),
    );
  }
  if (section.rows.length === 0)
    setCell(HEADER_ROW + 1, 0, textCell(EMPTY_SECTION_TEXT, { font: { ...baseFont, italic: true } }));
  const lastRow = HEADER_ROW + Math.max(1, section.rows.length);
  for (const [index, column] of (section.totals ? section.columns : []).entries()) {
    const { kind, value } = normalizeCell(section.totals?.[index], column);
    setCell(lastRow + 1, index, reportCell(kind, value, 'total'));
  }
  const firstNoteRow = lastRow + (section.totals ? 2 : 1);
  const notes = section.notes ?? [];
  for (const [index, note] of notes.entries()) {
    setCell(
      firstNoteRow + index,
      0,
      textCell(note, { font: baseFont, alignment: { wrapText: true, vertical: 'top' } }),
    );
  }
  /** Rows of one text over all columns. */
  const wideRows = [
    { row: DETAILS_ROW, text: details },
    ...notes.map((text, index) => ({ row: firstNoteRow + index, text })),
  ];

  return {
    name,
    rows,
    cells,
    columns: section.columns.map(({ kind }, index) => ({
      width: widths[index] ?? DEFAULT_WIDTHS.text,
      style: cellStyle(kind, NUMBER_FORMATS[kind], 'body'),
    })),
    merges:
      lastColumn > 0
        ? wideRows.map(({ row }) => ({ startRow: row, startCol: 0, endRow: row, endCol: lastColumn }))
        : [],
    // Excel does not grow the row of a merged cell.
    rowDefs: new Map(
      wideRows.map(({ row, text }) => [
        row,
        { height: ROW_HEIGHT_POINTS * Math.ceil((text.length * 1.1) / charactersPerRow) },
      ]),
    ),
    freezePane: { rows: HEADER_ROW + 1 },
    ...(section.rows.length >= AUTO_FILTER_MIN_ROWS && {
      autoFilter: { range: rangeRef(HEADER_ROW, 0, lastRow, lastColumn) },
    }),
    pageSetup: {
      paperSize: 'a4',
      orientation: report.orientation ?? 'portrait',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
    },
    headerFooter: { oddFooter: '&RHalaman &P dari &N' },
  };
}

/** A name that Excel accepts for a sheet: 31 characters, none of : \ / ? * [ ], no apostrophe at an end. */
function sheetName(heading: string): string {
  const cut = wellFormed(heading)
    .replaceAll(/[:\\/?*[\]\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, SHEET_NAME_MAX);
  const name = wellFormed(cut).replaceAll(/^[\s']+|[\s']+$/g, '');
  // Excel reserves this name.
  return name === '' || name.toLowerCase() === 'history' ? 'Lembar' : name;
}

/** A unique name for each heading. Excel ignores case when it compares names. */
function uniqueSheetNames(headings: readonly string[]): string[] {
  const usedNames = new Set<string>();
  return headings.map((heading) => {
    const baseName = sheetName(heading);
    let name = baseName;
    for (let count = 2; usedNames.has(name.toLowerCase()); count += 1) {
      const suffix = ` (${count})`;
      name = baseName.slice(0, SHEET_NAME_MAX - suffix.length).trimEnd() + suffix;
    }
    usedNames.add(name.toLowerCase());
    return name;
  });
}

/**
 * A workbook with one sheet for each section. Numbers and dates are typed cells; a text never becomes a formula.
 * Values of kind 'percent' are stored as fractions, as worksheets expect.
 */
export async function exportXlsx(report: ReportDocument): Promise<Blob> {
  const names = uniqueSheetNames(report.sections.map((section) => section.heading));
  const bytes = await writeXlsx({
    sheets: report.sections.map((section, index) => toSheet(report, section, names[index] ?? `Lembar ${index + 1}`)),
    // The writer's own `printTitlesRow` omits the quotes that a name with spaces needs, and Excel then repairs the file.
    namedRanges: names.map((name) => ({
      name: '_xlnm.Print_Titles',
      range: `'${name.replaceAll("'", "''")}'!$${HEADER_ROW + 1}:$${HEADER_ROW + 1}`,
      scope: name,
    })),
    defaultFont: baseFont,
    properties: {
      title: writableText(report.title),
      creator: writableText(report.letterhead.name),
      created: new Date(),
    },
  });
  return new Blob([new Uint8Array(bytes)], { type: XLSX_TYPE });
}
