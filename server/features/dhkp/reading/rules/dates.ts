import type { Cell } from '../files/grid.ts';
import { cleanText } from './texts.ts';

const DAY_MS = 86_400_000;
/** Day 0 of serial numbers. Excel counts a 29 February 1900 that was none, so its day 0 is a day earlier. */
const EPOCH_1900_MS = Date.UTC(1899, 11, 30);
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
/** A number that would be an earlier day, such as the year 2026, is no serial number of a day of this tax. */
const FIRST_DAY = '1960-01-01';
const LAST_DAY = '2099-12-31';

/** The first three letters of months, Indonesian and English; AGT and AGS both mean August. */
const MONTHS: Record<string, number> = {
  jan: 1,
  feb: 2,
  peb: 2,
  mar: 3,
  apr: 4,
  mei: 5,
  may: 5,
  jun: 6,
  jul: 7,
  agu: 8,
  agt: 8,
  ags: 8,
  aug: 8,
  sep: 9,
  okt: 10,
  oct: 10,
  nov: 11,
  nop: 11,
  des: 12,
  dec: 12,
};
const MONTH_NAMES = new Set(
  (
    'januari februari pebruari maret april mei juni juli agustus september oktober november nopember desember ' +
    'january february march may june july august october december sept'
  ).split(' '),
);

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]\d{1,2}:.*)?$/;
const DAY_FIRST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?: \d{1,2}[:.]\d{2}.*)?$/;
const NAMED = /^(\d{1,2})[ /.-]*([A-Za-z]{3,})\.?[ /.-]*(\d{4}|\d{2})$/;

/**
 * Reads a date: a serial number, `yyyy-mm-dd`, the day first, or the name of a month.
 * @returns null when it is none for certain, or no day of the calendar
 */
export function readDate(cell: Cell, isDate1904: boolean): string | null {
  if (typeof cell === 'number') return dateOfSerial(cell, isDate1904);
  const text = cleanText(cell);
  const iso = ISO.exec(text);
  if (iso) return toDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return toDate(yearOf(dayFirst[4]), Number(dayFirst[3]), Number(dayFirst[1]));
  const named = NAMED.exec(text);
  if (named) return toDate(yearOf(named[3]), monthOf(named[2] ?? ''), Number(named[1]));
  return null;
}

/** Two digits mean 2000 to 2099. */
const yearOf = (digits = ''): number => Number(digits) + (digits.length === 2 ? 2000 : 0);

function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return lower.length === 3 || MONTH_NAMES.has(lower) ? (MONTHS[lower.slice(0, 3)] ?? 0) : 0;
}

function dateOfSerial(serial: number, isDate1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 100_000) return null;
  const date = new Date((isDate1904 ? EPOCH_1904_MS : EPOCH_1900_MS) + Math.floor(serial) * DAY_MS)
    .toISOString()
    .slice(0, 10);
  return date >= FIRST_DAY && date <= LAST_DAY ? date : null;
}

function toDate(year: number, month: number, day: number): string | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isOfCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year <= 2099;
  return isOfCalendar ? date.toISOString().slice(0, 10) : null;
}
