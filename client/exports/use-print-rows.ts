import { useState } from 'react';
import { flushSync } from 'react-dom';

type Detail = { label: string; value: string };
type PrintJob<Row> = { listKey: string; rows: readonly Row[]; details: Detail[]; atMs: number };

/**
 * Keeps the rows of the last print, which are drawn only in print. They stay after the print, because some phones capture the
 * page only after they report the end of printing.
 * @param listKey identifies the list on screen; when it changes, a later print by the browser must not contain the old rows
 */
export function usePrintRows<Row>(listKey: string) {
  const [job, setJob] = useState<PrintJob<Row> | null>(null);
  function print(rows: readonly Row[], details: Detail[]): void {
    flushSync(() => setJob({ listKey, rows, details, atMs: Date.now() }));
    window.print();
  }
  return { job: job?.listKey === listKey ? job : null, print };
}
