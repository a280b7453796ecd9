import { useRef, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { ExportWorkerError } from './worker-connection.ts';

export type ExportState = {
  /** 'Excel', 'PDF', 'cetakan'. */
  name: string;
  step: 'collect' | 'make';
  /** Rows that are loaded, or that are in the file. */
  done: number;
  /** 0: not known yet. */
  total: number;
};

/** More rows than a file of this kind may have. */
export class TooManyRowsError extends Error {
  readonly rowsMax: number;
  constructor(message: string, rowsMax: number) {
    super(message);
    this.rowsMax = rowsMax;
  }
}

type ExportRun = {
  signal: AbortSignal;
  /** Reports loaded rows. @throws TooManyRowsError */
  onCollected: (done: number, total: number) => void;
  onMaking: (done: number) => void;
};

type ExportJob = {
  name: string;
  rowsMax: number;
  failedText: string;
  /** Returns the text of the toast, or null where none shows. */
  run: (run: ExportRun) => Promise<string | null>;
};

export const WORKER_HINT =
  'Periksa koneksi Anda dan muat ulang halaman. Bila tetap gagal, pakai peramban (browser) yang lebih baru.';

/** Runs one export at a time, with its progress, its cancellation and its toasts. */
export function useExport() {
  const [state, setState] = useState<ExportState | null>(null);
  const abort = useRef<AbortController | null>(null);

  const { submit, busy } = useSubmit(async ({ name, rowsMax, failedText, run }: ExportJob) => {
    const controller = new AbortController();
    abort.current = controller;
    setState({ name, step: 'collect', done: 0, total: 0 });
    try {
      const successText = await run({
        signal: controller.signal,
        onCollected(done, total) {
          if (total > rowsMax)
            throw new TooManyRowsError(`${formatNumber(total)} data terlalu banyak untuk ${name}`, rowsMax);
          setState({ name, step: 'collect', done, total });
        },
        onMaking: (done) => setState((current) => current && { ...current, step: 'make', done }),
      });
      if (successText !== null) notify.success(successText);
    } catch (error) {
      if (controller.signal.aborted) notify.info('Dibatalkan');
      else if (error instanceof TooManyRowsError)
        notify.error(error.message, `Paling banyak ${formatNumber(error.rowsMax)}. Persempit dengan filter.`);
      else if (error instanceof ExportWorkerError) notify.error(failedText, WORKER_HINT);
      else notify.failure(error, failedText);
    } finally {
      setState(null);
    }
  });

  return { run: submit, busy, state, cancel: () => abort.current?.abort() };
}
