import type { Worker } from 'node:worker_threads';
import type { ListRead, ListRow, ReadChoices, ReadOutcome } from './list-reading.ts';
import { type ListSource, readList } from './read-list.ts';
import { FAILURES } from './rules/messages.ts';

export type ListReader = {
  /**
   * Reads a list. What is wrong with the file is in the outcome.
   * @throws the signal's reason, or the error of a thread that ended for another reason than the file
   */
  read: (source: ListSource, choices: ReadChoices, signal?: AbortSignal) => Promise<ReadOutcome>;
};

type ListReaderOptions = {
  /** Starts a thread that calls `serveListReading`, with `LIST_THREAD_LIMITS`. */
  startWorker: () => Worker;
  timeoutMs?: number;
};

/** Messages to the thread: first the reading, then a request for each next part of its rows. */
export type ReadingOrder = { kind: 'read'; source: ListSource; choices: ReadChoices } | { kind: 'next' };
export type ReadingReport =
  | { kind: 'list'; list: ListRead; rows: number }
  | { kind: 'rows'; rows: ListRow[] }
  | { kind: 'failed'; message: string };

/**
 * A reading stops itself at 512 MiB (`files/memory-limit.ts`). Beyond these limits V8 would end the thread or, where memory
 * grows fast, the process.
 */
export const LIST_THREAD_LIMITS = { maxOldGenerationSizeMb: 896, maxYoungGenerationSizeMb: 64 };
const TIMEOUT_MS = 60_000;

/** Reads in the calling thread: for tests. */
export function createInlineListReader(): ListReader {
  return {
    read: async (source, choices, signal) => {
      signal?.throwIfAborted();
      return readList(source, choices);
    },
  };
}

/**
 * Reads each list in a thread of its own, one at a time. The thread ends with its reading, so its memory is free again,
 * and an attack in a file ends with it.
 */
export function createListReader({ startWorker, timeoutMs = TIMEOUT_MS }: ListReaderOptions): ListReader {
  let last: Promise<unknown> = Promise.resolve();
  return {
    read(source, choices, signal) {
      const turn = last.then(() => {
        signal?.throwIfAborted();
        return readInThread(startWorker, { kind: 'read', source, choices }, timeoutMs, signal);
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function readInThread(
  startWorker: () => Worker,
  order: ReadingOrder,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ReadOutcome> {
  const worker = startWorker();
  worker.unref();
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise<ReadOutcome>((resolve, reject) => {
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort);
      timer = setTimeout(() => resolve({ ok: false, message: FAILURES.too_slow }), timeoutMs);
      worker.on('error', (error: Error & { code?: string }) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ ok: false, message: FAILURES.too_large });
        else reject(error);
      });
      worker.on('exit', () => reject(new Error('the reading thread ended')));
      collect(worker, resolve);
      worker.postMessage(order);
    });
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

/** Takes the rows in parts: all at once, they would hold the event loop for longer than 50 ms. */
function collect(worker: Worker, resolve: (outcome: ReadOutcome) => void): void {
  let list: ListRead | null = null;
  let expected = 0;
  worker.on('message', (report: ReadingReport) => {
    if (report.kind === 'failed') return resolve({ ok: false, message: report.message });
    if (report.kind === 'list') [list, expected] = [report.list, report.rows];
    else list?.rows.push(...report.rows);
    if (!list) return;
    if (list.rows.length >= expected) return resolve({ ok: true, list });
    // Messages that wait are handled without a pause, so the next part is asked for after other work.
    setImmediate(() => worker.postMessage({ kind: 'next' } satisfies ReadingOrder));
  });
}
