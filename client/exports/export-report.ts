import { EXPORT_WAIT_MS } from '#shared/limits.ts';
import type { ReportDocument } from './report-document.ts';
import { saveFile } from './save-file.ts';

export type ExportKind = 'pdf' | 'xlsx';

/** Makes the file. The maker is larger than the rest of a page, so it is loaded when it is first needed. */
async function createFile(kind: ExportKind, report: ReportDocument): Promise<Blob> {
  if (kind === 'pdf') {
    const { exportPdf } = await import('./pdf.ts');
    return exportPdf(report);
  }
  const { exportXlsx } = await import('./xlsx.ts');
  return exportXlsx(report);
}

/**
 * Makes the file and saves it 2 seconds after the call, later only if making it takes longer (R-REPORT-6).
 * @throws the maker's error, at once; then nothing is saved
 */
export async function exportReport(kind: ExportKind, report: ReportDocument): Promise<void> {
  const wait = new Promise<void>((resolve) => {
    setTimeout(resolve, EXPORT_WAIT_MS);
  });
  const [file] = await Promise.all([createFile(kind, report), wait]);
  saveFile(file, `${report.fileName}.${kind}`);
}
