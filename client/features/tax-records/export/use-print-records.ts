import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { ReportDetail } from './record-document.ts';

type PrintJob = { listKey: string; records: readonly TaxRecord[]; details: ReportDetail[]; atMs: number };

/**
 * Keeps the records of the last print, which are drawn only in print. They stay after the print, because some phones capture the page
 * only after they report the end of printing.
 * @param listKey identifies the list on screen; when it changes, a later print by the browser must not contain the old records
 */
export function usePrintRecords(listKey: string) {
  const [job, setJob] = useState<PrintJob | null>(null);
  function print(records: readonly TaxRecord[], details: ReportDetail[]) {
    flushSync(() => setJob({ listKey, records, details, atMs: Date.now() }));
    window.print();
  }
  return { job: job?.listKey === listKey ? job : null, print };
}
