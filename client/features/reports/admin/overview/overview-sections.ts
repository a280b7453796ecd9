import type { ReportCell, ReportColumn, ReportSection } from '#client/exports/report-document.ts';
import { formatDateRange } from '#client/lib/format.ts';
import { checkedText, estimatedText, noteOf } from '#client/lib/sum-texts.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import { UNPAID_LABEL } from '#shared/labels.ts';
import { wholePercent } from '../whole-percent.ts';
import { periodSoFar } from './compared-with.ts';
import { type DueRow, monthRows, sumRows, yearRows } from './due-rows.ts';
import { formatMonth } from './format-month.ts';

function dueCells({ label, total, paid, unpaid, overdue }: DueRow): ReportCell[] {
  return [
    label,
    total.count,
    paid.count,
    total.amount,
    paid.amount,
    unpaid.amount,
    overdue.amount,
    wholePercent(paid.amount, total.amount),
  ];
}

/** @param firstColumn a year is written as a number, so that a worksheet can sort it */
function dueSection(heading: string, firstColumn: ReportColumn, rows: readonly DueRow[]): ReportSection {
  return {
    heading,
    columns: [
      firstColumn,
      { header: 'Data', kind: 'integer', width: 9 },
      { header: 'Lunas', kind: 'integer', width: 9 },
      { header: 'Total', kind: 'rupiah', width: 24 },
      { header: 'Terbayar', kind: 'rupiah', width: 24 },
      { header: 'Belum terbayar', kind: 'rupiah', width: 24 },
      { header: 'Tunggakan', kind: 'rupiah', width: 24 },
      { header: '% Terbayar', kind: 'percent', width: 17 },
    ],
    rows: rows.map((row) => {
      const [label = null, ...sums] = dueCells(row);
      return [firstColumn.kind === 'year' ? Number(label) : label, ...sums];
    }),
    ...(rows.length > 0 && { totals: dueCells(sumRows(rows)) }),
  };
}

/**
 * The report of the period as sections of a document, in the order of the page.
 * @param today a period that has not ended is named up to this day
 * @param lastRow one more main number
 */
export function overviewSections(overview: ReportOverview, today: string, lastRow: ReportCell[]): ReportSection[] {
  const { received, unpaid, overdue, by_month, top_overdue } = overview;
  const { from: fromDate, to: toDate } = received.previous;
  const nowLabel = `Diterima pada periode ini (${periodSoFar(overview, today)})`;
  const beforeLabel = `Diterima pada periode sebelumnya (${formatDateRange({ fromDate, toDate })})`;
  return [
    {
      heading: 'Angka Utama',
      columns: [
        { header: 'Angka', kind: 'text', width: 40 },
        { header: 'Data', kind: 'integer', width: 16 },
        { header: 'Jumlah', kind: 'rupiah', width: 30 },
      ],
      rows: [
        [nowLabel, received.count, received.amount],
        [beforeLabel, received.previous.count, received.previous.amount],
        [`${UNPAID_LABEL} per hari ini`, unpaid.count, unpaid.amount],
        ['Tunggakan per hari ini', overdue.count, overdue.amount],
        lastRow,
      ],
      notes: [
        ...noteOf(nowLabel, checkedText(received.checked)),
        ...noteOf(beforeLabel, checkedText(received.previous.checked)),
        ...noteOf('Tunggakan per hari ini', estimatedText(overdue.estimated)),
      ],
    },
    {
      ...dueSection('Tagihan per Tahun Pajak', { header: 'Tahun', kind: 'year', width: 14 }, yearRows(overview)),
      notes: yearRows(overview).flatMap(({ label, paid, overdue: overdueOfYear }) =>
        noteOf(`Terbayar ${label}`, checkedText(paid.checked)).concat(
          noteOf(`Tunggakan ${label}`, estimatedText(overdueOfYear.estimated)),
        ),
      ),
    },
    dueSection('Tagihan per Bulan Jatuh Tempo', { header: 'Bulan', kind: 'text', width: 18 }, monthRows(overview)),
    {
      heading: 'Pembayaran per Bulan',
      columns: [
        { header: 'Bulan', kind: 'text', width: 30 },
        { header: 'Pembayaran', kind: 'integer', width: 20 },
        { header: 'Jumlah', kind: 'rupiah', width: 30 },
      ],
      rows: by_month.map(({ month, received: ofMonth }) => [formatMonth(month), ofMonth.count, ofMonth.amount]),
      totals: ['Total', received.count, received.amount],
      notes: noteOf('Jumlah', checkedText(received.checked)),
    },
    {
      heading: 'Tunggakan Terbesar',
      columns: [
        { header: 'No.', kind: 'integer', width: 6 },
        { header: 'Nama', kind: 'text', width: 36 },
        { header: 'Data', kind: 'integer', width: 14 },
        { header: 'Jumlah', kind: 'rupiah', width: 30 },
      ],
      rows: top_overdue.map(({ user, count, amount }, index) => [index + 1, user.name, count, amount]),
      notes: top_overdue.flatMap(({ user, estimated }) => noteOf(user.name, estimatedText(estimated))),
    },
  ];
}
