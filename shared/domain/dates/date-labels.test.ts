import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chatDayLabel,
  formatDate,
  formatDateRange,
  formatDateShort,
  formatDateTime,
  formatTime,
} from './date-labels.ts';
import { addDays, startOfDayMs, todayIn } from './dates.ts';

const JAKARTA = 'Asia/Jakarta';
const MONTHS = [
  'Januari',
  'Februari',
  'Maret',
  'April',
  'Mei',
  'Juni',
  'Juli',
  'Agustus',
  'September',
  'Oktober',
  'November',
  'Desember',
];

describe('formatDate', () => {
  it.each([
    ['2025-01-31', JAKARTA, '31 Januari 2025', '31 Jan 2025'],
    ['2025-01-31', 'Pacific/Honolulu', '31 Januari 2025', '31 Jan 2025'],
    ['2025-08-05', 'Pacific/Kiritimati', '5 Agustus 2025', '5 Agu 2025'],
    ['2025-01-31T17:00:00.000Z', JAKARTA, '1 Februari 2025', '1 Feb 2025'],
    ['2025-01-31T17:00:00.000Z', 'UTC', '31 Januari 2025', '31 Jan 2025'],
    ['2025-02-01T00:00:00+07:00', JAKARTA, '1 Februari 2025', '1 Feb 2025'],
    ['2025-01-31T17:00:00', JAKARTA, '1 Februari 2025', '1 Feb 2025'],
  ])('writes %s in %s in the long and the short form', (value, timeZone, long, short) => {
    expect(formatDate(value, timeZone)).toBe(long);
    expect(formatDateShort(value, timeZone)).toBe(short);
  });

  it.each([
    ['2025-01-01', '2025-11-22', '1 Jan–22 Nov 2025'],
    ['2025-11-01', '2025-11-22', '1–22 Nov 2025'],
    ['2025-11-22', '2025-11-22', '22 Nov 2025'],
    ['2025-12-29', '2026-01-02', '29 Des 2025–2 Jan 2026'],
    ['2024-11-05', '2025-11-22', '5 Nov 2024–22 Nov 2025'],
  ])('writes the days from %s to %s without repeating month or year', (fromDate, toDate, text) => {
    expect(formatDateRange({ fromDate, toDate })).toBe(text);
  });

  it.each([null, undefined, '', 'abc', 'abc 5', '2025-02-30', '2025-01-31Tabc'])('shows %j as a dash', (value) => {
    expect(formatDate(value, JAKARTA)).toBe('-');
    expect(formatDateShort(value, JAKARTA)).toBe('-');
  });

  it('writes a plain date as the same day in every time zone', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.constantFrom(JAKARTA, 'Pacific/Honolulu', 'Pacific/Kiritimati', 'America/New_York'),
        (date, timeZone) => {
          const text = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
          expect(formatDate(date.toISOString().slice(0, 10), timeZone)).toBe(text);
        },
      ),
    );
  });
});

describe('formatDateTime and formatTime', () => {
  it.each([
    ['2025-01-31T07:05:59.999Z', JAKARTA, '31 Januari 2025', '14.05'],
    ['2025-01-31T17:00:00.000Z', JAKARTA, '1 Februari 2025', '00.00'],
    ['2025-01-31T07:05:00.000Z', 'UTC', '31 Januari 2025', '07.05'],
  ])('writes %s in %s as date with time and as time', (value, timeZone, date, time) => {
    expect(formatDateTime(value, timeZone)).toBe(`${date} pukul ${time}`);
    expect(formatTime(value, timeZone)).toBe(time);
  });

  it('shows an invalid time as a dash', () => {
    expect(formatDateTime('abc', JAKARTA)).toBe('-');
    expect(formatTime('', JAKARTA)).toBe('-');
  });
});

describe('chatDayLabel', () => {
  // Wednesday, 12 March 2025, 00:30 in Jakarta and still Tuesday in UTC.
  const nowMs = Date.UTC(2025, 2, 11, 17, 30);

  it.each([
    ['2025-03-12', 'Hari ini'],
    ['2025-03-11', 'Kemarin'],
    ['2025-03-10', 'Senin'],
    ['2025-03-09', 'Minggu'],
    ['2025-03-07', 'Jumat'],
    ['2025-03-06', 'Kamis'],
    ['2025-03-05', '5 Maret'],
    ['2025-01-01', '1 Januari'],
    ['2024-12-31', '31 Desember 2024'],
    ['2025-03-13', '13 Maret'],
  ])('labels %s as %s', (date, label) => {
    const fromMs = startOfDayMs(date, JAKARTA);
    expect(chatDayLabel(fromMs, nowMs, JAKARTA)).toBe(label);
    expect(chatDayLabel(fromMs + 86_399_999, nowMs, JAKARTA)).toBe(label);
  });

  it('gives all instants of a day the same label and neighbouring days different labels', () => {
    const zone = fc.constantFrom(JAKARTA, 'UTC', 'America/New_York');
    fc.assert(
      fc.property(
        zone,
        fc.nat({ max: 800 }),
        fc.nat({ max: 800 }),
        fc.nat({ max: 86_399 }),
        (timeZone, a, b, second) => {
          const today = todayIn(timeZone, nowMs);
          const [first, other] = [addDays(today, -a), addDays(today, -b)];
          const label = (date: string, shiftMs: number) =>
            chatDayLabel(startOfDayMs(date, timeZone) + shiftMs, nowMs, timeZone);
          // Days of 23 hours end earlier.
          const shiftMs = Math.min(second * 1000, 82_799_000);
          expect(label(first, 0)).toBe(label(first, shiftMs));
          expect(label(first, 0) === label(other, 0)).toBe(first === other);
        },
      ),
    );
  });
});
