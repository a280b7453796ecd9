import { buildChecked, buildOverdue, buildPaid } from '#client/testing/build-sums.ts';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';

const buildTotals = (total: number, paid: number, records: number) => ({
  total_tax: total,
  paid_tax: paid,
  unpaid_tax: total - paid,
  total_records: records,
  checked: buildChecked(records, paid),
});
type Totals = ReturnType<typeof buildTotals>;
const zeroTotals = buildTotals(0, 0, 0);
const compareTotals = (totals: Totals, previous: Totals) => ({ ...totals, previous, previous_same_days: previous });

/** Admin statistics as the server answers them. */
export const exampleStatistics: AdminStatistics = {
  total_users: 64,
  active_users: 61,
  total_records: 412,
  total_objects: 412,
  lunas: 250,
  belum_lunas: 150,
  proses: 12,
  total_tax: 900_000_000,
  paid_tax: 600_000_000,
  unpaid_tax: 300_000_000,
  checked: buildChecked(250, 600_000_000),
  periods: {
    today: compareTotals(buildTotals(1_000_000, 400_000, 1), zeroTotals),
    week: compareTotals(buildTotals(2_000_000, 2_000_000, 3), buildTotals(4_000_000, 2_000_000, 4)),
    month: compareTotals(buildTotals(11_230_000, 5_000_000, 9), buildTotals(10_000_000, 5_000_000, 8)),
    year: compareTotals(buildTotals(90_000_000, 50_000_000, 80), buildTotals(30_000_000, 30_000_000, 60)),
  },
  payments: {
    today: { ...buildPaid(1, 250_000), previous: buildPaid(0, 0) },
    week: { ...buildPaid(3, 750_000), previous: buildPaid(2, 500_000) },
    month: { ...buildPaid(12, 6_000_000), previous: buildPaid(10, 5_000_000) },
    year: { ...buildPaid(90, 45_000_000), previous: buildPaid(80, 50_000_000) },
  },
  tasks: {
    reported: { count: 12, amount: 7_200_000 },
    overdue: buildOverdue(31, 15_500_000),
    due_this_week: { count: 4, amount: 2_000_000 },
    to_check: { count: 3, amount: 1_350_000 },
    matched_unpaid: { count: 0, amount: 0 },
  },
  by_year: [],
  by_property: [],
};
