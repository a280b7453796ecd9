import { formatNumber } from '#client/lib/format.ts';
import { checkedText, estimatedText, noteOf } from '#client/lib/sum-texts.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import { sharePercent, totalAmount } from '#shared/domain/money/rupiah.ts';
import type { BarPart, BarSpan, ReportTable, ReportTableColumn, TableBar } from '../table/report-table.ts';

const monthFormat = new Intl.DateTimeFormat('id-ID', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** 'Jan 2026' of '2026-01'. */
export function formatMonth(month: string): string {
  return monthFormat.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** A number of records and their sum in rupiah. */
type Sum = { count: number; amount: number };
/** `unpaid` contains `overdue`. */
export type DueRow = {
  label: string;
  total: Sum;
  paid: Sum;
  unpaid: Sum;
  overdue: Sum;
  /** Of a tax year: what the office knows of its sums. */
  ofYear?: ReportOverview['by_year'][number];
};

const countText = ({ count }: Sum): string => (count > 0 ? `${formatNumber(count)} data` : '');
const paidPercent = ({ paid, total }: DueRow): number => sharePercent(paid.amount, total.amount, 0);

/** On the screen the number of records stands below each sum. */
const dueColumns: readonly ReportTableColumn<DueRow>[] = [
  { header: 'Data', kind: 'integer', width: 9, value: ({ total }) => total.count, isFileOnly: true },
  { header: 'Lunas', kind: 'integer', width: 9, value: ({ paid }) => paid.count, isFileOnly: true },
  {
    header: 'Total',
    kind: 'rupiah',
    width: 24,
    value: ({ total }) => total.amount,
    below: ({ total }) => countText(total),
  },
  {
    header: 'Terbayar',
    kind: 'rupiah',
    width: 24,
    value: ({ paid }) => paid.amount,
    below: (row) => (row.paid.count > 0 ? `${countText(row.paid)} · ${paidPercent(row)}%` : ''),
  },
  {
    header: 'Belum terbayar',
    kind: 'rupiah',
    width: 24,
    value: ({ unpaid }) => unpaid.amount,
    below: ({ unpaid }) => countText(unpaid),
  },
  {
    header: 'Tunggakan',
    kind: 'rupiah',
    width: 24,
    value: ({ overdue }) => overdue.amount,
    below: ({ overdue }) => countText(overdue),
  },
  { header: '% Terbayar', kind: 'percent', width: 17, value: paidPercent, isFileOnly: true },
];

const addUp = (sums: readonly Sum[]): Sum => ({
  count: sums.reduce((total, { count }) => total + count, 0),
  amount: totalAmount(sums),
});

/** All rows together. */
const sumRows = (rows: readonly DueRow[]): DueRow => ({
  label: 'Total',
  total: addUp(rows.map(({ total }) => total)),
  paid: addUp(rows.map(({ paid }) => paid)),
  unpaid: addUp(rows.map(({ unpaid }) => unpaid)),
  overdue: addUp(rows.map(({ overdue }) => overdue)),
});

/** The amounts to pay of each tax year, in all records. */
export function yearTable({ by_year }: ReportOverview): ReportTable<DueRow> {
  const rows = by_year.map((ofYear) => ({ label: String(ofYear.year), ...ofYear, ofYear }));
  return {
    heading: 'Tagihan per Tahun Pajak',
    // A number, so that a worksheet can sort it.
    columns: [{ header: 'Tahun', kind: 'year', width: 14, value: ({ label }) => Number(label) }, ...dueColumns],
    rows,
    total: { label: 'Total', row: sumRows(rows) },
    notes: rows.flatMap(({ label, paid, overdue }) =>
      noteOf(`Terbayar ${label}`, checkedText(paid.checked)).concat(
        noteOf(`Tunggakan ${label}`, estimatedText(overdue.estimated)),
      ),
    ),
  };
}

/** The amounts to pay in each month of the period with a due date. A year usually has one such month. */
export function monthTable({ by_month }: ReportOverview): ReportTable<DueRow> {
  const rows = by_month.flatMap(({ month, due }) =>
    due.total.count > 0 ? [{ label: formatMonth(month), ...due }] : [],
  );
  return {
    heading: 'Tagihan per Bulan Jatuh Tempo',
    columns: [{ header: 'Bulan', kind: 'text', width: 18, value: ({ label }) => label }, ...dueColumns],
    rows,
    total: { label: 'Total', row: sumRows(rows) },
  };
}

/** Bars whose length is the total, relative to the largest one. */
export function dueBar(rows: readonly DueRow[]): TableBar<DueRow> {
  const scale = 100 / Math.max(...rows.map(({ total }) => total.amount), 1);
  return {
    legend: [
      { part: 'paid', text: 'Terbayar' },
      { part: 'open', text: 'Belum jatuh tempo' },
      { part: 'overdue', text: 'Tunggakan' },
    ],
    parts: ({ paid, unpaid, overdue }) =>
      stackParts([
        { part: 'paid', percent: paid.amount * scale },
        { part: 'open', percent: (unpaid.amount - overdue.amount) * scale },
        { part: 'overdue', percent: overdue.amount * scale },
      ]),
  };
}

/** One part behind the other; a part of nothing is left out. */
function stackParts(parts: readonly { part: BarPart; percent: number }[]): BarSpan[] {
  let to = 0;
  return parts
    .filter(({ percent }) => percent > 0)
    .map(({ part, percent }) => {
      const from = to;
      to += percent;
      return { part, from, to };
    });
}
