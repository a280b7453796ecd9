import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { utcMidnightMs, wallClockMs } from './time-zones.ts';

/** Calendar dates are 'yyyy-mm-dd' texts, instants are milliseconds since 1970 UTC, time zones are IANA names. */

const ISO_DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** The periods of a report, in the order of its selector (R-REPORT-1). */
export const REPORT_PERIODS = ['this_month', 'last_month', 'this_quarter', 'this_year', 'last_year'] as const;

export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** The periods of the office's own reports; those of users have no weeks (R-REPORT-21). */
export const OFFICE_PERIODS = ['this_week', 'last_week', 'last_7_days', ...REPORT_PERIODS] as const;

export type OfficePeriod = (typeof OFFICE_PERIODS)[number];

/** Instants in milliseconds: `fromMs` belongs to the range, `toMs` is the first instant after it. */
export type InstantRange = { fromMs: number; toMs: number };

export type StatisticsPeriod = 'today' | 'week' | 'month' | 'year';

function dateOfUtcMs(utcMs: number): string {
  const date = new Date(utcMs);
  const year = date.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new RangeError(`Outside the years 1 to 9999: ${utcMs}`);
  return date.toISOString().slice(0, 10);
}

function requireDate(date: string): { year: number; month: number; day: number } {
  if (parseCalendarDate(date) !== date) throw new RangeError(`Not a calendar date: ${date}`);
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8)) };
}

/**
 * The calendar date at the start of `value`. It is null when `value` is neither a 'yyyy-mm-dd' text nor an ISO date-time, or
 * when the date does not exist. The time of a date-time is dropped and not converted, so the written day counts (R-API-6).
 */
export function parseCalendarDate(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const match = ISO_DATE.exec(value);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1) return null;
  const date = value.slice(0, 10);
  return new Date(utcMidnightMs(year, month, day)).toISOString().slice(0, 10) === date ? date : null;
}

/**
 * The calendar date in a time zone at an instant (ms).
 * @throws RangeError for an unknown time zone or an instant that is not a time.
 */
export function todayIn(timeZone: string, nowMs: number): string {
  return dateOfUtcMs(wallClockMs(timeZone, nowMs));
}

/**
 * The first instant (ms) of a calendar day in a time zone; of the next day for a day that the zone skipped.
 * @throws RangeError for an unknown time zone or a text that is not a calendar date.
 */
export function startOfDayMs(date: string, timeZone: string): number {
  const { year, month, day } = requireDate(date);
  const midnightMs = utcMidnightMs(year, month, day);
  const candidates = [midnightMs - DAY_MS, midnightMs + DAY_MS]
    .map((nearbyMs) => midnightMs - (wallClockMs(timeZone, nearbyMs) - nearbyMs))
    .filter((candidateMs) => wallClockMs(timeZone, candidateMs) === midnightMs);
  // Clocks that go back over midnight show it twice; the day begins with the first.
  if (candidates.length > 0) return Math.min(...candidates);

  // Clocks that go forward over midnight never show it; the day begins at the change, which a binary search finds.
  let beforeMs = midnightMs - 36 * HOUR_MS;
  let insideMs = midnightMs + 36 * HOUR_MS;
  while (insideMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + insideMs) / 2);
    if (wallClockMs(timeZone, middleMs) < midnightMs) beforeMs = middleMs;
    else insideMs = middleMs;
  }
  return insideMs;
}

/** The last day that the calendar has (R-API-6). */
const LAST_DATE = '9999-12-31';

/**
 * The instant at which a day has ended in a time zone, which belongs to the next day.
 * @returns undefined for the last day, which has no next one
 */
export function endOfDayMs(date: string, timeZone: string): number | undefined {
  return date === LAST_DATE ? undefined : startOfDayMs(addDays(date, 1), timeZone);
}

/**
 * The date `n` whole days later, or earlier when negative.
 * @throws RangeError for a text that is not a calendar date, or a result outside the years 1 to 9999.
 */
export function addDays(date: string, n: number): string {
  const { year, month, day } = requireDate(date);
  return dateOfUtcMs(utcMidnightMs(year, month, day + n));
}

/**
 * The date `n` whole months later, on the last day of the month where the day does not exist: 31 January + 1 is 28 February.
 * @throws RangeError as `addDays`.
 */
