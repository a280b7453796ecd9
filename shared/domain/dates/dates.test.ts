import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type InstantRange,
  REPORT_PERIODS,
  addDays,
  addMonths,
  addYears,
  statisticsPeriods,
  monthsOf,
  parseCalendarDate,
  comparedPeriod,
  type OfficePeriod,
  periodBefore,
  reportRange,
  samePartBefore,
  endOfDayMs,
  startOfDayMs,
  todayIn,
  yearOf,
} from './dates.ts';
import { DAY_MS } from '#shared/durations.ts';

const ZONES = [
  'Asia/Jakarta',
  'Asia/Makassar',
  'Asia/Jayapura',
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/London',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Chatham',
];
const anyZone = fc.constantFrom(...ZONES);
const anyInstant = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2060, 0, 1) });
const anyDate = fc
  .date({ min: new Date('0100-01-01'), max: new Date('9800-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const iso = (ms: number) => new Date(ms).toISOString();
const isoRange = (range: InstantRange) => [iso(range.fromMs), iso(range.toMs)];

describe('parseCalendarDate', () => {
  it.each([
    ['2025-01-31', '2025-01-31'],
    ['2024-02-29', '2024-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['2025-01-31T23:30:00.000Z', '2025-01-31'],
    ['2025-01-31T23:30:00+07:00', '2025-01-31'],
    ['2025-01-31T23:30', '2025-01-31'],
  ])('reads the date of %j as %j', (value, date) => {
    expect(parseCalendarDate(value)).toBe(date);
  });

  it.each([
    '2025-02-30',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '0000-01-01',
    '',
    'abc',
    '31-01-2025',
    '31/01/2025',
    '2025-1-31',
    '2025-01-31x',
    ' 2025-01-31',
    '2025-01-31\n',
    '+2025-01-31',
    '2025-01-31Tabc',
    '2025-01-31T25:00',
    '2025-01-31T10:60',
    '12025-01-31',
    '2025-02-30T10:00:00Z',
    5,
    null,
    undefined,
    true,
    {},
    ['2025-01-31'],
    new Date(0),
    NaN,
  ])('returns null for %j', (value) => {
    expect(parseCalendarDate(value)).toBeNull();
  });

  it('accepts exactly the days that the calendar has', () => {
    const part = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), part, part, (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const leap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
        const days = [0, 31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
        expect(parseCalendarDate(text)).toBe(year > 0 && day > 0 && day <= days ? text : null);
      }),
    );
  });
});

describe('todayIn', () => {
  it('changes the date at midnight of the time zone', () => {
    expect(todayIn('Asia/Jakarta', Date.UTC(2025, 0, 31, 16, 59, 59, 999))).toBe('2025-01-31');
    expect(todayIn('Asia/Jakarta', Date.UTC(2025, 0, 31, 17))).toBe('2025-02-01');
    expect(todayIn('America/New_York', Date.UTC(2025, 0, 1, 4, 59))).toBe('2024-12-31');
    expect(todayIn('UTC', -1)).toBe('1969-12-31');
  });

  it('throws for an unknown time zone and for an impossible instant', () => {
    expect(() => todayIn('Asia/Nowhere', 0)).toThrow(RangeError);
    expect(() => todayIn('UTC', NaN)).toThrow(RangeError);
  });
});

describe('startOfDayMs', () => {
  it.each([
    ['2025-02-01', 'Asia/Jakarta', '2025-01-31T17:00:00.000Z'],
    ['2025-01-01', 'Asia/Kathmandu', '2024-12-31T18:15:00.000Z'],
    ['2025-03-09', 'America/New_York', '2025-03-09T05:00:00.000Z'],
    ['2025-03-10', 'America/New_York', '2025-03-10T04:00:00.000Z'],
    ['2025-11-02', 'America/New_York', '2025-11-02T04:00:00.000Z'],
    ['2025-11-03', 'America/New_York', '2025-11-03T05:00:00.000Z'],
    ['2025-01-01', 'Pacific/Kiritimati', '2024-12-31T10:00:00.000Z'],
  ])('begins %s in %s at %s', (date, timeZone, instant) => {
    expect(iso(startOfDayMs(date, timeZone))).toBe(instant);
  });

  it.each([
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2024-04-26', 'Africa/Cairo', '2024-04-25T22:00:00.000Z'],
    ['1919-03-31', 'America/Toronto', '1919-03-31T04:30:00.000Z'],
  ])('begins %s in %s, which has no midnight, at the clock change at %s', (date, timeZone, instant) => {
    expect(iso(startOfDayMs(date, timeZone))).toBe(instant);
    expect(todayIn(timeZone, Date.parse(instant))).toBe(date);
    expect(todayIn(timeZone, Date.parse(instant) - 1)).toBe(addDays(date, -1));
  });

  it.each([
    ['2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z'],
    ['2006-10-29', 'America/St_Johns', '2006-10-29T02:30:00.000Z'],
  ])('begins %s in %s, which has two midnights, at the first one at %s', (date, timeZone, instant) => {
    expect(iso(startOfDayMs(date, timeZone))).toBe(instant);
  });

  it('gives a day that the time zone skipped no length', () => {
    expect(startOfDayMs('2011-12-30', 'Pacific/Apia')).toBe(startOfDayMs('2011-12-31', 'Pacific/Apia'));
  });

  it.each(['', 'abc', '2025-02-30', '2025-01-31T00:00:00Z'])('throws for %j', (date) => {
    expect(() => startOfDayMs(date, 'UTC')).toThrow(RangeError);
  });

  it('puts every instant inside the day that todayIn returns', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (timeZone, ms) => {
        const date = todayIn(timeZone, ms);
        const fromMs = startOfDayMs(date, timeZone);
        const toMs = startOfDayMs(addDays(date, 1), timeZone);
        expect(fromMs <= ms && ms < toMs).toBe(true);
        expect(todayIn(timeZone, fromMs)).toBe(date);
        expect(todayIn(timeZone, toMs - 1)).toBe(date);
        expect(todayIn(timeZone, fromMs - 1) < date).toBe(true);
        expect(todayIn(timeZone, toMs) > date).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('endOfDayMs', () => {
  it('returns the start of the next day', () => {
    expect(iso(endOfDayMs('2026-12-31', 'Asia/Jakarta') ?? 0)).toBe(iso(startOfDayMs('2027-01-01', 'Asia/Jakarta')));
  });

  it('returns nothing for the last day, which has no next one', () => {
    expect(endOfDayMs('9999-12-31', 'UTC')).toBeUndefined();
  });
});

describe('calendar arithmetic', () => {
  it.each([
    [addDays, '2024-02-28', 1, '2024-02-29'],
    [addDays, '2025-01-01', -1, '2024-12-31'],
    [addDays, '0050-12-31', 1, '0051-01-01'],
    [addMonths, '2025-01-31', 1, '2025-02-28'],
    [addMonths, '2024-01-31', 1, '2024-02-29'],
    [addMonths, '2025-03-31', -1, '2025-02-28'],
    [addMonths, '2025-11-30', 3, '2026-02-28'],
    [addMonths, '2025-01-15', -13, '2023-12-15'],
    [addYears, '2024-02-29', 1, '2025-02-28'],
    [addYears, '2024-02-29', 4, '2028-02-29'],
    [addYears, '2025-12-31', -1, '2024-12-31'],
  ])('computes %o of %s and %d as %s', (add, date, n, expected) => {
    expect(add(date, n)).toBe(expected);
  });

  it('throws for a text that is not a date and for a result outside the years 1 to 9999', () => {
    for (const add of [addDays, addMonths, addYears]) {
      expect(() => add('2025-02-30', 1)).toThrow(RangeError);
      expect(() => add('9999-12-31', 1)).toThrow(RangeError);
      expect(() => add('0001-01-01', -1)).toThrow(RangeError);
      expect(() => add('2025-01-01', NaN)).toThrow(RangeError);
    }
    expect(() => yearOf('2025')).toThrow(RangeError);
  });

  it('returns to the same date after adding and subtracting the same number', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -20_000, max: 20_000 }), (date, n) => {
        const there = addDays(date, n);
        expect(addDays(there, -n)).toBe(date);
        expect(Math.sign(there < date ? -1 : there > date ? 1 : 0)).toBe(Math.sign(n));
        expect(Date.parse(there) - Date.parse(date)).toBe(n * DAY_MS);
      }),
    );
  });

  it('moves month and year by the given number and never increases the day of the month', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -1000, max: 1000 }), (date, n) => {
        const there = addMonths(date, n);
        const months = (text: string) => yearOf(text) * 12 + Number(text.slice(5, 7));
        expect(months(there) - months(date)).toBe(n);
        const [day, dayThere] = [Number(date.slice(8)), Number(there.slice(8))];
        expect(dayThere === day || (dayThere < day && addDays(there, 1).endsWith('-01'))).toBe(true);
        const years = Math.trunc(n / 12) + 0;
        expect(yearOf(addYears(date, years)) - yearOf(date)).toBe(years);
      }),
    );
  });
});

