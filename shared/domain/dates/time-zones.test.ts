import { expect, it } from 'vitest';
import { instantOfWallClockMs, wallClockMs } from './time-zones.ts';

const atUtc = (iso: string): number => Date.parse(`${iso}Z`);

it.each([
  ['Asia/Jakarta', '2026-06-10T05:00:00', '2026-06-10T12:00:00'],
  ['Europe/Berlin', '2026-06-10T10:00:00', '2026-06-10T12:00:00'],
  ['Europe/Berlin', '2026-12-10T11:00:00', '2026-12-10T12:00:00'],
  ['America/New_York', '2026-01-01T01:30:15', '2025-12-31T20:30:15'],
])('converts between the instant and the wall clock time in %s at %s UTC', (timeZone, instant, wallClock) => {
  expect(wallClockMs(timeZone, atUtc(instant))).toBe(atUtc(wallClock));
  expect(instantOfWallClockMs(timeZone, atUtc(wallClock))).toBe(atUtc(instant));
});

it('returns one of the two instants of an hour that comes twice', () => {
  const instants = [atUtc('2026-10-25T00:30:00'), atUtc('2026-10-25T01:30:00')];
  expect(instants).toContain(instantOfWallClockMs('Europe/Berlin', atUtc('2026-10-25T02:30:00')));
});

it('drops the milliseconds of an instant', () => {
  expect(wallClockMs('UTC', 1999)).toBe(1000);
});

it('throws a RangeError for an unknown time zone', () => {
  expect(() => wallClockMs('Asia/Atlantis', 0)).toThrow(RangeError);
});