export function addMonths(date: string, n: number): string {
  const { year, month, day } = requireDate(date);
  const lastDay = new Date(utcMidnightMs(year, month + n + 1, 0)).getUTCDate();
  return dateOfUtcMs(utcMidnightMs(year, month + n, Math.min(day, lastDay)));
}

/**
 * The date `n` whole years later; 29 February becomes 28 February in a year without one (R-YEAR-2).
 * @throws RangeError as `addDays`.
 */
export function addYears(date: string, n: number): string {
  return addMonths(date, 12 * n);
}

/**
 * The year of a calendar date.
 * @throws RangeError for a text that is not a calendar date.
 */
export function yearOf(date: string): number {
  return requireDate(date).year;
}

function firstOfMonth(date: string): string {
  return `${date.slice(0, 8)}01`;
}

function firstOfQuarter(date: string): string {
  return addMonths(firstOfMonth(date), -((requireDate(date).month - 1) % 3));
}

function firstOfYear(date: string): string {
  return `${date.slice(0, 5)}01-01`;
}

function firstOfWeek(date: string): string {
  const { year, month, day } = requireDate(date);
  const weekday = new Date(utcMidnightMs(year, month, day)).getUTCDay();
  return addDays(date, -((weekday + 6) % 7));
}

/** `nextDate`: the day after its last one. */
type Period = { fromDate: string; nextDate: string };

function reportDates(period: OfficePeriod, today: string): Period {
  const week = firstOfWeek(today);
  const month = firstOfMonth(today);
  const quarter = firstOfQuarter(today);
  const year = firstOfYear(today);
  const dates: Record<OfficePeriod, Period> = {
    this_week: { fromDate: week, nextDate: addDays(week, 7) },
    last_week: { fromDate: addDays(week, -7), nextDate: week },
    last_7_days: { fromDate: addDays(today, -6), nextDate: addDays(today, 1) },
    this_month: { fromDate: month, nextDate: addMonths(month, 1) },
    last_month: { fromDate: addMonths(month, -1), nextDate: month },
    this_quarter: { fromDate: quarter, nextDate: addMonths(quarter, 3) },
    this_year: { fromDate: year, nextDate: addYears(year, 1) },
    last_year: { fromDate: addYears(year, -1), nextDate: year },
  };
  return dates[period];
}

/**
 * The whole calendar week (from Monday), month, quarter or year of a report, or the 7 days up to today, as instants and as
 * dates; `toDate` is its last day (R-REPORT-2).
 * @throws RangeError for an unknown time zone.
 */
export function reportRange(
  period: OfficePeriod,
  timeZone: string,
  nowMs: number,
): InstantRange & { fromDate: string; toDate: string } {
  const { fromDate, nextDate } = reportDates(period, todayIn(timeZone, nowMs));
  return {
    fromMs: startOfDayMs(fromDate, timeZone),
    toMs: startOfDayMs(nextDate, timeZone),
    fromDate,
    toDate: addDays(nextDate, -1),
  };
}

/** Calendar dates; both belong to the range. */
export type DateRange = { fromDate: string; toDate: string };

const dateRange = (fromDate: string, nextDate: string): DateRange => ({ fromDate, toDate: addDays(nextDate, -1) });

/**
 * This day, week (from Monday), month and year, each whole, and the whole one before each (R-STAT-4), as dates.
 * @throws RangeError for a text that is not a calendar date.
 */
export function statisticsDates(today: string): Record<StatisticsPeriod, { current: DateRange; previous: DateRange }> {
  const between = (previous: string, current: string, next: string) => ({
    current: dateRange(current, next),
    previous: dateRange(previous, current),
  });
  const week = firstOfWeek(today);
  const month = firstOfMonth(today);
  const year = firstOfYear(today);
  return {
    today: between(addDays(today, -1), today, addDays(today, 1)),
    week: between(addDays(week, -7), week, addDays(week, 7)),
    month: between(addMonths(month, -1), month, addMonths(month, 1)),
    year: between(addYears(year, -1), year, addYears(year, 1)),
  };
}

/**
 * The part of the period before that has gone as far as the current one has today (R-STAT-13): on 22 November that of the
 * year is 1 January to 22 November of last year. It ends with its period where that is shorter. For a day, the day before.
 * @throws RangeError for a text that is not a calendar date.
 */
