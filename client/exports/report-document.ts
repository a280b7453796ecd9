import type { Letterhead } from '#client/lib/office/letterhead.ts';
import { formatDate } from '#shared/domain/dates/date-labels.ts';
import { parseCalendarDate } from '#shared/domain/dates/dates.ts';
import { formatNumber, formatRupiah } from '#shared/domain/money/rupiah.ts';

/** The form in which a value is shown, and stored in a worksheet. */
export type CellKind = 'text' | 'rupiah' | 'integer' | 'year' | 'percent' | 'date';

/**
 * 'rupiah', 'integer' and 'year' take numbers, 'percent' takes percent points (12.5 is 12,5%), 'date' takes 'yyyy-mm-dd'.
 * A number or text that does not fit its kind is shown as text, never dropped.
 */
export type CellValue = string | number | null;

/** A value, or one whose kind differs from its column's: a summary has rupiah and counts in one column. */
export type ReportCell = CellValue | { kind: CellKind; value: CellValue };

export type ReportColumn = {
  header: string;
  kind: CellKind;
  /** In characters. When every column has one, the printed page divides its width in the same proportion. */
  width?: number;
};

export type ReportSection = {
  heading: string;
  columns: ReportColumn[];
  rows: ReportCell[][];
  /** The last, bold row. The caller computes it, so that it equals the total on screen. */
  totals?: ReportCell[];
  /** Lines below the table, such as what a total consists of. */
  notes?: string[];
};

/** A JPEG, with its size in pixels. */
export type LogoImage = { jpeg: Uint8Array; width: number; height: number };

/** The content of a report, independent of the file format. The makers of .pdf and .xlsx know only this type. */
export type ReportDocument = {
  title: string;
  /** The office. The logo is added when the file is made (`export-report.ts`). */
  letterhead: Letterhead & { logo?: LogoImage | null };
  /** Period, owner and so on, in the order of reading. */
  details: { label: string; value: string }[];
  /** Date and time of printing as an Indonesian text. */
  printedAt: string;
  /** Without the extension. */
  fileName: string;
  orientation?: 'portrait' | 'landscape';
  /** For lists of many rows: on paper with small letters, narrow margins, short dates, and amounts without 'Rp'. */
  compact?: boolean;
  sections: ReportSection[];
};

export const EMPTY_SECTION_TEXT = 'Tidak ada data';

/** Undoes the shorthand of `ReportCell`. */
export function normalizeCell(
  cell: ReportCell | undefined,
  column: ReportColumn,
): { kind: CellKind; value: CellValue } {
  if (typeof cell === 'object' && cell !== null) return cell;
  return { kind: column.kind, value: cell ?? null };
}

/** The details, with the time of printing as the last one. */
export function detailsWithPrintTime(
  report: Pick<ReportDocument, 'details' | 'printedAt'>,
): { label: string; value: string }[] {
  return [...report.details, { label: 'Dicetak', value: report.printedAt }];
}

/** '2026-08-31' as '31/08/2026'. */
const shortDate = (date: string) => date.slice(0, 10).split('-').toReversed().join('/');

/** A value as a text to read; a missing value is an empty text. */
export function cellText({ kind, value }: { kind: CellKind; value: CellValue }, compact = false): string {
  if (value === null) return '';
  if (typeof value === 'string') {
    if (kind !== 'date' || parseCalendarDate(value) === null) return value;
    return compact ? shortDate(value) : formatDate(value, 'UTC');
  }
  if (kind === 'rupiah') return compact ? formatNumber(Math.round(value)) : formatRupiah(value);
  if (kind === 'percent') return `${formatNumber(value)}%`;
  // 2025 and not 2.025.
  if (kind === 'year') return String(value);
  return formatNumber(value);
}

/** Whether a column is right-aligned, so that the digits line up. */
export function isNumericKind(kind: CellKind): boolean {
  return kind === 'rupiah' || kind === 'integer' || kind === 'percent';
}
