import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { ReportDetail } from './record-document.ts';

type PrintJob = { listKey: string; records: readonly TaxRecord[]; details: ReportDetail[]; atMs: number };

/**
 * What is drawn only on paper: the records of the last print. They stay, because some phones take their picture only after they say that
 * printing is over.
 * @param listKey what the page shows; once it shows something else, the browser's own print is not to bring the old records again
 */
export function usePrintRecords(listKey: string) {
  const [job, setJob] = useState<PrintJob | null>(null);
  function print(records: readonly TaxRecord[], details: ReportDetail[]) {
    flushSync(() => setJob({ listKey, records, details, atMs: Date.now() }));
    window.print();
  }
  return { job: job?.listKey === listKey ? job : null, print };
}
