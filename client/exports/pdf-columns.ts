import type { jsPDF } from 'jspdf';
import { FONT } from './pdf-font.ts';
import type { PageLayout } from './pdf-page.ts';
import { cellText, isNumericKind, normalizeCell, type ReportSection } from './report-document.ts';

/** Letters that are smaller cannot be read on a copy. */
const FONT_SCALE_MIN = 0.7;
const NO_ROOM_ERROR_MM = 0.1;

/** The widths of the columns of a section in millimetres, and the size of its letters. */
export type ColumnPlan = { widthsMm: number[]; points: number };

/**
 * Divides a width in the proportion that the columns ask for, but no number and no word of a header is ever broken: a sum whose
 * last digit stands on the next line reads as a tenth of it. Where that needs more width than there is, the letters get smaller.
 * @returns null when a column asks for no width
 */
export function planColumns(
  pdf: jsPDF,
  section: ReportSection,
  { tableWidthMm, layout }: { tableWidthMm: number; layout: PageLayout },
  toPrintable: (text: string) => string,
): ColumnPlan | null {
  const { columns, rows, totals = [] } = section;
  const asked = columns.map(({ width = 0 }) => width);
  if (asked.some((width) => width === 0)) return null;
  const paddingMm = layout.cellPadding.left + layout.cellPadding.right + NO_ROOM_ERROR_MM;
  const wantedMm = asked.map((width) => (tableWidthMm * width) / sum(asked));
  // Headers and totals are bold, so all is measured that way.
  pdf.setFont(FONT, 'bold').setFontSize(layout.bodyPoints);
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => pdf.getTextWidth(toPrintable(text))));
  const measured = columns.map((column, index) => {
    const headerMm = widest(column.header.split(' '));
    let longest = '';
    for (const row of [...rows, totals]) {
      const text = cellText(normalizeCell(row[index], column), layout.isCompact);
      // Figures of one length have about one width; the longest text is measured, and not every cell.
      if (text.length > longest.length) longest = text;
    }
    const longestMm = widest([longest.replaceAll(/\d/g, '8')]);
    if (isNumericKind(column.kind)) return { unbrokenMm: Math.max(headerMm, longestMm), onOneLineMm: longestMm };
    return { unbrokenMm: headerMm, onOneLineMm: Math.min(longestMm, (wantedMm[index] ?? 0) - paddingMm) };
  });
  const roomMm = tableWidthMm - columns.length * paddingMm;
  const onOneLine = measured.map(({ unbrokenMm, onOneLineMm }) => Math.max(unbrokenMm, onOneLineMm));
  // A text goes on in the next line before the letters get smaller.
  const textMm = sum(onOneLine) <= roomMm ? onOneLine : measured.map(({ unbrokenMm }) => unbrokenMm);
  const scale = Math.max(FONT_SCALE_MIN, Math.min(1, roomMm / sum(textMm)));
  const leastMm = textMm.map((width) => width * scale + paddingMm);
  const spareMm = wantedMm.map((width, index) => Math.max(0, width - (leastMm[index] ?? 0)));
  const missingMm = sum(wantedMm.map((width, index) => Math.max(0, (leastMm[index] ?? 0) - width)));
  const taken = sum(spareMm) > 0 ? Math.min(1, missingMm / sum(spareMm)) : 0;
  const widthsMm = wantedMm.map((width, index) => Math.max(width - (spareMm[index] ?? 0) * taken, leastMm[index] ?? 0));
  return { widthsMm, points: layout.bodyPoints * scale };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
