import type { AdminStatistics, OwnStatistics } from '#shared/api/tax-records.ts';
import { type InstantRange, statisticsPeriods, todayIn, yearOf } from '#shared/domain/dates.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import {
  hasMoreRecordsThan,
  type AdminStatisticsRows,
  type OwnStatisticsFilter,
  readOwnStatistics,
  type TimeSegment,
  type YearPropertyStatistics,
} from './statistics-queries.ts';

/** Up to this many records, summing here is faster than a message to the worker; more would block the event loop. */
const MAIN_THREAD_RECORDS_MAX = 2000;

/** Statistics for the dashboards (R-STAT-1 to R-STAT-4). Amounts are rupiah. */
export function createStatisticsService({ orm, queryWorker, now, timeZone }: ServiceContext) {
  // All admins share the answer, so it belongs to no account.
  const caller = { account: 'adminStatistics', isSlow: true };
  const loadAdminStatistics = coalesceCalls((boundsMs: number[]) =>
    queryWorker.run('adminStatistics', { boundsMs }, caller),
  );

  return {
    /** Totals of the own records. Unpaid means not `lunas`; overdue counts as of today in the server's time zone. */
    async ownStatistics(userId: string): Promise<OwnStatistics> {
      const today = todayIn(timeZone, now());
      const filter: OwnStatisticsFilter = { userId, today, thisYear: yearOf(today) };
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
      };
    },

    /** Totals of all records, and of those created in this and in the previous day, week, month and year. */
    async adminStatistics(): Promise<AdminStatistics> {
      const periods = statisticsPeriods(timeZone, now());
      const bounds = Object.values(periods).flatMap(({ previous, current }) => [
        previous.fromMs,
        current.fromMs,
        current.toMs,
      ]);
      const rows = await loadAdminStatistics(bounds);
      const compare = ({ current, previous }: { current: InstantRange; previous: InstantRange }) => ({
        ...statisticsInRange(rows, current),
        previous: statisticsInRange(rows, previous),
      });
      const overall = sumRows(rows.segments);
      return {
        total_users: rows.users,
        active_users: rows.activeUsers,
        total_records: overall.records,
        lunas: overall.lunas,
        belum_lunas: overall.records - overall.lunas - overall.proses,
        proses: overall.proses,
        total_tax: senSumToRupiah(overall.totalSen),
        paid_tax: senSumToRupiah(overall.paidSen),
        unpaid_tax: senSumToRupiah(overall.totalSen - overall.paidSen),
        periods: {
          today: compare(periods.today),
          week: compare(periods.week),
          month: compare(periods.month),
          year: compare(periods.year),
        },
        by_year: groupStatisticsBy(rows.byYearAndProperty, 'year')
          .map(([year, statistics]) => Object.assign(statistics, { year }))
          .toSorted((a, b) => b.year - a.year),
        by_property: groupStatisticsBy(rows.byYearAndProperty, 'propertyType')
          .map(([type, statistics]) => Object.assign(statistics, { property_type: type }))
          .toSorted((a, b) => b.total_tax - a.total_tax),
      };
    },
  };
}
export type StatisticsService = ReturnType<typeof createStatisticsService>;

type SummableRow = Pick<TimeSegment, 'records' | 'lunas' | 'totalSen' | 'paidSen'> & { proses?: number };

function sumRows(segments: readonly SummableRow[]) {
  const total = { records: 0, lunas: 0, proses: 0, totalSen: 0n, paidSen: 0n };
  for (const segment of segments) {
    total.records += segment.records;
    total.lunas += segment.lunas;
    total.proses += segment.proses ?? 0;
    total.totalSen += segment.totalSen;
    total.paidSen += segment.paidSen;
  }
  return total;
}

function statisticsInRange({ segments }: AdminStatisticsRows, range: InstantRange) {
  const inside = segments.filter(
    ({ fromMs, toMs }) => fromMs !== null && toMs !== null && fromMs >= range.fromMs && toMs <= range.toMs,
  );
  const { records, totalSen, paidSen } = sumRows(inside);
  return {
    total_tax: senSumToRupiah(totalSen),
    paid_tax: senSumToRupiah(paidSen),
    unpaid_tax: senSumToRupiah(totalSen - paidSen),
    total_records: records,
  };
}

/** The sums for each value of a key. */
function groupStatisticsBy<K extends 'year' | 'propertyType'>(rows: readonly YearPropertyStatistics[], key: K) {
  const groups = Map.groupBy(rows, (row): YearPropertyStatistics[K] => row[key]);
  return [...groups].map(([value, group]) => {
    const { records, lunas, totalSen, paidSen } = sumRows(group);
    const statistics = {
      lunas,
      total_records: records,
      total_tax: senSumToRupiah(totalSen),
      paid_tax: senSumToRupiah(paidSen),
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
