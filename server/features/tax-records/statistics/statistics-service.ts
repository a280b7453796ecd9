import type { AdminStatistics, OwnStatistics } from '#shared/api/tax-records.ts';
import {
  addDays,
  type DateRange,
  type InstantRange,
  samePartBefore,
  type StatisticsPeriod,
  statisticsDates,
  statisticsPeriods,
  todayIn,
  yearOf,
} from '#shared/domain/dates.ts';
import type { RecordStatus } from '#shared/domain/tax-record-fields.ts';
import { DUE_SOON_DAYS } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { notFound } from '#server/http/errors.ts';
import { addSums, type RecordGroup, type RecordSum, sumOfDates } from '#server/record-sum-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { findOwner } from '../queries.ts';
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
    const row = hasMoreRecordsThan(orm, userId, MAIN_THREAD_RECORDS_MAX)
      ? await queryWorker.run('ownStatistics', filter, { account: userId, isSlow: true })
      : readOwnStatistics(orm, filter);
    return {
      total_tax: senSumToRupiah(row.totalSen),
      paid_tax: senSumToRupiah(row.paidSen),
      unpaid_tax: senSumToRupiah(row.totalSen - row.paidSen),
      total_records: row.records,
      paid_records: row.paidRecords,
      unpaid_records: row.records - row.paidRecords,
      outstanding_amount: senSumToRupiah(row.overdueSen),
      outstanding_records: row.overdueRecords,
      outstanding_since: row.overdueSince,
      outstanding_record_id: row.overdueRecords === 1 ? row.overdueId : null,
      due_soon: {
        records: row.dueSoonRecords,
        amount: senSumToRupiah(row.dueSoonSen),
        due_date: row.firstDueDate,
        record_id: row.dueSoonRecords === 1 ? row.dueSoonId : null,
      },
    };
  }

  return {
    ownStatistics,

    /**
     * The totals of any user, for admins (R-USER-15).
     * @throws 404 for an unknown id
     */
    async statisticsOfUser(userId: string): Promise<OwnStatistics> {
      if (!findOwner(orm, userId)) throw notFound(errorTexts.userMissing);
      return ownStatistics(userId);
    },

    /**
     * Totals of all records, of those created or paid in this and in the previous day, week, month and year, and the
     * records that wait for an admin or are due.
     */
    async adminStatistics(): Promise<AdminStatistics> {
      const nowMs = now();
      const periods = statisticsPeriods(timeZone, nowMs);
      const bounds = Object.values(periods).flatMap(({ previous, current }) => [
        previous.fromMs,
        current.fromMs,
        current.toMs,
      ]);
      const today = todayIn(timeZone, nowMs);
      const dates = statisticsDates(today);
      const paymentRanges = Object.values(dates).flatMap(({ previous, current }) => [previous, current]);
      const rows = await loadAdminStatistics({
        boundsMs: bounds,
        dates: { today, thisYear: yearOf(today), sunday: dates.week.current.toDate },
        paidBetween: surroundingRange(paymentRanges),
      });
      const compare = ({ current, previous }: { current: InstantRange; previous: InstantRange }) => ({
        ...statisticsInRange(rows, current),
        previous: statisticsInRange(rows, previous),
      });
      const before = samePartBefore(today);
      const comparePayments = (period: StatisticsPeriod) => ({
        ...presentSum(sumOfDates(rows.paymentsByDate, dates[period].current)),
        previous: presentSum(sumOfDates(rows.paymentsByDate, before[period])),
      });
      const withStatus = (status: RecordStatus) => rows.groups.filter((group) => group.status === status);
      const all = sumOfGroups(rows.groups);
      const [lunas, proses] = [sumOfGroups(withStatus('lunas')), sumOfGroups(withStatus('proses'))];
      return {
        total_users: rows.users,
        active_users: rows.activeUsers,
        total_records: all.count,
        lunas: lunas.count,
        belum_lunas: all.count - lunas.count - proses.count,
        proses: proses.count,
        total_tax: senSumToRupiah(all.sen),
        paid_tax: senSumToRupiah(lunas.sen),
        unpaid_tax: senSumToRupiah(all.sen - lunas.sen),
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
          overdue: presentSum(addSums(...rows.groups.map(({ overdue }) => overdue))),
          due_this_week: presentSum(addSums(...rows.groups.map(({ dueThisWeek }) => dueThisWeek))),
          to_check: presentSum(rows.toCheck),
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

const presentSum = ({ count, sen }: RecordSum) => ({ count, amount: senSumToRupiah(sen) });

const sumOfGroups = (groups: readonly RecordGroup[]): RecordSum => addSums(...groups.map(({ all }) => all));

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
  const totalSen = inside.reduce((sum, segment) => sum + segment.totalSen, 0n);
  const paidSen = inside.reduce((sum, segment) => sum + segment.paidSen, 0n);
  return {
    total_tax: senSumToRupiah(totalSen),
    paid_tax: senSumToRupiah(paidSen),
    unpaid_tax: senSumToRupiah(totalSen - paidSen),
    total_records: inside.reduce((sum, { records }) => sum + records, 0),
  };
}

/** The sums for each value of a key. */
function groupStatisticsBy<K extends 'year' | 'propertyType'>(rows: readonly RecordGroup[], key: K) {
  const groups = Map.groupBy(rows, (row): RecordGroup[K] => row[key]);
  return [...groups].map(([value, group]) => {
    const all = sumOfGroups(group);
    const paid = sumOfGroups(group.filter(({ status }) => status === 'lunas'));
    const statistics = {
      lunas: paid.count,
      total_records: all.count,
      total_tax: senSumToRupiah(all.sen),
      paid_tax: senSumToRupiah(paid.sen),
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
