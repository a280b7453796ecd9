import type { AdminStatistics, OwnStatistics } from '#shared/api/tax-records/statistics.ts';
import {
  addDays,
  type DateRange,
  type InstantRange,
  samePartBefore,
  type StatisticsPeriod,
  type StatisticsPeriods,
  statisticsDates,
  statisticsPeriods,
  todayIn,
  yearOf,
} from '#shared/domain/dates/dates.ts';
import type { RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { DUE_SOON_DAYS } from '#shared/limits.ts';
import { presentChecked, presentOverdue, presentPaid, presentSum } from '#server/records/present-sums.ts';
import {
  addPaid,
  addSums,
  overdueOfGroups,
  paidInRange,
  paidOfGroups,
  type PaidSum,
  type RecordGroup,
  type RecordSum,
  sumOfGroups,
  totalOf,
} from '#server/records/record-sum-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import {
  type AdminStatisticsFilter,
  type AdminStatisticsRows,
  hasMoreRecordsThan,
  type OwnStatisticsFilter,
  readOwnStatistics,
} from './statistics-queries.ts';

/** Up to this many records, summing here is faster than a message to the worker; more would block the event loop. */
const MAIN_THREAD_RECORDS_MAX = 2000;

/** Statistics for the dashboards (R-STAT-1 to R-STAT-4, R-STAT-13, R-STAT-14). Amounts are rupiah. */
export function createStatisticsService({ orm, queryWorker, now, timeZone }: ServiceContext) {
  // All admins share the answer, so it belongs to no account.
  const caller = { account: 'adminStatistics', isSlow: true };
  const loadAdminStatistics = coalesceCalls((filter: AdminStatisticsFilter) =>
    queryWorker.run('adminStatistics', filter, caller),
  );

  /** Totals of one owner. Unpaid means not `lunas`; overdue counts as of today in the server's time zone. */
  async function ownStatistics(userId: string): Promise<OwnStatistics> {
    const today = todayIn(timeZone, now());
    const filter: OwnStatisticsFilter = {
      userId,
      today,
      soonUntil: addDays(today, DUE_SOON_DAYS),
      thisYear: yearOf(today),
    };
    const row = (await hasMoreRecordsThan(orm, userId, MAIN_THREAD_RECORDS_MAX))
      ? await queryWorker.run('ownStatistics', filter, { account: userId, isSlow: true })
      : await readOwnStatistics(orm, filter);
    const { all, paid, overdue, dueSoon } = row;
    const paidRecords = totalOf(paid).count;
    return {
      ...presentTotals(all, paid),
      total_objects: row.objects,
      paid_records: paidRecords,
      unpaid_records: all.count - paidRecords,
      outstanding_amount: senSumToRupiah(overdue.all.sen),
      outstanding_records: overdue.all.count,
      outstanding_estimated: presentSum(overdue.estimated),
      outstanding_since: row.overdueSince,
      outstanding_record_id: overdue.all.count === 1 ? row.overdueId : null,
      due_soon: {
        records: dueSoon.count,
        amount: senSumToRupiah(dueSoon.sen),
        due_date: row.firstDueDate,
        record_id: dueSoon.count === 1 ? row.dueSoonId : null,
      },
      rejected_records: row.rejectedRecords,
      rejected_record_id: row.rejectedRecords === 1 ? row.rejectedId : null,
    };
  }

  return {
    ownStatistics,

    /**
     * Totals of all records, of those created or paid in this and in the previous day, week, month and year, and the
     * records that wait for an admin or are due.
     */
    async adminStatistics(): Promise<AdminStatistics> {
      const nowMs = now();
      const periods = statisticsPeriods(timeZone, nowMs);
      const bounds = Object.values(periods)
        .flatMap((ranges) => Object.values(ranges))
        .flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
      const today = todayIn(timeZone, nowMs);
      const dates = statisticsDates(today);
      const paymentRanges = Object.values(dates).flatMap(({ previous, current }) => [previous, current]);
      const rows = await loadAdminStatistics({
        boundsMs: bounds,
        dates: { today, thisYear: yearOf(today), sunday: dates.week.current.toDate },
        paidBetween: surroundingRange(paymentRanges),
      });
      const compare = ({ current, previous, previousSameDays }: StatisticsPeriods) => ({
        ...statisticsInRange(rows, current),
        previous: statisticsInRange(rows, previous),
        previous_same_days: statisticsInRange(rows, previousSameDays),
      });
      const before = samePartBefore(today);
      const comparePayments = (period: StatisticsPeriod) => ({
        ...presentPaid(paidInRange(rows.paymentsByDate, dates[period].current)),
        previous: presentPaid(paidInRange(rows.paymentsByDate, before[period])),
      });
      const withStatus = (status: RecordStatus) => rows.groups.filter((group) => group.status === status);
      const all = sumOfGroups(rows.groups);
      const paid = paidOfGroups(rows.groups);
      const lunas = totalOf(paid);
      const proses = sumOfGroups(withStatus('proses'));
      const isMatchedUnpaid = ({ status, checkState }: RecordGroup) => status !== 'lunas' && checkState === 'matched';
      return {
        total_users: rows.users,
        active_users: rows.activeUsers,
        total_objects: rows.objects,
        lunas: lunas.count,
        belum_lunas: all.count - lunas.count - proses.count,
        proses: proses.count,
        ...presentTotals(all, paid),
        periods: {
          today: compare(periods.today),
          week: compare(periods.week),
          month: compare(periods.month),
          year: compare(periods.year),
        },
        payments: {
          today: comparePayments('today'),
          week: comparePayments('week'),
          month: comparePayments('month'),
          year: comparePayments('year'),
        },
        tasks: {
          reported: presentSum(proses),
          overdue: presentOverdue(overdueOfGroups(rows.groups)),
          due_this_week: presentSum(addSums(...rows.groups.map(({ dueThisWeek }) => dueThisWeek))),
          to_check: presentSum(sumOfGroups(rows.groups.filter(({ checkState }) => checkState === 'pending'))),
          matched_unpaid: presentSum(sumOfGroups(rows.groups.filter(isMatchedUnpaid))),
        },
        by_year: groupStatisticsBy(rows.groups, 'year')
          .map(([year, statistics]) => Object.assign(statistics, { year }))
          .toSorted((a, b) => b.year - a.year),
        by_property: groupStatisticsBy(rows.groups, 'propertyType')
          .map(([type, statistics]) => Object.assign(statistics, { property_type: type }))
          .toSorted((a, b) => b.total_tax - a.total_tax),
      };
    },
  };
}
export type StatisticsService = ReturnType<typeof createStatisticsService>;

