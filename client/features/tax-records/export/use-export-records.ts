import { useRef, useState } from 'react';
import { exportReport, type ExportKind } from '#client/exports/export-report.ts';
import { formatNumber } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { type AdminRecordFilter, fetchAllAdminRecords } from '../api.ts';
import { type ReportDetail, recordDocument } from './record-document.ts';

export type RecordExportKind = ExportKind | 'print';
/** The selected records, or all records that match a filter. */
export type RecordExportSource = { details: ReportDetail[] } & (
  | { records: readonly TaxRecord[] }
  | { filter: AdminRecordFilter }
);

const exportNames: Record<RecordExportKind, string> = { pdf: 'PDF', xlsx: 'Excel', print: 'cetakan' };
/** Above these limits a browser on a phone or an ordinary computer runs out of memory, or a printer out of paper. */
const RECORDS_MAX: Record<RecordExportKind, number> = { xlsx: 50_000, pdf: 5000, print: 2000 };

export class TooManyRecordsError extends Error {}

/** Exports or prints records (R-REC-21); `progress` is the progress of fetching them. */
export function useExportRecords(print: (records: readonly TaxRecord[], details: ReportDetail[]) => void) {
  const [progress, setProgress] = useState<{ fetchedCount: number; total: number; name: string } | null>(null);
  const abort = useRef<AbortController | null>(null);

  async function collectRecords(kind: RecordExportKind, source: RecordExportSource, signal: AbortSignal) {
    const requireWithinLimit = (total: number) => {
      if (total > RECORDS_MAX[kind])
        throw new TooManyRecordsError(`${formatNumber(total)} data terlalu banyak untuk ${exportNames[kind]}`);
    };
    if ('records' in source) {
      requireWithinLimit(source.records.length);
      return source.records;
    }
    return fetchAllAdminRecords(source.filter, {
      signal,
      onProgress: (fetchedCount, total) => {
        requireWithinLimit(total);
        setProgress({ fetchedCount, total, name: exportNames[kind] });
      },
    });
  }

  const { submit, busy } = useSubmit(async (kind: RecordExportKind, source: RecordExportSource) => {
    const controller = new AbortController();
    abort.current = controller;
    setProgress({ fetchedCount: 0, total: 0, name: exportNames[kind] });
    try {
      const records = await collectRecords(kind, source, controller.signal);
      if (kind === 'print') print(records, source.details);
      else {
        await exportReport(kind, recordDocument(records, source.details, Date.now()));
        notify.success(`${formatNumber(records.length)} data berhasil diekspor ke ${exportNames[kind]}`);
      }
    } catch (error) {
      if (controller.signal.aborted) notify.info('Dibatalkan');
      else if (error instanceof TooManyRecordsError) {
        notify.error(error.message, `Paling banyak ${formatNumber(RECORDS_MAX[kind])}. Persempit dengan filter.`);
      } else
        notify.failure(
          error,
          kind === 'print' ? 'Gagal memuat data pajak' : `Gagal mengekspor ke ${exportNames[kind]}`,
        );
    } finally {
      setProgress(null);
    }
  });

  return { exportRecords: submit, busy, progress, cancel: () => abort.current?.abort() };
}
