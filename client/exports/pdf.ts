import { jsPDF } from 'jspdf';
import { autoTable } from 'jspdf-autotable';
import type { RowInput } from 'jspdf-autotable';
import { planColumns } from './pdf-columns.ts';
import { FONT, registerFont } from './pdf-font.ts';
import { splitLines, drawLetterhead, drawHeadersAndFooters, pageLayout, type PageLayout } from './pdf-page.ts';
import type { ReportCell, ReportDocument, ReportSection } from './report-document.ts';
import { EMPTY_SECTION_TEXT, normalizeCell, cellText, isNumericKind } from './report-document.ts';

export const PDF_TYPE = 'application/pdf';

const HEADING_POINTS = 11;
/** A message for each row would cost more time than the row. */
const ROWS_PER_PROGRESS = 50;
/** The height of a heading, the table's header and two rows. With less space left, the heading starts the next page. */
const SECTION_MIN_MM = 34;

type Drawing = {
  pdf: jsPDF;
  layout: PageLayout;
  toPrintable: (text: string) => string;
  /** Called for each row of the body. */
  onRow: () => void;
};

function tableRow(section: ReportSection, row: readonly ReportCell[], { layout, toPrintable }: Drawing): RowInput {
  return section.columns.map((column, index) => {
    const cell = normalizeCell(row[index], column);
    return {
      content: toPrintable(cellText(cell, layout.isCompact)),
      styles: { halign: isNumericKind(cell.kind) ? 'right' : 'left' },
    };
  });
}

/** Draws a section below `top` and returns its end, both in millimetres. */
function drawSection(section: ReportSection, top: number, drawing: Drawing): number {
  const { pdf, layout, toPrintable, onRow } = drawing;
  const { width, height } = pdf.internal.pageSize;
  let y = top;
  if (y + SECTION_MIN_MM > height - layout.margin.bottom) {
    pdf.addPage();
    y = layout.top;
  }
  // The title of a compact document says what its one list is.
  if (!layout.isCompact) {
    pdf.setFont(FONT, 'bold').setFontSize(HEADING_POINTS).setTextColor(0);
    pdf.text(toPrintable(section.heading), layout.margin.left, y + 4);
    y += 7;
  }

  const tableWidthMm = width - layout.margin.left - layout.margin.right;
  const plan = planColumns(pdf, section, { tableWidthMm, layout }, toPrintable);
  let endY = y;
  autoTable(pdf, {
    startY: y,
    margin: { ...layout.margin, top: layout.top },
    theme: 'grid',
    rowPageBreak: 'avoid',
    showHead: 'everyPage',
    showFoot: 'lastPage',
    styles: {
      font: FONT,
      fontSize: plan?.points ?? layout.bodyPoints,
      cellPadding: layout.cellPadding,
      textColor: 0,
      lineColor: 150,
      lineWidth: 0.15,
      overflow: 'linebreak',
      valign: 'top',
    },
    // Grey with black letters, because colours become unreadable on a photocopy.
    headStyles: { fontStyle: 'bold', fillColor: 230, textColor: 0, lineWidth: 0.15 },
    footStyles: {
      fontStyle: 'bold',
      fillColor: 245,
      textColor: 0,
      lineWidth: { top: 0.5, bottom: 0.5, left: 0.15, right: 0.15 },
    },
    columnStyles: Object.fromEntries(
      // Without a plan dates and numbers stay on one line, and texts share the remaining width.
      section.columns.map(({ kind }, index) => [
        index,
        { cellWidth: plan?.widthsMm[index] ?? (kind === 'text' ? 'auto' : 'wrap') },
      ]),
    ),
    head: [
      section.columns.map((column) => ({
        content: toPrintable(column.header),
        styles: { halign: isNumericKind(column.kind) ? 'right' : 'left' },
      })),
    ],
    body:
      section.rows.length > 0
        ? section.rows.map((row) => tableRow(section, row, drawing))
        : [[{ content: EMPTY_SECTION_TEXT, colSpan: section.columns.length, styles: { halign: 'center' } }]],
    foot: section.totals ? [tableRow(section, section.totals, drawing)] : [],
    didDrawCell: ({ section: part, column }) => {
      if (part === 'body' && column.index === 0) onRow();
    },
    didDrawPage: ({ cursor }) => {
      endY = cursor?.y ?? endY;
    },
  });
  return drawNotes(section.notes ?? [], endY, drawing);
}

/** Draws the lines below a table and returns their end. */
function drawNotes(notes: readonly string[], top: number, { pdf, layout, toPrintable }: Drawing): number {
  const { width, height } = pdf.internal.pageSize;
  let y = top;
  for (const note of notes) {
    pdf.setFont(FONT, 'normal').setFontSize(layout.bodyPoints).setTextColor(0);
    const lines = splitLines(pdf, toPrintable(note), width - layout.margin.left - layout.margin.right);
    const lineMm = (layout.bodyPoints / pdf.internal.scaleFactor) * layout.lineHeight;
    if (y + 1.5 + lines.length * lineMm > height - layout.margin.bottom) {
      pdf.addPage();
      y = layout.top;
    }
    pdf.text(lines, layout.margin.left, y + 1.5 + lineMm * 0.8);
    y += 1.5 + lines.length * lineMm;
  }
  return y;
}

/** A report on A4: letterhead, title, details, tables, page numbers. */
export async function exportPdf(
  report: ReportDocument,
  onProgress: (madeRows: number) => void = () => {},
): Promise<Blob> {
  const pdf = new jsPDF({
    unit: 'mm',
    format: 'a4',
    orientation: report.orientation ?? 'portrait',
    putOnlyUsedFonts: true,
    compress: true,
  });
  const toPrintable = registerFont(pdf);
  pdf.setLanguage('id');
  pdf.setDocumentProperties({
    title: report.title,
    author: report.letterhead.name,
    subject: report.details.map(({ label, value }) => `${label}: ${value}`).join('; '),
    creator: report.letterhead.name,
  });
  pdf.viewerPreferences({ DisplayDocTitle: true });

  let madeRows = 0;
  const drawing: Drawing = {
    pdf,
    layout: pageLayout(report),
    toPrintable,
    onRow() {
      madeRows += 1;
      if (madeRows % ROWS_PER_PROGRESS === 0) onProgress(madeRows);
    },
  };
  let y = drawLetterhead(pdf, report, toPrintable);
  pdf.setLineHeightFactor(drawing.layout.lineHeight);
  for (const section of report.sections) y = drawSection(section, y, drawing) + 9;
  drawHeadersAndFooters(pdf, report, toPrintable);
  return new Blob([pdf.output('arraybuffer')], { type: PDF_TYPE });
}
