import type { ReportCell, ReportDocument } from '#client/exports/report-document.ts';
import { reportHead } from '#client/exports/report-head.ts';
import { rowCells, type TableColumn, tableSection } from '#client/exports/report-table.ts';
import type { ExportKind } from '#client/exports/worker-messages.ts';
import { formatNumber, today } from '#client/lib/format.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { conditionLabels } from '#shared/domain/dhkp/list-states.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { NOT_LISTED } from '../display/assessment-texts.ts';

/** An object with its place in the list, from 1. */
type NumberedAssessment = Assessment & { position: number };

/** The remarks of the office about an object, in one cell. */
export function remarkOf({ listed, condition, note }: Assessment): string | null {
  const parts = [listed ? null : NOT_LISTED, condition === 'ok' ? null : conditionLabels[condition], note];
  return parts.filter((part) => part !== null).join(' · ') || null;
}

const collectorOf = ({ collector, file_collector }: Assessment): string | null => collector?.name ?? file_collector;

/** The office's 12 columns. `onPaper`: the width on a landscape page in millimetres. */
export const listColumns: readonly (TableColumn<NumberedAssessment> & { width: number; onPaper: number })[] = [
  { header: 'No', kind: 'integer', width: 7, onPaper: 9, value: ({ position }) => position },
  // As text: a spreadsheet keeps 15 digits of a number.
  { header: 'NOP', kind: 'text', width: 27, onPaper: 41, value: ({ nop_text }) => nop_text },
  { header: 'Nama wajib pajak', kind: 'text', width: 28, onPaper: 36, value: ({ name }) => name },
  { header: 'Alamat objek', kind: 'text', width: 28, onPaper: 34, value: ({ object_address }) => object_address },
  { header: 'Alamat wajib pajak', kind: 'text', width: 28, onPaper: 34, value: ({ payer_address }) => payer_address },
  { header: 'Luas tanah', kind: 'integer', width: 12, onPaper: 13, value: ({ land_m2 }) => land_m2 },
  { header: 'Luas bangunan', kind: 'integer', width: 15, onPaper: 17, value: ({ building_m2 }) => building_m2 },
  { header: 'Ketetapan', kind: 'rupiah', width: 18, onPaper: 22, value: ({ amount }) => amount },
  { header: 'Jatuh tempo', kind: 'date', width: 20, onPaper: 18, value: ({ due_date }) => due_date },
  {
    header: 'Tanggal bayar',
    kind: 'date',
    width: 20,
    onPaper: 18,
    value: ({ authority_paid }) => authority_paid?.on ?? null,
  },
  { header: 'Kolektor', kind: 'text', width: 20, onPaper: 18, value: collectorOf },
  { header: 'Keterangan', kind: 'text', width: 28, onPaper: 23, value: remarkOf },
];

const columnsOf = (kind: ExportKind) =>
  kind === 'xlsx'
    ? listColumns
    : listColumns.map(({ header, kind: cell, value, onPaper }) => ({ header, kind: cell, value, width: onPaper }));

/** The bold line below the rows: the sum stands below its column. */
function totalsOf(columns: readonly TableColumn<NumberedAssessment>[], total: number): ReportCell[] {
  return columns.map(({ kind }, index) => (kind === 'rupiah' ? total : index === 1 ? 'Jumlah' : ''));
}

/** Builds the document of objects that come in parts: the rows of each part, and at the end the document without rows. */
export function assessmentExport(kind: ExportKind) {
  const columns = columnsOf(kind);
  let count = 0;
  let totalRupiah = 0;
  return {
    count: () => count,

    addRows: (assessments: readonly Assessment[]): ReportCell[][] => {
      const first = count + 1;
      count += assessments.length;
      totalRupiah = totalAmount([{ amount: totalRupiah }, ...assessments]);
      return assessments.map((assessment, index) => rowCells(columns, { ...assessment, position: first + index }));
    },

    /** @param userName the signed-in person, named on the file */
    finish: (
      shownAs: { year: number; details: { label: string; value: string }[]; fileNamePart: string },
      userName: string,
      nowMs: number,
    ): ReportDocument => ({
      title: `Daftar Himpunan Ketetapan Pajak ${shownAs.year}`,
      ...reportHead(
        [
          ...shownAs.details,
          { label: 'Jumlah objek', value: formatNumber(count) },
          { label: 'Dibuat oleh', value: userName },
        ],
        nowMs,
      ),
      fileName: ['dhkp', shownAs.year, shownAs.fileNamePart, today()].filter(Boolean).join('_'),
      orientation: 'landscape',
      compact: true,
      sections: [
        {
          ...tableSection({ heading: `DHKP ${shownAs.year}`, columns, rows: [] }),
          ...(count > 0 && { totals: totalsOf(columns, totalRupiah) }),
        },
      ],
    }),
  };
}
