import type { ReportCell, ReportDocument } from './report-document.ts';

export type ExportKind = 'pdf' | 'xlsx';

/** From the page to the worker that makes the file. */
export type ToExportWorker =
  /** Rows of the last section, before those of the document. Long tables come in parts, because one large copy blocks the page. */
  { type: 'rows'; rows: ReportCell[][] } | { type: 'make'; kind: ExportKind; report: ReportDocument };

export type FromExportWorker =
  | { type: 'progress'; madeRows: number }
  | { type: 'made'; file: Blob }
  | { type: 'failed'; reason: string };