/** Unpaid is total minus paid (R-STAT-1). */
function presentTotals(all: RecordSum, paid: PaidSum) {
  const paidSen = totalOf(paid).sen;
  return {
    total_tax: senSumToRupiah(all.sen),
    paid_tax: senSumToRupiah(paidSen),
    unpaid_tax: senSumToRupiah(all.sen - paidSen),
    total_records: all.count,
    checked: presentChecked(paid),
  };
}

/** The range from the first to the last day of all ranges; dates sort like texts. */
function surroundingRange(ranges: readonly DateRange[]): DateRange {
  const [fromDate = ''] = ranges.map((range) => range.fromDate).toSorted();
  return {
    fromDate,
    toDate:
      ranges
        .map((range) => range.toDate)
        .toSorted()
        .at(-1) ?? '',
  };
}

function statisticsInRange({ segments }: AdminStatisticsRows, range: InstantRange) {
  const inside = segments.filter(({ fromMs, toMs }) => fromMs >= range.fromMs && toMs <= range.toMs);
  return presentTotals(addSums(...inside.map(({ all }) => all)), addPaid(...inside.map(({ paid }) => paid)));
}

/** The sums for each value of a key. */
function groupStatisticsBy<K extends 'year' | 'propertyType'>(rows: readonly RecordGroup[], key: K) {
  const groups = Map.groupBy(rows, (row): RecordGroup[K] => row[key]);
  return [...groups].map(([value, group]) => {
    const paid = paidOfGroups(group);
    const [all, lunas] = [sumOfGroups(group), totalOf(paid)];
    const statistics = {
      lunas: lunas.count,
      total_records: all.count,
      total_tax: senSumToRupiah(all.sen),
      paid_tax: senSumToRupiah(lunas.sen),
      checked: presentChecked(paid),
    };
    return [value, statistics] as const;
  });
}

/**
 * Callers with the same question share one answer. A caller who comes while an answer is computed waits for the next one:
 * the current one may have been read before a change of which the caller already knows.
 */
export function coalesceCalls<Q, A>(call: (argument: Q) => Promise<A>): (argument: Q) => Promise<A> {
  const inFlight = new Map<string, { running: Promise<A>; next: Promise<A> | null }>();

  function start(key: string, argument: Q): Promise<A> {
    const entry = { running: call(argument), next: null as Promise<A> | null };
    inFlight.set(key, entry);
    const removeIfIdle = (): void => {
      if (entry.next === null) inFlight.delete(key);
    };
    entry.running.then(removeIfIdle, removeIfIdle);
    return entry.running;
  }

  return (argument) => {
    const key = JSON.stringify(argument);
    const entry = inFlight.get(key);
    if (!entry) return start(key, argument);
    entry.next ??= entry.running.then(
      () => start(key, argument),
      () => start(key, argument),
    );
    return entry.next;
  };
}
