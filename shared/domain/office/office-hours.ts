import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { addDays, type InstantRange, todayIn } from '../dates/dates.ts';
import { utcMidnightMs, wallClockMs } from '../dates/time-zones.ts';

/** When the office answers (R-OFFICE-1). Times of day are 'hh:mm' and dates 'yyyy-mm-dd', both in the office's time zone. */
export type OfficeSchedule = {
  /** `weekday`: 1 is Monday, 7 Sunday. Without times the office stays closed. */
  days: readonly { weekday: number; open: string | null; close: string | null }[];
  holidays: readonly { date: string }[];
  /** When the office closed early; for the rest of that day. */
  closedAt: number | null;
};

/** `untilMs`: when an open office closes. `opensAtMs`: when a closed one opens next; null when it never does. */
export type OfficeState = { open: boolean; untilMs: number | null; opensAtMs: number | null };

/** Zones are at most 14 hours ahead of UTC and 12 behind it. */
const ZONE_MAX_MS = 14 * HOUR_MS;

const timeOfDayMs = (text: string): number => Number(text.slice(0, 2)) * HOUR_MS + Number(text.slice(3)) * MINUTE_MS;

const midnightOf = (date: string): number =>
  utcMidnightMs(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)));

const weekdayOf = (date: string): number => ((new Date(midnightOf(date)).getUTCDay() + 6) % 7) + 1;

/** The opening times of a schedule as instants. */
export function createOfficeCalendar({ days, holidays, closedAt }: OfficeSchedule, timeZone: string) {
  const hoursByWeekday = new Map(
    days.flatMap(({ weekday, open, close }) =>
      open === null || close === null ? [] : [[weekday, { open: timeOfDayMs(open), close: timeOfDayMs(close) }]],
    ),
  );
  const closedDates = new Set(holidays.map(({ date }) => date));
  const closedEarlyOn = closedAt === null ? null : todayIn(timeZone, closedAt);
  /** These days hold an opening, if there is one at all: each holiday can take the only day of one week. */
  const searchDays = 7 * (closedDates.size + 3);

  /** The opening times of one day, in order: two where clocks go back over its hours of opening, else one or none. */
  function rangesOf(date: string): InstantRange[] {
    const hours = hoursByWeekday.get(weekdayOf(date));
    if (!hours || closedDates.has(date)) return [];
    const midnightMs = midnightOf(date);
    const ranges = offsetsAround(timeZone, midnightMs)
      .map(({ fromMs, toMs, offsetMs }) => ({
        fromMs: Math.max(fromMs, midnightMs + hours.open - offsetMs),
        toMs: Math.min(toMs, midnightMs + hours.close - offsetMs),
      }))
      .map((range) =>
        date === closedEarlyOn && closedAt !== null
          ? { fromMs: range.fromMs, toMs: Math.min(range.toMs, closedAt) }
          : range,
      )
      .filter(({ fromMs, toMs }) => fromMs < toMs);
    return joinRanges(ranges);
  }

  function* rangesFrom(date: string, dayCount: number): Generator<InstantRange> {
    for (let index = 0, day = date; index < dayCount; index += 1, day = addDays(day, 1)) yield* rangesOf(day);
  }

  return {
    stateAt(instantMs: number): OfficeState {
      const yesterday = addDays(todayIn(timeZone, instantMs), -1);
      for (const { fromMs, toMs } of rangesFrom(yesterday, hoursByWeekday.size === 0 ? 0 : searchDays)) {
        if (toMs <= instantMs) continue;
        return fromMs <= instantMs
          ? { open: true, untilMs: toMs, opensAtMs: null }
          : { open: false, untilMs: null, opensAtMs: fromMs };
      }
      return { open: false, untilMs: null, opensAtMs: null };
    },

    /**
     * Counts opening time. @returns the opening time (ms) between two instants, for instants of `range`
     */
    openingTime({ fromMs, toMs }: InstantRange): (startMs: number, endMs: number) => number {
      const first = addDays(todayIn(timeZone, fromMs), -1);
      const dayCount = Math.ceil((toMs - fromMs) / DAY_MS) + 4;
      const ranges = [...rangesFrom(first, dayCount)];
      const before: number[] = [];
      let sum = 0;
      for (const range of ranges) {
        before.push(sum);
        sum += range.toMs - range.fromMs;
      }
      /** Opening time from the first range up to an instant. */
      const until = (instantMs: number): number => {
        const index = lastStartedAt(ranges, instantMs);
        const range = ranges[index];
        if (!range) return 0;
        return (before[index] ?? 0) + Math.min(instantMs, range.toMs) - range.fromMs;
      };
      return (startMs, endMs) => Math.max(0, until(endMs) - until(startMs));
    },
  };
}
export type OfficeCalendar = ReturnType<typeof createOfficeCalendar>;

/** Opening time (ms) between two instants. */
export function openingTimeBetween(calendar: OfficeCalendar, startMs: number, endMs: number): number {
  return startMs < endMs ? calendar.openingTime({ fromMs: startMs, toMs: endMs })(startMs, endMs) : 0;
}

/** The stretches of one offset to UTC in which clocks may show a day: one, or two around a change of the clocks. */
function offsetsAround(timeZone: string, midnightMs: number): (InstantRange & { offsetMs: number })[] {
  const [fromMs, toMs] = [midnightMs - ZONE_MAX_MS, midnightMs + DAY_MS + ZONE_MAX_MS];
  const offsetAt = (instantMs: number): number => wallClockMs(timeZone, instantMs) - instantMs;
  const [first, last] = [offsetAt(fromMs), offsetAt(toMs)];
  if (first === last) return [{ fromMs, toMs, offsetMs: first }];
  let beforeMs = fromMs;
  let afterMs = toMs;
  // Whole seconds, because a wall clock time has no smaller part.
  while (afterMs - beforeMs > 1000) {
    const middleMs = Math.floor((beforeMs + afterMs) / 2000) * 1000;
    if (offsetAt(middleMs) === first) beforeMs = middleMs;
    else afterMs = middleMs;
  }
  return [
    { fromMs, toMs: afterMs, offsetMs: first },
    { fromMs: afterMs, toMs, offsetMs: last },
  ];
}

function joinRanges(ranges: readonly InstantRange[]): InstantRange[] {
  const joined: InstantRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && range.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, range.toMs);
    else joined.push({ ...range });
  }
  return joined;
}

/** @returns the index of the last range that began before an instant, or -1 */
function lastStartedAt(ranges: readonly InstantRange[], instantMs: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.fromMs ?? Infinity) < instantMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
