import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { type InstantRange, statisticsPeriods } from '#shared/domain/dates/dates.ts';
import { checkedSumsOf } from '#shared/domain/tax-records/checked-sums.ts';
import { rupiahToSen, senToRupiah } from '#shared/domain/money/rupiah.ts';

export type Period = keyof AdminStatistics['periods'];
type Totals = Omit<AdminStatistics['periods'][Period], 'previous' | 'previous_same_days'>;
/** The totals of the period before are null where they are not known. */
type PeriodTotals = Totals & { previous_same_days: Totals | null };
export type DashboardStatistics = Omit<
  AdminStatistics,
  'total_objects' | 'periods' | 'payments' | 'tasks' | 'by_year' | 'by_property'
> & {
  periods: Record<Period, PeriodTotals>;
  /** null: not known, because only the server's own statistics have them. */
  total_objects: number | null;
  payments: AdminStatistics['payments'] | null;
  tasks: AdminStatistics['tasks'] | null;
};

const emptyPeriodTotals: PeriodTotals = { ...computeTotals([]), previous_same_days: null };

/** Shown when a load fails (R-STAT-10). */
export const emptyStatistics: DashboardStatistics = {
  total_users: 0,
  active_users: 0,
  lunas: 0,
  belum_lunas: 0,
  proses: 0,
  ...computeTotals([]),
  periods: { today: emptyPeriodTotals, week: emptyPeriodTotals, month: emptyPeriodTotals, year: emptyPeriodTotals },
  total_objects: null,
  payments: null,
  tasks: null,
};

function computeTotals(records: readonly TaxRecord[]): Totals {
  let totalSen = 0;
  let paidSen = 0;
  for (const { amount, status } of records) {
    totalSen += rupiahToSen(amount);
    if (status === 'lunas') paidSen += rupiahToSen(amount);
  }
  return {
    total_tax: senToRupiah(totalSen),
    paid_tax: senToRupiah(paidSen),
    unpaid_tax: senToRupiah(totalSen - paidSen),
    total_records: records.length,
    checked: checkedSumsOf(records),
  };
}

/**
 * The statistics, computed from the lists when the server's own cannot be loaded (R-STAT-10). The totals of users and records are
 * the server's; everything else covers the loaded rows. There are no comparisons, because they need rows that may be missing.
 */
export function statisticsFromLists(
  users: Page<UserAnswer>,
  records: Page<TaxRecord>,
  nowMs: number,
): DashboardStatistics {
  const rows = records.data;
  const count = (status: TaxRecord['status']) => rows.filter((record) => record.status === status).length;
  const periodTotals = ({ fromMs, toMs }: InstantRange): PeriodTotals => {
    const inside = rows.filter(({ created_at }) => {
      const atMs = Date.parse(created_at);
      return atMs >= fromMs && atMs < toMs;
    });
    return { ...computeTotals(inside), previous_same_days: null };
  };
  const periods = statisticsPeriods(SERVER_TIME_ZONE, nowMs);
  return {
    ...computeTotals(rows),
    total_users: users.total,
    active_users: users.data.filter(({ is_active }) => is_active).length,
    total_records: records.total,
    lunas: count('lunas'),
    belum_lunas: count('belum_lunas'),
    proses: count('proses'),
    periods: {
      today: periodTotals(periods.today.current),
      week: periodTotals(periods.week.current),
      month: periodTotals(periods.month.current),
      year: periodTotals(periods.year.current),
    },
    total_objects: null,
    payments: null,
    tasks: null,
  };
}

/** The growth as a fraction, 0.123 for 12.3 percent; null where there is nothing to compare with. */
export function growthRate(now: number, before: number | undefined): number | null {
  return before === undefined || before <= 0 ? null : (now - before) / before;
}
