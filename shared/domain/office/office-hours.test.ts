import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { createOfficeCalendar, openingTimeBetween, type OfficeSchedule } from './office-hours.ts';
import { wallClockMs } from '../dates/time-zones.ts';

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function weekOf(open: string | null, close: string | null, weekdays: readonly number[]): OfficeSchedule['days'] {
  return [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    weekdays.includes(weekday) ? { weekday, open, close } : { weekday, open: null, close: null },
  );
}
const workdays = weekOf('08:00', '15:00', [1, 2, 3, 4, 5]);
const schedule = (changes: Partial<OfficeSchedule> = {}): OfficeSchedule => ({
  days: workdays,
  holidays: [],
  closedAt: null,
  ...changes,
});

describe('the state of the office in Jakarta', () => {
  const stateAt = (instant: string, changes?: Partial<OfficeSchedule>) => {
    const state = createOfficeCalendar(schedule(changes), 'Asia/Jakarta').stateAt(at(instant));
    return [state.open, iso(state.untilMs), iso(state.opensAtMs)];
  };

  it.each([
    ['at the moment of opening', '2026-06-10T01:00:00Z', [true, '2026-06-10T08:00:00.000Z', null]],
    ['in the last millisecond', '2026-06-10T07:59:59.999Z', [true, '2026-06-10T08:00:00.000Z', null]],
    ['at the moment of closing', '2026-06-10T08:00:00Z', [false, null, '2026-06-11T01:00:00.000Z']],
    ['before opening', '2026-06-10T00:59:59.999Z', [false, null, '2026-06-10T01:00:00.000Z']],
    ['on Friday evening', '2026-06-12T10:00:00Z', [false, null, '2026-06-15T01:00:00.000Z']],
  ])('%s', (_name, instant, expected) => {
    expect(stateAt(instant)).toEqual(expected);
  });

  it('skips holidays', () => {
    const holidays = [{ date: '2026-06-11' }, { date: '2026-06-12' }, { date: '2026-06-13' }];
    expect(stateAt('2026-06-10T08:00:00Z', { holidays })).toEqual([false, null, '2026-06-15T01:00:00.000Z']);
    expect(stateAt('2026-06-11T03:00:00Z', { holidays })).toEqual([false, null, '2026-06-15T01:00:00.000Z']);
  });

  it('stays closed for the rest of a day on which it closed early, and only then', () => {
    const closedAt = at('2026-06-10T04:00:00Z');
    expect(stateAt('2026-06-10T03:59:59Z', { closedAt })[0]).toBe(true);
    expect(stateAt('2026-06-10T04:00:00Z', { closedAt })).toEqual([false, null, '2026-06-11T01:00:00.000Z']);
    expect(stateAt('2026-06-11T04:00:00Z', { closedAt })[0]).toBe(true);
    expect(stateAt('2026-06-09T04:00:00Z', { closedAt })[0]).toBe(true);
  });

  it('never opens without a day that has hours', () => {
    expect(stateAt('2026-06-10T03:00:00Z', { days: weekOf(null, null, []) })).toEqual([false, null, null]);
    expect(stateAt('2026-06-10T03:00:00Z', { days: [] })).toEqual([false, null, null]);
  });

  it('finds an opening behind 200 holidays that take the only day of each week', () => {
    const holidays = Array.from({ length: 200 }, (_, week) => ({
      date: new Date(at('2026-06-15T00:00:00Z') + week * 7 * DAY_MS).toISOString().slice(0, 10),
    }));
    expect(stateAt('2026-06-10T03:00:00Z', { days: weekOf('08:00', '09:00', [1]), holidays })).toEqual([
      false,
      null,
      iso(at('2026-06-15T01:00:00Z') + 200 * 7 * DAY_MS),
    ]);
  });
});

describe('opening time between two instants', () => {
  const between = (from: string, to: string, changes?: Partial<OfficeSchedule>): number =>
    openingTimeBetween(createOfficeCalendar(schedule(changes), 'Asia/Jakarta'), at(from), at(to));

  it('counts neither nights nor weekends', () => {
    expect(between('2026-06-10T07:30:00Z', '2026-06-11T01:04:00Z')).toBe(34 * MINUTE_MS);
    expect(between('2026-06-12T07:59:00Z', '2026-06-15T01:03:00Z')).toBe(4 * MINUTE_MS);
    expect(between('2026-06-13T02:00:00Z', '2026-06-14T02:00:00Z')).toBe(0);
    expect(between('2026-06-08T00:00:00Z', '2026-06-15T00:00:00Z')).toBe(35 * HOUR_MS);
  });

  it('counts a day on which the office closed early up to that time', () => {
    const closedAt = at('2026-06-10T04:00:00Z');
    expect(between('2026-06-10T01:00:00Z', '2026-06-10T10:00:00Z', { closedAt })).toBe(3 * HOUR_MS);
  });

  it('amounts to 0 for instants in the wrong order, as after a clock was set back', () => {
    expect(between('2026-06-10T07:00:00Z', '2026-06-10T03:00:00Z')).toBe(0);
  });
});

