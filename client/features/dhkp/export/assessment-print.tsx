import { cellText, isNumericKind, normalizeCell } from '#client/exports/report-document.ts';
import { formatRupiah, showDateTime } from '#client/lib/format.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';
import paper from '#client/ui/print/print.module.css';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { listColumns } from './assessment-document.ts';

type Props = {
  job: { rows: readonly Assessment[]; details: { label: string; value: string }[]; atMs: number };
};

/** The printed list with the same columns as the files. It has all objects, while the screen shows them page by page. */
export function AssessmentPrint({ job }: Props) {
  const { rows, details, atMs } = job;
  return (
    <div className={`print-only ${paper['wide']}`}>
      <PaperHead
        title="DAFTAR HIMPUNAN KETETAPAN PAJAK"
        details={[...details, { label: 'Tanggal cetak', value: showDateTime(new Date(atMs).toISOString()) }]}
      />
      <table className={`${paper['table']} ${paper['small']}`}>
        <thead>
          <tr>
            {listColumns.map(({ header, kind }) => (
              <th key={header} scope="col" className={isNumericKind(kind) ? paper['figure'] : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((assessment, index) => (
            <tr key={assessment.id}>
              {listColumns.map((column) => (
                <td key={column.header} className={isNumericKind(column.kind) ? paper['figure'] : undefined}>
                  {cellText(normalizeCell(column.value({ ...assessment, position: index + 1 }), column), true)}
                </td>
              ))}
            </tr>
          ))}
          <tr className={paper['total']}>
            <td colSpan={7}>Jumlah seluruhnya</td>
            <td className={paper['figure']}>{formatRupiah(totalAmount(rows))}</td>
            <td colSpan={4}>&nbsp;</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
