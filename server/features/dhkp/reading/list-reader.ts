import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { ListRead, ListRow, ReadChoices, ReadOutcome } from './list-reading.ts';
import { type ListSource, readList } from './read-list.ts';
import { FAILURES } from './rules/messages.ts';

export type ListReader = {
  /**
   * Reads a list. What is wrong with the file is in the outcome.
   * @param takeRows gets the rows in parts, in their order, with the list, which then has none. So many objects at once would
   * hold the event loop while garbage is collected. The next part comes when it has resolved; its time is not that of the reading.
   * @throws the signal's reason, or the error of a process that ended for another reason than the file
   */
  read: (source: ListSource, choices: ReadChoices, signal?: AbortSignal, takeRows?: TakeRows) => Promise<ReadOutcome>;
};

export type TakeRows = (rows: ListRow[], list: ListRead) => void | Promise<void>;

type ListReaderOptions = {
  /** Starts a process that calls `serveListReading`, with `LIST_PROCESS_OPTIONS`. */
  startProcess: () => ChildProcess;
  timeoutMs?: number;
};

/** Messages to the process: first the reading, then a request for each next part of its rows. */
export type ReadingOrder = { kind: 'read'; source: ListSource; choices: ReadChoices } | { kind: 'next' };
export type ReadingReport =
  | { kind: 'list'; list: ListRead; rows: number }
  | { kind: 'rows'; rows: ListRow[] }
  | { kind: 'failed'; message: string }
  | { kind: 'error'; stack: string };

/**
 * Options of `spawn`. Rows are sent as they are, without JSON. The process gets none of the server's secrets. It stops
 * itself at 512 MiB (`files/memory-limit.ts`); beyond its limit V8 ends it.
 */
export const LIST_PROCESS_OPTIONS = {
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  serialization: 'advanced',
  windowsHide: true,
  env: { NODE_OPTIONS: '--max-old-space-size=896 --max-semi-space-size=16 --v8-pool-size=1' },
} satisfies SpawnOptions;
/** Signals that end the server as well. All others come from the process itself, or from a system that lacks memory. */
const STOP_SIGNALS = new Set<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP']);
/** The exit code of a process on Windows that V8 ended; beyond `0xC0000000` Windows ended it. */
const ABORTED = 134;
const TIMEOUT_MS = 60_000;

/** Reads in the calling process: for tests. */
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
 * Reads each list in a process of its own, one at a time. The process ends with its reading, so its memory is free again.
 * An attack in a file can end that process and no other: V8 ends a whole process where memory grows fast.
 */
export function createListReader({ startProcess, timeoutMs = TIMEOUT_MS }: ListReaderOptions): ListReader {
  let last: Promise<unknown> = Promise.resolve();
  return {
    read(source, choices, signal, takeRows) {
      const turn = last.then(() => {
        signal?.throwIfAborted();
        return readInProcess(startProcess, { kind: 'read', source, choices }, { timeoutMs, signal, takeRows });
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function readInProcess(
  startProcess: () => ChildProcess,
  order: ReadingOrder,
  options: { timeoutMs: number; signal: AbortSignal | undefined; takeRows: TakeRows | undefined },
): Promise<ReadOutcome> {
  const { timeoutMs, signal, takeRows } = options;
  const child = startProcess();
  child.unref();
  child.channel?.unref();
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise<ReadOutcome>((resolve, reject) => {
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort);
      timer = setTimeout(() => resolve({ ok: false, message: FAILURES.too_slow }), timeoutMs);
      child.on('error', reject);
      child.on('exit', (code, endSignal) => {
        if (endedByFile(code, endSignal)) resolve({ ok: false, message: FAILURES.too_large });
        else reject(new Error(`the reading process ended (${endSignal ?? code})`));
      });
      collect(child, { takeRows, onList: () => clearTimeout(timer) }, resolve, reject);
      send(child, order);
    });
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
    child.kill('SIGKILL');
    await ended;
  }
}

/** Whether a process was ended by what it read, which was too large. */
const endedByFile = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  signal === null ? code === ABORTED || (code ?? 0) >= 0xc0_00_00_00 : !STOP_SIGNALS.has(signal);

/** A process that has ended takes no message; its end is reported on its own. */
const send = (child: ChildProcess, order: ReadingOrder): void => void child.send(order, () => undefined);

/** Takes the rows in parts: all at once, they would hold the event loop for longer than 50 ms. */
function collect(
  child: ChildProcess,
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
    if (report.kind === 'error') return reject(new Error(`an error of the reading process: ${report.stack}`));
    if (report.kind === 'rows') await takePart(report.rows);
    else {
      onList();
      [list, expected] = [report.list, report.rows];
    }
    if (!list) return;
    if (taken >= expected) return resolve({ ok: true, list });
    // Messages that wait are handled without a pause, so the next part is asked for after other work.
    setImmediate(() => send(child, { kind: 'next' }));
  }

  child.on('message', (report: ReadingReport) => void receive(report).catch(reject));
}
