import type { jsPDF } from 'jspdf';
import { isLongName } from '#client/lib/office/letterhead.ts';
import { FONT } from './pdf-font.ts';
import type { ReportDocument } from './report-document.ts';
import { detailsWithPrintTime } from './report-document.ts';

/** Lengths in millimetres. */
export type PageLayout = {
  isCompact: boolean;
  margin: { left: number; right: number; bottom: number };
  /** Top of the text on every page but the first, below the running head. */
  top: number;
  bodyPoints: number;
  lineHeight: number;
  cellPadding: { left: number; right: number; top: number; bottom: number };
  letterheadY: number;
  /** The logo keeps its shape inside. */
  logoBox: { width: number; height: number };
  /** Above and below the title, and below the details. */
  gaps: { title: number; details: number; body: number };
  /** Null: the footer says what the pages belong to. */
  runningHeadY: number | null;
  footerFromBottom: number;
};

const comfortable: PageLayout = {
  isCompact: false,
  // The left margin is wider, because sheets are punched there.
  margin: { left: 20, right: 15, bottom: 20 },
  top: 22,
  bodyPoints: 9,
  lineHeight: 1.15,
  cellPadding: { left: 2.2, right: 2.2, top: 1.7, bottom: 1.7 },
  letterheadY: 20,
  logoBox: { width: 38, height: 21 },
  gaps: { title: 11, details: 3, body: 3 },
  runningHeadY: 14,
  footerFromBottom: 11,
};

/** For lists of hundreds of rows. Usual printers reach to 5 mm from the edge. */
const compact: PageLayout = {
  isCompact: true,
  margin: { left: 10, right: 7, bottom: 12 },
  top: 10,
  bodyPoints: 8,
  lineHeight: 1.1,
  cellPadding: { left: 0.8, right: 0.8, top: 0.5, bottom: 0.2 },
  letterheadY: 15,
  logoBox: { width: 30, height: 15 },
  gaps: { title: 7, details: 1, body: -2 },
  runningHeadY: null,
  footerFromBottom: 7,
};

export function pageLayout(report: Pick<ReportDocument, 'compact'>): PageLayout {
  return report.compact ? compact : comfortable;
}

/** The name is written on a line; the logo begins at the height of its capitals. */
const LOGO_ABOVE_BASELINE_MM = 5;
const LOGO_GAP_MM = 4;
const LABEL_WIDTH_MM = 30;
const LINE_HEIGHT_MM = 5;
const GREY = 70;

type ToPrintable = (text: string) => string;

export function splitLines(pdf: jsPDF, text: string, width: number): string[] {
  const lines: unknown = pdf.splitTextToSize(text, width);
  return Array.isArray(lines) ? lines.map(String) : [text];
}

function drawCentered(pdf: jsPDF, text: string, y: number, { left, width }: { left: number; width: number }): number {
  const lines = splitLines(pdf, text, width);
  const lineHeight = (pdf.getFontSize() / pdf.internal.scaleFactor) * pdf.getLineHeightFactor();
  pdf.text(lines, left + width / 2, y, { align: 'center' });
  return y + lines.length * lineHeight;
}

/** Draws the logo at the left. @returns the width that it and the gap beside it take, and where it ends; zeros without one */
function drawLogo(pdf: jsPDF, report: ReportDocument): { width: number; bottom: number } {
  const { logo } = report.letterhead;
  if (!logo) return { width: 0, bottom: 0 };
  const { margin, letterheadY, logoBox } = pageLayout(report);
  const scale = Math.min(logoBox.width / logo.width, logoBox.height / logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const top = letterheadY - LOGO_ABOVE_BASELINE_MM;
  pdf.addImage(logo.jpeg, 'JPEG', margin.left, top, width, height);
  return { width: width + LOGO_GAP_MM, bottom: top + height + LOGO_GAP_MM };
}

/** Draws letterhead, title and details on the first page. Returns the position below them, in millimetres. */
export function drawLetterhead(pdf: jsPDF, report: ReportDocument, toPrintable: ToPrintable): number {
  const { margin, letterheadY, gaps } = pageLayout(report);
  const { left } = margin;
  const width = pdf.internal.pageSize.width - left - margin.right;
  const right = left + width;
  const line = { left, width };
  const { name, serviceLine, addressLines } = report.letterhead;
  const logo = drawLogo(pdf, report);
  const besideLogo = { left: left + logo.width, width: width - logo.width };

  pdf
    .setTextColor(0)
    .setFont(FONT, 'bold')
    .setFontSize(isLongName(name) ? 13 : 16);
  let y = drawCentered(pdf, toPrintable(name), letterheadY, besideLogo) - 0.5;
  pdf.setFont(FONT, 'normal').setFontSize(10);
  for (const text of [...(serviceLine === null ? [] : [serviceLine]), ...addressLines])
    y = drawCentered(pdf, toPrintable(text), y, besideLogo);
  y = Math.max(y, logo.bottom);
  // Indonesian letterheads end with a thick and a thin line.
  pdf.setDrawColor(0).setLineWidth(0.9).line(left, y, right, y);
  pdf.setLineWidth(0.25).line(left, y + 1.1, right, y + 1.1);

  pdf.setFont(FONT, 'bold').setFontSize(13);
  y = drawCentered(pdf, toPrintable(report.title).toLocaleUpperCase('id-ID'), y + gaps.title, line) + gaps.details;

  pdf.setFontSize(10);
  for (const { label, value } of detailsWithPrintTime(report)) {
    pdf.setFont(FONT, 'normal');
    const lines = splitLines(pdf, toPrintable(value), width - LABEL_WIDTH_MM - 4);
    pdf.text(toPrintable(label), left, y);
    pdf.text(':', left + LABEL_WIDTH_MM, y);
    pdf.text(lines, left + LABEL_WIDTH_MM + 4, y, { lineHeightFactor: 1.42 });
    y += lines.length * LINE_HEIGHT_MM;
  }
  return y + gaps.body;
}

/** Draws page numbers, and a running head on every page but the first. Called last, when the number of pages is known. */
export function drawHeadersAndFooters(pdf: jsPDF, report: ReportDocument, toPrintable: ToPrintable): void {
  const { width, height } = pdf.internal.pageSize;
  const pages = pdf.getNumberOfPages();
  const { isCompact, margin, footerFromBottom, runningHeadY } = pageLayout(report);
  const right = width - margin.right;
  const footY = height - footerFromBottom;
  const runningHead = toPrintable(`${report.title} · ${report.details[0]?.value ?? ''}`).replaceAll('\n', ' ');
  for (let page = 1; page <= pages; page += 1) {
    pdf.setPage(page);
    pdf.setFont(FONT, 'normal').setFontSize(8).setTextColor(GREY).setDrawColor(150).setLineWidth(0.2);
    if (!isCompact) pdf.line(margin.left, footY - 4, right, footY - 4);
    const belongsTo = isCompact ? `${report.letterhead.name} · ${runningHead}` : report.letterhead.name;
    pdf.text(splitLines(pdf, toPrintable(belongsTo), right - margin.left - 40)[0] ?? '', margin.left, footY);
    pdf.text(`Halaman ${page} dari ${pages}`, right, footY, { align: 'right' });
    if (page === 1 || runningHeadY === null) continue;
    pdf.text(splitLines(pdf, runningHead, right - margin.left)[0] ?? '', margin.left, runningHeadY);
    pdf.line(margin.left, runningHeadY + 2.5, right, runningHeadY + 2.5);
  }
}
