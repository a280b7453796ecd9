import type { ReportCell, ReportDocument } from './report-document.ts';
import type { ExportKind, FromExportWorker, ToExportWorker } from './worker-messages.ts';

/** Loads only the maker that is needed: each is larger than the rest of a page. */
async function createFile(
  kind: ExportKind,
  report: ReportDocument,
  onProgress: (madeRows: number) => void,
): Promise<Blob> {
  if (kind === 'pdf') {
    const { exportPdf } = await import('./pdf.ts');
    return exportPdf(report, onProgress);
  }
  const { exportXlsx } = await import('./xlsx.ts');
  return exportXlsx(report);
}

/** The worker's side of an export: collects rows, makes one file, and answers with it or with the reason of the failure. */
export function createExportJob(answer: (message: FromExportWorker) => void): (message: ToExportWorker) => void {
  const collected: ReportCell[][] = [];

  function withCollectedRows(report: ReportDocument): ReportDocument {
    const last = report.sections.at(-1);
    if (!last || collected.length === 0) return report;
    return { ...report, sections: [...report.sections.slice(0, -1), { ...last, rows: [...collected, ...last.rows] }] };
  }

  return (message) => {
    if (message.type === 'rows') {
      for (const row of message.rows) collected.push(row);
      return;
    }
    createFile(message.kind, withCollectedRows(message.report), (madeRows) => answer({ type: 'progress', madeRows }))
      .then((file) => answer({ type: 'made', file }))
      .catch((error: unknown) => answer({ type: 'failed', reason: String(error) }));
  };
}
