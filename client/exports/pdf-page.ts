import type { jsPDF } from 'jspdf';
import { FONT } from './pdf-font.ts';
import type { ReportDocument } from './report-document.ts';
import { detailsWithPrintTime } from './report-document.ts';

/** The left margin is wider, because sheets are punched there. */
export const MARGIN_MM = { left: 20, right: 15, bottom: 20 };
/** Top of the text on every page but the first, below the running head. */
export const PAGE_TOP_MM = 22;

const LABEL_WIDTH_MM = 30;
const LINE_HEIGHT_MM = 5;
const GREY = 70;

type ToPrintable = (text: string) => string;

function splitLines(pdf: jsPDF, text: string, width: number): string[] {
  const lines: unknown = pdf.splitTextToSize(text, width);
  return Array.isArray(lines) ? lines.map(String) : [text];
}

function drawCentered(pdf: jsPDF, text: string, y: number, width: number): number {
  const lines = splitLines(pdf, text, width);
  const lineHeight = (pdf.getFontSize() / pdf.internal.scaleFactor) * pdf.getLineHeightFactor();
  pdf.text(lines, MARGIN_MM.left + width / 2, y, { align: 'center' });
  return y + lines.length * lineHeight;
}

/** Draws letterhead, title and details on the first page. Returns the position below them, in millimetres. */
export function drawLetterhead(pdf: jsPDF, report: ReportDocument, toPrintable: ToPrintable): number {
  const width = pdf.internal.pageSize.width - MARGIN_MM.left - MARGIN_MM.right;
  const right = MARGIN_MM.left + width;

  pdf.setTextColor(0).setFont(FONT, 'bold').setFontSize(16);
  let y = drawCentered(pdf, toPrintable(report.letterhead.name), 20, width);
  if (report.letterhead.line) {
    pdf.setFont(FONT, 'normal').setFontSize(10);
    y = drawCentered(pdf, toPrintable(report.letterhead.line), y - 0.5, width);
  }
  // Indonesian letterheads end with a thick and a thin line.
  pdf.setDrawColor(0).setLineWidth(0.9).line(MARGIN_MM.left, y, right, y);
  pdf.setLineWidth(0.25).line(MARGIN_MM.left, y + 1.1, right, y + 1.1);

  pdf.setFont(FONT, 'bold').setFontSize(13);
  y = drawCentered(pdf, toPrintable(report.title).toLocaleUpperCase('id-ID'), y + 11, width) + 3;

  pdf.setFontSize(10);
  for (const { label, value } of detailsWithPrintTime(report)) {
    pdf.setFont(FONT, 'normal');
    const lines = splitLines(pdf, toPrintable(value), width - LABEL_WIDTH_MM - 4);
    pdf.text(toPrintable(label), MARGIN_MM.left, y);
    pdf.text(':', MARGIN_MM.left + LABEL_WIDTH_MM, y);
    pdf.text(lines, MARGIN_MM.left + LABEL_WIDTH_MM + 4, y, { lineHeightFactor: 1.42 });
    y += lines.length * LINE_HEIGHT_MM;
  }
  return y + 3;
}

/** Draws page numbers, and a running head on every page but the first. Called last, when the number of pages is known. */
export function drawHeadersAndFooters(pdf: jsPDF, report: ReportDocument, toPrintable: ToPrintable): void {
  const { width, height } = pdf.internal.pageSize;
  const pages = pdf.getNumberOfPages();
  const right = width - MARGIN_MM.right;
  const footY = height - 11;
  const runningHead = toPrintable(`${report.title} · ${report.details[0]?.value ?? ''}`).replaceAll('\n', ' ');
  for (let page = 1; page <= pages; page += 1) {
    pdf.setPage(page);
    pdf.setFont(FONT, 'normal').setFontSize(8).setTextColor(GREY).setDrawColor(150).setLineWidth(0.2);
    pdf.line(MARGIN_MM.left, footY - 4, right, footY - 4);
    pdf.text(toPrintable(report.letterhead.name), MARGIN_MM.left, footY);
    pdf.text(`Halaman ${page} dari ${pages}`, right, footY, { align: 'right' });
    if (page === 1) continue;
    pdf.text(splitLines(pdf, runningHead, right - MARGIN_MM.left)[0] ?? '', MARGIN_MM.left, 14);
    pdf.line(MARGIN_MM.left, 16.5, right, 16.5);
  }
}
