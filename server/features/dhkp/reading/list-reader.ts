import type { Worker } from 'node:worker_threads';
import type { ListRead, ListRow, ReadChoices, ReadOutcome } from './list-reading.ts';
import { type ListSource, readList } from './read-list.ts';
import { FAILURES } from './rules/messages.ts';

export type ListReader = {
  /**
   * Reads a list. What is wrong with the file is in the outcome.
   * @param takeRows gets the rows in parts, in their order, with the list, which then has none. So many objects at once would
   * hold the event loop while garbage is collected. The next part comes when it has resolved; its time is not that of the reading.
   * @throws the signal's reason, or the error of a thread that ended for another reason than the file
   */
  read: (source: ListSource, choices: ReadChoices, signal?: AbortSignal, takeRows?: TakeRows) => Promise<ReadOutcome>;
};

export type TakeRows = (rows: ListRow[], list: ListRead) => void | Promise<void>;

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
    read: async (source, choices, signal, takeRows) => {
      signal?.throwIfAborted();
      const outcome = await readList(source, choices);
      if (!outcome.ok || !takeRows) return outcome;
      const list = { ...outcome.list, rows: [] };
      if (outcome.list.rows.length > 0) await takeRows(outcome.list.rows, list);
      return { ok: true, list };
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
    read(source, choices, signal, takeRows) {
      const turn = last.then(() => {
        signal?.throwIfAborted();
        return readInThread(startWorker, { kind: 'read', source, choices }, { timeoutMs, signal, takeRows });
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function readInThread(
  startWorker: () => Worker,
  order: ReadingOrder,
  options: { timeoutMs: number; signal: AbortSignal | undefined; takeRows: TakeRows | undefined },
): Promise<ReadOutcome> {
  const { timeoutMs, signal, takeRows } = options;
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
      collect(worker, { takeRows, onList: () => clearTimeout(timer) }, resolve, reject);
      worker.postMessage(order);
    });
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

/** Takes the rows in parts: all at once, they would hold the event loop for longer than 50 ms. */
function collect(
  worker: Worker,
  { takeRows, onList }: { takeRows: TakeRows | undefined; onList: () => void },
  resolve: (outcome: ReadOutcome) => void,
  reject: (error: unknown) => void,
): void {
  let list: ListRead | null = null;
  let expected = 0;
  let taken = 0;

  async function takePart(rows: ListRow[]): Promise<void> {
    taken += rows.length;
    if (!list) return;
    if (takeRows) await takeRows(rows, list);
    else list.rows.push(...rows);
  }

  async function receive(report: ReadingReport): Promise<void> {
    if (report.kind === 'failed') return resolve({ ok: false, message: report.message });
    if (report.kind === 'rows') await takePart(report.rows);
    else {
      onList();
      [list, expected] = [report.list, report.rows];
    }
    if (!list) return;
    if (taken >= expected) return resolve({ ok: true, list });
    // Messages that wait are handled without a pause, so the next part is asked for after other work.
    setImmediate(() => worker.postMessage({ kind: 'next' } satisfies ReadingOrder));
  }

  worker.on('message', (report: ReadingReport) => void receive(report).catch(reject));
}
