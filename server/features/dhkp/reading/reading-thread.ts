import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { limitMemory } from './files/memory-limit.ts';
import type { ReadingOrder, ReadingReport } from './list-reader.ts';
import type { ListRow, ReadChoices } from './list-reading.ts';
import { type ListSource, readList } from './read-list.ts';

/** While every core is busy, the chat comes first, as before slow queries. */
const NICENESS = 5;
/** The memory of one reading; see `LIST_THREAD_LIMITS`. */
const HEAP_BYTES_MAX = 512 * 2 ** 20;
/** A part takes the receiver a few milliseconds. */
const ROWS_PER_PART = 250;

/** Runs inside the worker thread: reads one list and hands over its rows in parts. */
export function serveListReading(): void {
  limitMemory(HEAP_BYTES_MAX);
  if (process.platform === 'linux') setPriority(NICENESS);
  const report = (message: ReadingReport): void => parentPort?.postMessage(message);
  let rows: ListRow[] = [];
  let sent = 0;

  async function read(source: ListSource, choices: ReadChoices): Promise<void> {
    const outcome = await readList(source, choices);
    if (!outcome.ok) return report({ kind: 'failed', message: outcome.message });
    ({ rows } = outcome.list);
    report({ kind: 'list', list: { ...outcome.list, rows: [] }, rows: rows.length });
  }

  function sendNext(): void {
    report({ kind: 'rows', rows: rows.slice(sent, sent + ROWS_PER_PART) });
    sent += ROWS_PER_PART;
  }

  parentPort?.on('message', (order: ReadingOrder) => {
    if (order.kind === 'next') sendNext();
    else void read(order.source, order.choices);
  });
}
