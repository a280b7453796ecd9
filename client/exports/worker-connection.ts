import type { ReportCell, ReportDocument } from './report-document.ts';
import type { ExportKind, FromExportWorker, ToExportWorker } from './worker-messages.ts';

/** The browser could not start the worker: too old, or the program of the worker was not loaded. */
export class ExportWorkerError extends Error {}

export type WorkerConnection = {
  addRows: (rows: ReportCell[][]) => void;
  /** @throws the reason of the worker, or ExportWorkerError */
  make: (kind: ExportKind, report: ReportDocument, onProgress: (madeRows: number) => void) => Promise<Blob>;
  /** Ends the thread, in the middle of its work too. */
  terminate: () => void;
};

function startWorker(): Worker {
  try {
    return new Worker(new URL('./export-worker.ts', import.meta.url), { type: 'module' });
  } catch (error) {
    throw new ExportWorkerError('workers are not available', { cause: error });
  }
}

/**
 * Starts the worker that makes one file.
 * @throws ExportWorkerError where the browser has no workers
 */
export function connectExportWorker(): WorkerConnection {
  const worker = startWorker();
  const send = (message: ToExportWorker) => worker.postMessage(message);
  // Kept from the start, because the program of the worker may fail to load while rows are still collected.
  let onProgress: (madeRows: number) => void = () => {};
  const made = new Promise<Blob>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FromExportWorker>) => {
      if (data.type === 'progress') onProgress(data.madeRows);
      else if (data.type === 'made') resolve(data.file);
      else reject(new Error(data.reason));
    });
    worker.addEventListener('error', (event) => reject(new ExportWorkerError(event.message)));
  });
  // A failure before `make` is reported by `make`.
  made.catch(() => {});
  return {
    addRows: (rows) => send({ type: 'rows', rows }),
    make(kind, report, listener) {
      onProgress = listener;
      send({ type: 'make', kind, report });
      return made;
    },
    terminate: () => worker.terminate(),
  };
}
