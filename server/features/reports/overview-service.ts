import type { OverviewQuery, ReportOverview } from '#shared/api/reports.ts';
import {
  type DateRange,
  monthsOf,
  comparedPeriod,
  reportRange,
  statisticsDates,
  todayIn,
  yearOf,
} from '#shared/domain/dates/dates.ts';
import { REPORT_OWNERS_MAX } from '#shared/limits.ts';
import { presentOverdue, presentPaid, presentSum } from '#server/records/present-sums.ts';
import {
  addPaid,
  addSums,
  overdueOfGroups,
  paidInRange,
  paidOfGroups,
  type RecordSum,
  sumOfGroups,
  totalOf,
} from '#server/records/record-sum-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { OverviewRows } from './overview-queries.ts';

/** The report on all records: payments of a period, what is unpaid and overdue (R-REPORT-12). Amounts are rupiah. */
export function createOverviewService({ queryWorker, now, timeZone }: ServiceContext) {
  return {
    /** @param adminId takes turns with other accounts in the query worker */
    async overview(query: OverviewQuery, adminId: string): Promise<ReportOverview> {
      const nowMs = now();
      const today = todayIn(timeZone, nowMs);
      const period = periodOf(query, reportRange('this_year', timeZone, nowMs));
      const previous = comparedPeriod(period, today);
      const sunday = statisticsDates(today).week.current.toDate;
      const rows = await queryWorker.run(
        'reportOverview',
        { period, previous, dates: { today, thisYear: yearOf(today), sunday }, ownersMax: REPORT_OWNERS_MAX },
        { account: adminId, isSlow: true },
      );
      return {
        period: { from: period.fromDate, to: period.toDate },
        received: {
          ...presentPaid(paidInRange(rows.paymentsByDate, period)),
          previous: {
            from: previous.fromDate,
            to: previous.toDate,
            ...presentPaid(paidInRange(rows.paymentsByDate, previous)),
          },
        },
        unpaid: presentSum(sumOfGroups(rows.groups.filter(({ status }) => status !== 'lunas'))),
        overdue: presentOverdue(overdueOfGroups(rows.groups)),
        by_year: sumsByYear(rows),
        by_month: sumsByMonth(rows, period, today),
        top_overdue: rows.largestOverdue
          .toSorted((a, b) => Number(b.sum.all.sen - a.sum.all.sen) || a.user.name.localeCompare(b.user.name, 'id'))
          .map(({ user: { id, name }, sum }) => Object.assign(presentOverdue(sum), { user: { id, _id: id, name } })),
      };
    },
  };
}

/** A missing end of the period is that of the calendar year of the other. */
function periodOf({ from, to }: OverviewQuery, thisYear: DateRange): DateRange {
  if (!from && !to) return { fromDate: thisYear.fromDate, toDate: thisYear.toDate };
  return { fromDate: from ?? `${to?.slice(0, 4)}-01-01`, toDate: to ?? `${from?.slice(0, 4)}-12-31` };
}

type DueSums = Record<'total' | 'paid' | 'overdue', RecordSum>;

function presentDueSums({ total, paid, overdue }: DueSums) {
  return {
    total: presentSum(total),
    paid: presentSum(paid),
    unpaid: presentSum({ count: total.count - paid.count, sen: total.sen - paid.sen }),
    overdue: presentSum(overdue),
  };
}

function sumsByYear({ groups }: OverviewRows) {
  return [...Map.groupBy(groups, ({ year }) => year)]
    .toSorted(([a], [b]) => b - a)
    .map(([year, ofYear]) => {
      const [paid, overdue] = [paidOfGroups(ofYear), overdueOfGroups(ofYear)];
      const sums = presentDueSums({ total: sumOfGroups(ofYear), paid: totalOf(paid), overdue: overdue.all });
      return Object.assign(sums, { year, paid: presentPaid(paid), overdue: presentOverdue(overdue) });
    });
}

const monthOf = (date: string): string => date.slice(0, 7);

function sumsByMonth({ dueByDate, paymentsByDate }: OverviewRows, period: DateRange, today: string) {
  const due = Map.groupBy(dueByDate, ({ date }) => monthOf(date));
  const received = Map.groupBy(
    paymentsByDate.filter(({ date }) => date >= period.fromDate),
    ({ date }) => monthOf(date),
  );
  return monthsOf(period).map((month) => {
    const days = due.get(month) ?? [];
    const overdue = days
      .filter(({ date }) => date < today)
      .map(({ total, paid }) => ({ count: total.count - paid.count, sen: total.sen - paid.sen }));
    return {
      month,
      due: presentDueSums({
        total: addSums(...days.map(({ total }) => total)),
        paid: addSums(...days.map(({ paid }) => paid)),
        overdue: addSums(...overdue),
      }),
      received: presentPaid(addPaid(...(received.get(month) ?? []).map(({ paid }) => paid))),
    };
  });
}
