import type { ReportOverview } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import { formatMonth } from './format-month.ts';

/** A number of records and their sum in rupiah. */
type Sum = { count: number; amount: number };
/** `unpaid` contains `overdue`. */
export type DueRow = { label: string; total: Sum; paid: Sum; unpaid: Sum; overdue: Sum };
export type YearRow = DueRow & Pick<ReportOverview['by_year'][number], 'year' | 'paid' | 'overdue'>;

export const yearRows = ({ by_year }: ReportOverview): YearRow[] =>
  by_year.map((sums) => ({ label: String(sums.year), ...sums }));

/** The months of the period in which something was due; a year usually has one such month. */
export const monthRows = ({ by_month }: ReportOverview): DueRow[] =>
  by_month.flatMap(({ month, due }) => (due.total.count > 0 ? [{ label: formatMonth(month), ...due }] : []));

const addUp = (sums: readonly Sum[]): Sum => ({
  count: sums.reduce((total, { count }) => total + count, 0),
  amount: totalAmount(sums),
});

/** All rows together. */
export const sumRows = (rows: readonly DueRow[]): DueRow => ({
  label: 'Total',
  total: addUp(rows.map(({ total }) => total)),
  paid: addUp(rows.map(({ paid }) => paid)),
  unpaid: addUp(rows.map(({ unpaid }) => unpaid)),
  overdue: addUp(rows.map(({ overdue }) => overdue)),
});

/** The parts of a bar in percent of its own length; a part of nothing is left out. */
export function dueParts({ total, paid, unpaid, overdue }: DueRow): { part: string; percent: number }[] {
  const parts = [
    { part: 'paid', amount: paid.amount },
    { part: 'open', amount: unpaid.amount - overdue.amount },
    { part: 'overdue', amount: overdue.amount },
  ];
  return parts
    .filter(({ amount }) => amount > 0)
    .map(({ part, amount }) => ({ part, percent: total.amount > 0 ? (amount / total.amount) * 100 : 0 }));
}
