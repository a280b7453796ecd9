import { exportReport } from '#client/exports/export-report.ts';
import { useExport } from '#client/exports/use-export.ts';
import type { ExportChoice } from '#client/exports/export-menu.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session/session.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { adminRecordPages } from '../admin-list-api.ts';
import type { AdminRecordFilter } from '../api.ts';
import { type ReportDetail, recordExport } from './record-document.ts';

/** The selected records, or all records that match a filter. */
export type RecordExportSource = { details: ReportDetail[]; fileNamePart: string } & (
  | { records: readonly TaxRecord[] }
  | { filter: AdminRecordFilter }
);

const exportNames: Record<ExportChoice, string> = { pdf: 'PDF', xlsx: 'Excel', print: 'cetakan' };
/**
 * Above these limits a computer with 4 GB runs out of memory, or a file or print has more sheets of paper than one reads:
 * 5,000 records are about 130 pages of PDF.
 */
export const RECORDS_MAX: Record<ExportChoice, number> = { xlsx: 100_000, pdf: 5000, print: 2000 };

/** The records in parts, with their total, so that none has to be kept that is already handed over. */
async function* recordParts(
  source: RecordExportSource,
  signal: AbortSignal,
): AsyncGenerator<{ rows: readonly TaxRecord[]; total: number }> {
  if ('records' in source) yield { rows: source.records, total: source.records.length };
  else yield* adminRecordPages(source.filter, signal);
}

/** Exports or prints records (R-REC-21). */
export function useExportRecords(print: (records: readonly TaxRecord[], details: ReportDetail[]) => void) {
  const { run, busy, state, cancel } = useExport();
  const userName = useSession()?.user?.name ?? '-';

  function exportRecords(kind: ExportChoice, source: RecordExportSource): Promise<void> {
    const name = exportNames[kind];
    return run({
      name,
      rowsMax: RECORDS_MAX[kind],
      failedText: kind === 'print' ? 'Gagal memuat data pajak' : `Gagal mengekspor ke ${name}`,
      async run({ signal, onCollected, onMaking }) {
        if (kind === 'print') {
          const found: TaxRecord[] = [];
          for await (const { rows, total } of recordParts(source, signal)) {
            found.push(...rows);
            onCollected(found.length, total);
          }
          print(found, source.details);
          return null;
        }
        const { addRecords, finish, count } = recordExport(kind);
        await exportReport(
          kind,
          async (addRows) => {
            for await (const { rows, total } of recordParts(source, signal)) {
              addRows(addRecords(rows));
              onCollected(count(), total);
            }
            return finish(source, userName, Date.now());
          },
          { signal, onMaking },
        );
        return `${formatNumber(count())} data berhasil diekspor ke ${name}`;
      },
    });
  }

  return { exportRecords, busy, progress: state, cancel };
}
