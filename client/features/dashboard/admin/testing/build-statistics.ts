import type { AdminStatistics } from '#shared/api/tax-records.ts';

const buildTotals = (total: number, paid: number, records: number) => ({
  total_tax: total,
  paid_tax: paid,
  unpaid_tax: total - paid,
  total_records: records,
});
const zeroTotals = buildTotals(0, 0, 0);

/** Admin statistics as the server answers them. */
export const exampleStatistics: AdminStatistics = {
  total_users: 64,
  active_users: 61,
  total_records: 412,
  lunas: 250,
  belum_lunas: 150,
  proses: 12,
  total_tax: 900_000_000,
  paid_tax: 600_000_000,
  unpaid_tax: 300_000_000,
  periods: {
    today: { ...buildTotals(1_000_000, 400_000, 1), previous: zeroTotals },
    week: { ...buildTotals(2_000_000, 2_000_000, 3), previous: buildTotals(4_000_000, 2_000_000, 4) },
    month: { ...buildTotals(11_230_000, 5_000_000, 9), previous: buildTotals(10_000_000, 5_000_000, 8) },
    year: { ...buildTotals(90_000_000, 50_000_000, 80), previous: buildTotals(30_000_000, 30_000_000, 60) },
  },
  payments: {
    today: { count: 1, amount: 250_000, previous: { count: 0, amount: 0 } },
    week: { count: 3, amount: 750_000, previous: { count: 2, amount: 500_000 } },
    month: { count: 12, amount: 6_000_000, previous: { count: 10, amount: 5_000_000 } },
    year: { count: 90, amount: 45_000_000, previous: { count: 80, amount: 50_000_000 } },
  },
  tasks: {
    reported: { count: 12, amount: 7_200_000 },
    overdue: { count: 31, amount: 15_500_000 },
    due_this_week: { count: 4, amount: 2_000_000 },
    to_check: { count: 3, amount: 1_350_000 },
  },
  by_year: [],
  by_property: [],
};