describe('reportRange', () => {
  const nowMs = Date.UTC(2025, 4, 31, 18);

  it.each([
    ['this_month', '2025-06-01', '2025-06-30', '2025-05-31T17:00:00.000Z', '2025-06-30T17:00:00.000Z'],
    ['last_month', '2025-05-01', '2025-05-31', '2025-04-30T17:00:00.000Z', '2025-05-31T17:00:00.000Z'],
    ['this_quarter', '2025-04-01', '2025-06-30', '2025-03-31T17:00:00.000Z', '2025-06-30T17:00:00.000Z'],
    ['this_year', '2025-01-01', '2025-12-31', '2024-12-31T17:00:00.000Z', '2025-12-31T17:00:00.000Z'],
    ['last_year', '2024-01-01', '2024-12-31', '2023-12-31T17:00:00.000Z', '2024-12-31T17:00:00.000Z'],
    // 1 June 2025 is a Sunday: the last day of its week.
    ['this_week', '2025-05-26', '2025-06-01', '2025-05-25T17:00:00.000Z', '2025-06-01T17:00:00.000Z'],
    ['last_week', '2025-05-19', '2025-05-25', '2025-05-18T17:00:00.000Z', '2025-05-25T17:00:00.000Z'],
    ['last_7_days', '2025-05-26', '2025-06-01', '2025-05-25T17:00:00.000Z', '2025-06-01T17:00:00.000Z'],
  ] as const)('%s in Jakarta', (period, fromDate, toDate, from, to) => {
    const range = reportRange(period, 'Asia/Jakarta', nowMs);
    expect(range).toEqual({ fromDate, toDate, fromMs: Date.parse(from), toMs: Date.parse(to) });
  });

  it.each([
    ['2026-11-23', ['2026-11-23', '2026-11-29'], ['2026-11-16', '2026-11-22'], ['2026-11-17', '2026-11-23']],
    ['2026-01-01', ['2025-12-29', '2026-01-04'], ['2025-12-22', '2025-12-28'], ['2025-12-26', '2026-01-01']],
    ['2024-03-03', ['2024-02-26', '2024-03-03'], ['2024-02-19', '2024-02-25'], ['2024-02-26', '2024-03-03']],
  ])('finds the weeks of %s', (today, thisWeek, lastWeek, sevenDays) => {
    const nowOf = startOfDayMs(today, 'Asia/Jakarta');
    const rangeOf = (period: OfficePeriod) => {
      const { fromDate, toDate } = reportRange(period, 'Asia/Jakarta', nowOf);
      return [fromDate, toDate];
    };
    expect(rangeOf('this_week')).toEqual(thisWeek);
    expect(rangeOf('last_week')).toEqual(lastWeek);
    expect(rangeOf('last_7_days')).toEqual(sevenDays);
  });

  it('finds the five periods of R-REPORT-1', () => {
    expect(REPORT_PERIODS).toEqual(['this_month', 'last_month', 'this_quarter', 'this_year', 'last_year']);
  });

  it('covers exactly the days of its dates, with neighbouring periods meeting', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (timeZone, ms) => {
        const covered = (period: OfficePeriod) => {
          const range = reportRange(period, timeZone, ms);
          expect(range.fromMs).toBe(startOfDayMs(range.fromDate, timeZone));
          expect(range.toMs).toBe(startOfDayMs(addDays(range.toDate, 1), timeZone));
          return range;
        };
        const [thisMonth, lastMonth] = [covered('this_month'), covered('last_month')];
        const [quarter, thisYear, lastYear] = [covered('this_quarter'), covered('this_year'), covered('last_year')];
        expect(lastMonth.toMs).toBe(thisMonth.fromMs);
        expect(lastYear.toMs).toBe(thisYear.fromMs);
        const [thisWeek, sevenDays] = [covered('this_week'), covered('last_7_days')];
        expect(covered('last_week').toMs).toBe(thisWeek.fromMs);
        for (const [inner, outer] of [
          [{ fromMs: ms, toMs: ms + 1 }, thisMonth],
          [{ fromMs: ms, toMs: ms + 1 }, thisWeek],
          [{ fromMs: ms, toMs: ms + 1 }, sevenDays],
          [thisMonth, quarter],
          [quarter, thisYear],
        ] as const) {
          expect(outer.fromMs <= inner.fromMs && inner.toMs <= outer.toMs).toBe(true);
        }
      }),
    );
  });
});

