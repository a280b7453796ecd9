import { expect, it } from 'vitest';
import { officeHoursText } from './office-days.ts';

const closed = { open: null, close: null };
const week = (...hours: { open: string | null; close: string | null }[]) =>
  hours.map((day, index) => ({ weekday: index + 1, open: day.open, close: day.close }));
const long = { open: '08:00', close: '15:00' };
const short = { open: '08:00', close: '11:30' };

it.each([
  [
    week(long, long, long, long, short, closed, closed),
    'Senin–Kamis 08.00–15.00, Jumat 08.00–11.30, Sabtu–Minggu tutup',
  ],
  [
    week(long, closed, long, closed, long, long, closed),
    'Senin 08.00–15.00, Selasa tutup, Rabu 08.00–15.00, Kamis tutup, Jumat–Sabtu 08.00–15.00, Minggu tutup',
  ],
  [week(long, long, long, long, long, long, long).toReversed(), 'Senin–Minggu 08.00–15.00'],
  [week(closed, closed, closed, closed, closed, closed, closed), null],
])('says the hours of a week in a line', (days, text) => {
  expect(officeHoursText(days)).toBe(text);
});
