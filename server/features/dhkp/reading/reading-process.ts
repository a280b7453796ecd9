import { limitMemory } from './files/memory-limit.ts';
import type { ReadingOrder, ReadingReport } from './list-reader.ts';
import type { ListRow, ReadChoices } from './list-reading.ts';
import { type ListSource, readList } from './read-list.ts';

/** The memory of one reading; see `LIST_PROCESS_OPTIONS`. */
const HEAP_BYTES_MAX = 512 * 2 ** 20;
/** A part takes the receiver a few milliseconds. */
const ROWS_PER_PART = 250;

/** The server ends its readings itself, so that one which is broken off is not taken for a file that is too large. */
const IGNORED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs in the process of a reading: reads one list and hands over its rows in parts. Ends with the server. */
export function serveListReading(): void {
  for (const signal of IGNORED_SIGNALS) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));
  limitMemory(HEAP_BYTES_MAX);
  const report = (message: ReadingReport): void => void process.send?.(message);
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

  process.on('message', (order: ReadingOrder) => {
    if (order.kind === 'next') return sendNext();
    read(order.source, order.choices).catch((error: unknown) =>
      report({ kind: 'error', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