describe('statisticsPeriods', () => {
  it('begins a week on Monday', () => {
    const { today, week, month, year } = statisticsPeriods('Asia/Jakarta', Date.UTC(2025, 5, 1, 3));
    expect(isoRange(today.current)).toEqual(['2025-05-31T17:00:00.000Z', '2025-06-01T17:00:00.000Z']);
    expect(isoRange(today.previous)).toEqual(['2025-05-30T17:00:00.000Z', '2025-05-31T17:00:00.000Z']);
    expect(isoRange(week.current)).toEqual(['2025-05-25T17:00:00.000Z', '2025-06-01T17:00:00.000Z']);
    expect(isoRange(week.previous)).toEqual(['2025-05-18T17:00:00.000Z', '2025-05-25T17:00:00.000Z']);
    expect(isoRange(month.current)).toEqual(['2025-05-31T17:00:00.000Z', '2025-06-30T17:00:00.000Z']);
    expect(isoRange(month.previous)).toEqual(['2025-04-30T17:00:00.000Z', '2025-05-31T17:00:00.000Z']);
    expect(isoRange(year.current)).toEqual(['2024-12-31T17:00:00.000Z', '2025-12-31T17:00:00.000Z']);
    expect(isoRange(year.previous)).toEqual(['2023-12-31T17:00:00.000Z', '2024-12-31T17:00:00.000Z']);
  });

  it('contains the current instant and meets the whole period before', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (timeZone, ms) => {
        const periods = statisticsPeriods(timeZone, ms);
        for (const name of ['today', 'week', 'month', 'year'] as const) {
          const { current, previous, previousSameDays } = periods[name];
          expect(previousSameDays.fromMs).toBe(previous.fromMs);
          expect(previousSameDays.toMs <= previous.toMs).toBe(true);
          expect(current.fromMs <= ms && ms < current.toMs).toBe(true);
          expect(previous.toMs).toBe(current.fromMs);
          // Seen from inside the previous period, that one is the current period: no instant is counted twice or never.
          // A day that the time zone skipped has no inside.
          if (previous.fromMs < previous.toMs) {
            expect(statisticsPeriods(timeZone, previous.toMs - 1)[name].current).toEqual(previous);
          }
        }
        const monday = todayIn(timeZone, periods.week.current.fromMs);
        expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1);
      }),
    );
  });
});

