import { useRef, useState } from 'react';
import { exportReport, type ExportKind } from '#client/exports/export-report.ts';
import { formatNumber } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { RecordFilter } from '../admin/api.ts';
import { fetchAll } from './fetch-all.ts';
import { type Detail, recordDocument } from './record-document.ts';

export type TakeOutKind = ExportKind | 'print';
/** A chosen few, or all that a filter finds. */
export type TakeOutSource = { details: Detail[] } & ({ records: readonly TaxRecord[] } | { filter: RecordFilter });

const names: Record<TakeOutKind, string> = { pdf: 'PDF', xlsx: 'Excel', print: 'cetakan' };
/** Beyond these a phone's or an office computer's browser runs out of memory, or the printer out of paper. */
const MAX: Record<TakeOutKind, number> = { xlsx: 50_000, pdf: 5000, print: 2000 };

export class TooMany extends Error {}

/** Takes records out of the program, into a file or onto paper; `progress` says how far the fetching is. */
export function useTakeOut(print: (records: readonly TaxRecord[], details: Detail[]) => void) {
  const [progress, setProgress] = useState<{ got: number; total: number; name: string } | null>(null);
  const abort = useRef<AbortController | null>(null);

  async function collect(kind: TakeOutKind, source: TakeOutSource, signal: AbortSignal) {
    const check = (total: number) => {
      if (total > MAX[kind]) throw new TooMany(`${formatNumber(total)} data terlalu banyak untuk ${names[kind]}`);
    };
    if ('records' in source) {
      check(source.records.length);
      return source.records;
    }
    return fetchAll(source.filter, {
      signal,
      onProgress: (got, total) => {
        check(total);
        setProgress({ got, total, name: names[kind] });
      },
    });
  }

  const { submit, busy } = useSubmit(async (kind: TakeOutKind, source: TakeOutSource) => {
    const controller = new AbortController();
    abort.current = controller;
    setProgress({ got: 0, total: 0, name: names[kind] });
    try {
      const records = await collect(kind, source, controller.signal);
      if (kind === 'print') print(records, source.details);
      else {
        await exportReport(kind, recordDocument(records, source.details, Date.now()));
        notify.success(`${formatNumber(records.length)} data berhasil diekspor ke ${names[kind]}`);
      }
    } catch (error) {
      if (controller.signal.aborted) notify.info('Dibatalkan');
      else if (error instanceof TooMany) {
        notify.error(error.message, `Paling banyak ${formatNumber(MAX[kind])}. Persempit dengan filter.`);
      } else notify.failure(error, kind === 'print' ? 'Gagal memuat data pajak' : `Gagal mengekspor ke ${names[kind]}`);
    } finally {
      setProgress(null);
    }
  });

  return { takeOut: submit, busy, progress, cancel: () => abort.current?.abort() };
}
