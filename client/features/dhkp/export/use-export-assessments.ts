import type { ExportChoice } from '#client/exports/export-menu.tsx';
import { exportReport } from '#client/exports/export-report.ts';
import { useExport } from '#client/exports/use-export.ts';
import { formatNumber } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session/session.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { type AssessmentFilter, assessmentPages } from '../api.ts';
import { assessmentExport } from './assessment-document.ts';

type Detail = { label: string; value: string };
/** The chosen objects, or all that match a filter. */
export type ExportSource = { year: number; details: Detail[]; fileNamePart: string } & (
  | { rows: readonly Assessment[] }
  | { filter: AssessmentFilter }
);

const exportNames: Record<ExportChoice, string> = { pdf: 'PDF', xlsx: 'Excel', print: 'cetakan' };
/** The largest list of a year as Excel; more on paper has more sheets than one reads. */
const ROWS_MAX: Record<ExportChoice, number> = { xlsx: 50_000, pdf: 5000, print: 3000 };

async function* rowParts(
  source: ExportSource,
  signal: AbortSignal,
): AsyncGenerator<{ rows: readonly Assessment[]; total: number }> {
  if ('rows' in source) yield { rows: source.rows, total: source.rows.length };
  else yield* assessmentPages(source.filter, signal);
}

/** Exports or prints objects of the office's list. */
export function useExportAssessments(print: (rows: readonly Assessment[], details: Detail[]) => void) {
  const { run, busy, state, cancel } = useExport();
  const userName = useSession()?.user?.name ?? '-';

  function exportRows(kind: ExportChoice, source: ExportSource): Promise<void> {
    const name = exportNames[kind];
    return run({
      name,
      rowsMax: ROWS_MAX[kind],
      failedText: kind === 'print' ? 'Gagal memuat daftar objek' : `Gagal mengekspor ke ${name}`,
      async run({ signal, onCollected, onMaking }) {
        if (kind === 'print') {
          const found: Assessment[] = [];
          for await (const { rows, total } of rowParts(source, signal)) {
            found.push(...rows);
            onCollected(found.length, total);
          }
          print(found, source.details);
          return null;
        }
        const { addRows, finish, count } = assessmentExport(kind);
        await exportReport(
          kind,
          async (handOver) => {
            for await (const { rows, total } of rowParts(source, signal)) {
              handOver(addRows(rows));
              onCollected(count(), total);
            }
            return finish(source, userName, Date.now());
          },
          { signal, onMaking },
        );
        return `${formatNumber(count())} objek berhasil diekspor ke ${name}`;
      },
    });
  }

  return { exportRows, busy, progress: state, cancel };
}