describe('samePartBefore', () => {
  it.each([
    ['2026-11-22', ['2026-11-09', '2026-11-15'], ['2026-10-01', '2026-10-22'], ['2025-01-01', '2025-11-22']],
    // The month before is shorter: it counts as a whole.
    ['2026-03-31', ['2026-03-23', '2026-03-24'], ['2026-02-01', '2026-02-28'], ['2025-01-01', '2025-03-31']],
    ['2024-02-29', ['2024-02-19', '2024-02-22'], ['2024-01-01', '2024-01-29'], ['2023-01-01', '2023-02-28']],
    ['2026-01-01', ['2025-12-22', '2025-12-25'], ['2025-12-01', '2025-12-01'], ['2025-01-01', '2025-01-01']],
  ])('compares week, month and year until %s with the same part of the one before', (today, week, month, year) => {
    const before = samePartBefore(today);
    const ranges = [before.week, before.month, before.year].map(({ fromDate, toDate }) => [fromDate, toDate]);
    expect(ranges).toEqual([week, month, year]);
    expect(before.today).toEqual({ fromDate: addDays(today, -1), toDate: addDays(today, -1) });
  });
});

describe('periodBefore', () => {
  it.each([
    // Whole months: as many whole months, however long they are.
    ['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
    ['2026-04-01', '2026-06-30', '2026-01-01', '2026-03-31'],
    ['2024-02-01', '2024-02-29', '2024-01-01', '2024-01-31'],
    // Other periods: as many days.
    ['2026-06-10', '2026-06-10', '2026-06-09', '2026-06-09'],
    ['2026-06-08', '2026-06-14', '2026-06-01', '2026-06-07'],
    ['2026-03-01', '2026-03-30', '2026-01-30', '2026-02-28'],
    ['2026-06-01', '2027-01-15', '2025-10-15', '2026-05-31'],
  ])('of %s to %s is %s to %s', (fromDate, toDate, previousFrom, previousTo) => {
    expect(periodBefore({ fromDate, toDate })).toEqual({ fromDate: previousFrom, toDate: previousTo });
  });

  it('ends on the day before, and has as many days or months', () => {
    fc.assert(
      fc.property(anyDate, fc.nat({ max: 800 }), (fromDate, days) => {
        const toDate = addDays(fromDate, days);
        const before = periodBefore({ fromDate, toDate });
        expect(addDays(before.toDate, 1)).toBe(fromDate);
        if (!fromDate.endsWith('-01') || !addDays(toDate, 1).endsWith('-01')) {
          expect(addDays(before.fromDate, days)).toBe(before.toDate);
        } else expect(monthsOf(before)).toHaveLength(monthsOf({ fromDate, toDate }).length);
      }),
    );
  });
});

describe('comparedPeriod', () => {
  it.each([
    // Whole months and weeks that are not over: the same days of the period before.
    ['2026-01-01', '2026-12-31', '2026-11-23', '2025-01-01', '2025-11-23'],
    ['2024-01-01', '2024-12-31', '2024-02-29', '2023-01-01', '2023-02-28'],
    ['2026-11-01', '2026-11-30', '2026-11-23', '2026-10-01', '2026-10-23'],
    ['2026-03-01', '2026-03-31', '2026-03-30', '2026-02-01', '2026-02-28'],
    ['2026-10-01', '2026-12-31', '2026-12-30', '2026-07-01', '2026-09-30'],
    ['2026-10-01', '2026-12-31', '2026-10-01', '2026-07-01', '2026-07-01'],
    ['2026-11-23', '2026-11-29', '2026-11-25', '2026-11-16', '2026-11-18'],
    // Other ranges: as many days as have come, just before, also when these are a whole month.
    ['2026-11-10', '2026-12-05', '2026-11-23', '2026-10-27', '2026-11-09'],
    ['2026-11-01', '2026-12-05', '2026-11-30', '2026-10-02', '2026-10-31'],
    // Over, or not begun: as a whole.
    ['2026-11-01', '2026-11-30', '2026-11-30', '2026-10-01', '2026-10-31'],
    ['2026-11-01', '2026-11-30', '2026-12-01', '2026-10-01', '2026-10-31'],
    ['2026-11-23', '2026-11-23', '2026-11-23', '2026-11-22', '2026-11-22'],
    ['2027-01-01', '2027-12-31', '2026-11-23', '2026-01-01', '2026-12-31'],
  ])('compares %s to %s on %s with %s to %s', (fromDate, toDate, today, previousFrom, previousTo) => {
    const compared = { fromDate: previousFrom, toDate: previousTo };
    expect(comparedPeriod({ fromDate, toDate }, today)).toEqual(compared);
  });

  it('lies within the period before, and lasts as long as the current one so far, where both have the same days', () => {
    fc.assert(
      fc.property(anyDate, fc.nat({ max: 800 }), fc.nat({ max: 800 }), (fromDate, days, daysGone) => {
        const period = { fromDate, toDate: addDays(fromDate, days) };
        const today = addDays(fromDate, daysGone);
        const compared = comparedPeriod(period, today);
        expect(compared.fromDate <= compared.toDate && compared.toDate < fromDate).toBe(true);
        if (daysGone >= days) {
          expect(compared).toEqual(periodBefore(period));
          return;
        }
        // A year, a quarter, a month and a week of that day: the day is at the same place, or is the last of its month.
        for (const preset of ['this_week', 'this_month', 'this_quarter', 'this_year'] as const) {
          const range = reportRange(preset, 'UTC', Date.parse(today));
          if (range.toDate === today) continue;
          const before = comparedPeriod(range, today);
          expect(before.fromDate).toBe(periodBefore(range).fromDate);
          expect(before.toDate <= periodBefore(range).toDate).toBe(true);
          const isSameDay = before.toDate.slice(8) === today.slice(8);
          if (preset === 'this_week') expect(addDays(before.toDate, 7)).toBe(today);
          else expect(isSameDay || addDays(before.toDate, 1).endsWith('-01')).toBe(true);
        }
      }),
    );
  });
});

describe('monthsOf', () => {
  it.each([
    ['2026-06-10', '2026-06-10', ['2026-06']],
    ['2026-11-30', '2027-02-01', ['2026-11', '2026-12', '2027-01', '2027-02']],
  ])('lists every month that %s to %s touches', (fromDate, toDate, months) => {
    expect(monthsOf({ fromDate, toDate })).toEqual(months);
  });
});