export function samePartBefore(today: string): Record<StatisticsPeriod, DateRange> {
  const { today: day, week, month, year } = statisticsDates(today);
  return {
    today: day.previous,
    week: { ...week.previous, toDate: addDays(today, -7) },
    month: { ...month.previous, toDate: addMonths(today, -1) },
    year: { ...year.previous, toDate: addYears(today, -1) },
  };
}

/** Of a period, its predecessor, and the predecessor's part that `samePartBefore` gives. */
export type StatisticsPeriods = Record<'current' | 'previous' | 'previousSameDays', InstantRange>;

/**
 * The periods of `statisticsDates` as instants.
 * @throws RangeError for an unknown time zone.
 */
export function statisticsPeriods(timeZone: string, nowMs: number): Record<StatisticsPeriod, StatisticsPeriods> {
  const today = todayIn(timeZone, nowMs);
  const dates = statisticsDates(today);
  const before = samePartBefore(today);
  const instants = ({ fromDate, toDate }: DateRange): InstantRange => ({
    fromMs: startOfDayMs(fromDate, timeZone),
    toMs: startOfDayMs(addDays(toDate, 1), timeZone),
  });
  const ofPeriod = (period: StatisticsPeriod): StatisticsPeriods => ({
    current: instants(dates[period].current),
    previous: instants(dates[period].previous),
    previousSameDays: instants(before[period]),
  });
  return { today: ofPeriod('today'), week: ofPeriod('week'), month: ofPeriod('month'), year: ofPeriod('year') };
}

/**
 * The period before a period (R-REPORT-12): as many whole months when it consists of whole calendar months, else as many
 * days. It ends on the day before the period.
 * @throws RangeError for texts that are not calendar dates.
 */
export function periodBefore({ fromDate, toDate }: DateRange): DateRange {
  const nextDate = addDays(toDate, 1);
  return dateRange(shiftBack(fromDate, { fromDate, nextDate }), fromDate);
}

const isWholeMonths = ({ fromDate, nextDate }: Period): boolean => fromDate.endsWith('-01') && nextDate.endsWith('-01');

const isWholeWeeks = ({ fromDate, nextDate }: Period): boolean =>
  firstOfWeek(fromDate) === fromDate && firstOfWeek(nextDate) === nextDate;

/** A date as far before as a period is long: as many months when it consists of whole calendar months, else as many days. */
function shiftBack(date: string, period: Period): string {
  const { fromDate, nextDate } = period;
  return isWholeMonths(period)
    ? addMonths(date, -monthsBetween(fromDate, nextDate))
    : addDays(date, -daysBetween(fromDate, nextDate));
}

/**
 * With what a period is compared as of today (R-REPORT-20): with `periodBefore`, unless it contains today and ends later. Of whole
 * calendar months or weeks it is then the same days of the period before; of other ranges as many days as have come, just
 * before it.
 * @throws RangeError for texts that are not calendar dates.
 */
export function comparedPeriod({ fromDate, toDate }: DateRange, today: string): DateRange {
  const before = periodBefore({ fromDate, toDate });
  if (today < fromDate || today >= toDate) return before;
  const period = { fromDate, nextDate: addDays(toDate, 1) };
  if (isWholeMonths(period) || isWholeWeeks(period)) return { ...before, toDate: shiftBack(today, period) };
  const tomorrow = addDays(today, 1);
  return dateRange(addDays(fromDate, -daysBetween(fromDate, tomorrow)), fromDate);
}

function monthsBetween(fromDate: string, toDate: string): number {
  const [from, to] = [requireDate(fromDate), requireDate(toDate)];
  return 12 * (to.year - from.year) + to.month - from.month;
}

function daysBetween(fromDate: string, toDate: string): number {
  const [fromMs, toMs] = [fromDate, toDate].map((date) => {
    const { year, month, day } = requireDate(date);
    return utcMidnightMs(year, month, day);
  });
  return Math.round(((toMs ?? 0) - (fromMs ?? 0)) / DAY_MS);
}

/**
 * The calendar months ('yyyy-mm') that a range touches, in order.
 * @throws RangeError for texts that are not calendar dates.
 */
export function monthsOf({ fromDate, toDate }: DateRange): string[] {
  const first = firstOfMonth(fromDate);
  return Array.from({ length: monthsBetween(first, firstOfMonth(toDate)) + 1 }, (_, index) =>
    addMonths(first, index).slice(0, 7),
  );
}
