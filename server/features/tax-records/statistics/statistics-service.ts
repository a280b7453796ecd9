import type { AdminStatistics, OwnStatistics } from '#shared/api/tax-records.ts';
import { type InstantRange, officePeriods, todayIn, yearOf } from '#shared/domain/dates.ts';
import type { Context } from '#server/context.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import {
  hasMoreRecordsThan,
  type OfficeFigures,
  type OwnFiguresQuestion,
  readOwnFigures,
  type Segment,
  type Share,
} from './statistics-queries.ts';

/** Up to this many are summed faster than a question travels to the worker; more would hold the event loop. */
const SUM_ON_THE_LOOP_MAX = 2000;

/** Figures for the dashboards (specification 3, contract 4). Amounts are rupiah. */
export function createStatisticsService({ orm, reads, now, timeZone }: Context) {
  const askOffice = shareAnswers((boundsMs: number[]) => reads.run('officeFigures', { boundsMs }));

  return {
    /** A resident's own totals; unpaid is what is not `lunas`, outstanding is *tunggakan* as of today in the office. */
    async ownStatistics(userId: string): Promise<OwnStatistics> {
      const today = todayIn(timeZone, now());
      const question: OwnFiguresQuestion = { userId, today, thisYear: yearOf(today) };
      const figures = hasMoreRecordsThan(orm, userId, SUM_ON_THE_LOOP_MAX)
        ? await reads.run('ownFigures', question)
        : readOwnFigures(orm, question);
      return {
        total_tax: senSumToRupiah(figures.totalSen),
        paid_tax: senSumToRupiah(figures.paidSen),
        unpaid_tax: senSumToRupiah(figures.totalSen - figures.paidSen),
        total_records: figures.records,
        paid_records: figures.paidRecords,
        unpaid_records: figures.records - figures.paidRecords,
        outstanding_amount: senSumToRupiah(figures.outstandingSen),
        outstanding_records: figures.outstandingRecords,
      };
    },

    /** The whole office's totals, and those of this and the previous day, week, month and year by creation. */
    async adminStatistics(): Promise<AdminStatistics> {
      const periods = officePeriods(timeZone, now());
      const bounds = Object.values(periods).flatMap(({ previous, current }) => [
        previous.fromMs,
        current.fromMs,
        current.toMs,
      ]);
      const figures = await askOffice(bounds);
      const compare = ({ current, previous }: { current: InstantRange; previous: InstantRange }) => ({
        ...sumsOf(figures, current),
        previous: sumsOf(figures, previous),
      });
      const everything = addUp(figures.segments);
      return {
        total_users: figures.users,
        active_users: figures.activeUsers,
        total_records: everything.records,
        lunas: everything.lunas,
        belum_lunas: everything.records - everything.lunas - everything.proses,
        proses: everything.proses,
        total_tax: senSumToRupiah(everything.totalSen),
        paid_tax: senSumToRupiah(everything.paidSen),
        unpaid_tax: senSumToRupiah(everything.totalSen - everything.paidSen),
        periods: {
          today: compare(periods.today),
          week: compare(periods.week),
          month: compare(periods.month),
          year: compare(periods.year),
        },
        by_year: groupShares(figures.shares, 'year')
          .map(([year, sums]) => Object.assign(sums, { year }))
          .toSorted((a, b) => b.year - a.year),
        by_property: groupShares(figures.shares, 'propertyType')
          .map(([type, sums]) => Object.assign(sums, { property_type: type }))
          .toSorted((a, b) => b.total_tax - a.total_tax),
      };
    },
  };
}
export type StatisticsService = ReturnType<typeof createStatisticsService>;

type Sums = Pick<Segment, 'records' | 'lunas' | 'totalSen' | 'paidSen'> & { proses?: number };

function addUp(segments: readonly Sums[]) {
  const sum = { records: 0, lunas: 0, proses: 0, totalSen: 0n, paidSen: 0n };
  for (const segment of segments) {
    sum.records += segment.records;
    sum.lunas += segment.lunas;
    sum.proses += segment.proses ?? 0;
    sum.totalSen += segment.totalSen;
    sum.paidSen += segment.paidSen;
  }
  return sum;
}

function sumsOf({ segments }: OfficeFigures, range: InstantRange) {
  const inside = segments.filter(
    ({ fromMs, toMs }) => fromMs !== null && toMs !== null && fromMs >= range.fromMs && toMs <= range.toMs,
  );
  const { records, totalSen, paidSen } = addUp(inside);
  return {
    total_tax: senSumToRupiah(totalSen),
    paid_tax: senSumToRupiah(paidSen),
    unpaid_tax: senSumToRupiah(totalSen - paidSen),
    total_records: records,
  };
}

/** The sums of each value of one key. */
function groupShares<K extends 'year' | 'propertyType'>(shares: readonly Share[], key: K) {
  const groups = Map.groupBy(shares, (share): Share[K] => share[key]);
  return [...groups].map(([value, group]) => {
    const { records, lunas, totalSen, paidSen } = addUp(group);
    const sums = {
      lunas,
      total_records: records,
      total_tax: senSumToRupiah(totalSen),
      paid_tax: senSumToRupiah(paidSen),
    };
    return [value, sums] as const;
  });
}

/**
 * Whoever asks the same while an answer is on its way shares the next one. Not the one on its way: that one may have
 * been read before a change which the asker has already been told is stored.
 */
export function shareAnswers<Q, A>(ask: (question: Q) => Promise<A>): (question: Q) => Promise<A> {
  const underWay = new Map<string, { running: Promise<A>; next: Promise<A> | null }>();

  function start(key: string, question: Q): Promise<A> {
    const entry = { running: ask(question), next: null as Promise<A> | null };
    underWay.set(key, entry);
    const ended = (): void => {
      if (entry.next === null) underWay.delete(key);
    };
    entry.running.then(ended, ended);
    return entry.running;
  }

  return (question) => {
    const key = JSON.stringify(question);
    const entry = underWay.get(key);
    if (!entry) return start(key, question);
    entry.next ??= entry.running.then(
      () => start(key, question),
      () => start(key, question),
    );
    return entry.next;
  };
}