/*
 * The oracle looks at a clock on the wall every minute. The windows lie around changes of the clocks, also of half an hour,
 * at midnight, and where a zone skipped a whole day.
 */
const windows = [
  ['Asia/Jakarta', '2026-06-08T00:00:00Z'],
  ['Asia/Kathmandu', '2026-06-08T00:00:00Z'],
  ['Europe/Berlin', '2026-03-28T00:00:00Z'],
  ['Europe/Berlin', '2026-10-24T00:00:00Z'],
  ['America/New_York', '2026-03-07T00:00:00Z'],
  ['America/New_York', '2026-10-31T00:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T00:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T00:00:00Z'],
  ['America/St_Johns', '2010-11-06T00:00:00Z'],
  ['America/Sao_Paulo', '2018-11-03T00:00:00Z'],
  ['Pacific/Apia', '2011-12-29T00:00:00Z'],
] as const;

/** The time on a clock on the wall. */
const clockAt = (timeZone: string, ms: number) => {
  const text = new Date(wallClockMs(timeZone, ms)).toISOString();
  const date = text.slice(0, 10);
  return { ms, date, time: text.slice(11, 16), weekday: new Date(`${date}T00:00:00Z`).getUTCDay() || 7 };
};
type Clock = ReturnType<typeof clockAt>;

function isOpenByTheClock({ days, holidays, closedAt }: OfficeSchedule, now: Clock, closedOn: string | null): boolean {
  const hours = days.find((day) => day.weekday === now.weekday);
  if (!hours?.open || !hours.close || holidays.some((holiday) => holiday.date === now.date)) return false;
  if (closedAt !== null && now.date === closedOn && now.ms >= closedAt) return false;
  return now.time >= hours.open && now.time < hours.close;
}

const anyTime = fc
  .tuple(fc.nat({ max: 23 }), fc.constantFrom(0, 1, 15, 30, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const anyHours = fc.oneof(
  { weight: 4, arbitrary: fc.uniqueArray(anyTime, { minLength: 2, maxLength: 2 }).map((times) => times.toSorted()) },
  { weight: 1, arbitrary: fc.constant([null, null]) },
);
const WINDOW_MINUTES = 4 * 24 * 60;

describe.each(windows)('in %s from %s on', (timeZone, start) => {
  const startMs = at(start);
  const clocks = Array.from({ length: WINDOW_MINUTES + 1 }, (_, minute) =>
    clockAt(timeZone, startMs + minute * MINUTE_MS),
  );
  const anySchedule = fc.record({
    days: fc
      .array(anyHours, { minLength: 7, maxLength: 7 })
      .map((week) => week.map(([open = null, close = null], index) => ({ weekday: index + 1, open, close }))),
    holidays: fc.array(
      fc.nat({ max: 5 }).map((days) => ({ date: new Date(startMs + days * DAY_MS).toISOString().slice(0, 10) })),
      { maxLength: 2 },
    ),
    closedAt: fc.option(
      fc.nat({ max: WINDOW_MINUTES }).map((minutes) => startMs + minutes * MINUTE_MS),
      { nil: null },
    ),
  });

  it('says the same as a look at the clock in every minute', () => {
    fc.assert(
      fc.property(anySchedule, fc.nat({ max: WINDOW_MINUTES }), fc.nat({ max: WINDOW_MINUTES }), (week, a, b) => {
        const calendar = createOfficeCalendar(week, timeZone);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const closedOn = week.closedAt === null ? null : clockAt(timeZone, week.closedAt).date;
        const isOpen = (clock: Clock): boolean => isOpenByTheClock(week, clock, closedOn);
        const minutes = clocks.slice(from, to + 1).map(isOpen);
        const [fromMs, toMs] = [startMs + from * MINUTE_MS, startMs + to * MINUTE_MS];
        expect(openingTimeBetween(calendar, fromMs, toMs)).toBe(
          minutes.slice(0, -1).filter(Boolean).length * MINUTE_MS,
        );

        const { open, untilMs, opensAtMs } = calendar.stateAt(fromMs);
        expect(open).toBe(minutes[0]);
        const change = minutes.findIndex((isOpenThen) => isOpenThen !== open);
        const changeMs = open ? untilMs : opensAtMs;
        if (change >= 0) expect(changeMs).toBe(fromMs + change * MINUTE_MS);
        else expect(changeMs ?? Infinity).toBeGreaterThan(toMs);
      }),
      { numRuns: 60 },
    );
  });
});
