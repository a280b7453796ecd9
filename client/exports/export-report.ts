import { EXPORT_WAIT_MS } from '#shared/limits.ts';
import type { ReportCell, ReportDocument } from './report-document.ts';
import { loadLogo } from './load-logo.ts';
import { saveFile } from './save-file.ts';
import { connectExportWorker } from './worker-connection.ts';
import type { ExportKind } from './worker-messages.ts';

/** Hands rows of the last section over while they are loaded, then returns the document with what is known only at the end. */
export type CollectReport = (addRows: (rows: ReportCell[][]) => void) => Promise<ReportDocument>;

type Options = {
  /** Ends the worker; then nothing is saved. */
  signal?: AbortSignal;
  /** Called when all rows are collected (with 0), and then with the number of rows that are in the file. */
  onMaking?: (madeRows: number) => void;
};

const waitMs = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** Rejects with the reason of the signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

async function withLogo(report: ReportDocument): Promise<ReportDocument> {
  const { letterhead } = report;
  if (letterhead.logoUrl === null) return report;
  return { ...report, letterhead: { ...letterhead, logo: await loadLogo(letterhead.logoUrl) } };
}

/**
 * Makes the file in a worker and saves it 2 seconds after the call, later only if making it takes longer (R-REPORT-6).
 * @throws the maker's error, ExportWorkerError, or the reason of the signal, at once; then nothing is saved
 */
export async function exportReport(
  kind: ExportKind,
  report: ReportDocument | CollectReport,
  { signal = new AbortController().signal, onMaking = () => {} }: Options = {},
): Promise<void> {
  const wait = waitMs(EXPORT_WAIT_MS);
  const worker = connectExportWorker();
  async function makeFile() {
    const collected = typeof report === 'function' ? await report(worker.addRows) : report;
    onMaking(0);
    const file = await worker.make(kind, kind === 'pdf' ? await withLogo(collected) : collected, onMaking);
    await wait;
    signal.throwIfAborted();
    saveFile(file, `${collected.fileName}.${kind}`);
  }
  try {
    await Promise.race([makeFile(), aborted(signal)]);
  } finally {
    worker.terminate();
  }
}
