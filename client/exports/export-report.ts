import { EXPORT_WAIT_MS } from '#shared/limits.ts';
import type { ReportDocument } from './report-document.ts';
import { saveFile } from './save-file.ts';

export type ExportKind = 'pdf' | 'xlsx';

/** The file itself. The maker comes over the network when it is first needed: it is larger than the rest of a page. */
async function createFile(kind: ExportKind, report: ReportDocument): Promise<Blob> {
  if (kind === 'pdf') {
    const { exportPdf } = await import('./pdf.ts');
    return exportPdf(report);
  }
  const { exportXlsx } = await import('./xlsx.ts');
  return exportXlsx(report);
}

/**
 * Makes the file and saves it 2 seconds after the call (specification 9), later only if making it takes longer. Contract 6.
 * @throws whatever the maker throws, at once; then nothing is saved.
 */
export async function exportReport(kind: ExportKind, report: ReportDocument): Promise<void> {
  const wait = new Promise<void>((resolve) => {
    setTimeout(resolve, EXPORT_WAIT_MS);
  });
  const [file] = await Promise.all([createFile(kind, report), wait]);
  saveFile(file, `${report.fileName}.${kind}`);
}
