import { HOLIDAYS_MAX } from '#shared/limits.ts';

/** The days of a week by their number: 1 is Monday, 7 Sunday. */
export const WEEKDAY_NAMES = ['Senin', 'Selasa', 'Rabu', 'Kamis', 'Jumat', 'Sabtu', 'Minggu'] as const;

export const officeTexts = {
  timeInvalid: 'Jam harus berbentuk 08:00',
  daysIncomplete: 'Isi ketujuh hari, masing-masing satu kali',
  halfDay: (day: string) => `${day}: isi jam buka dan jam tutup, atau kosongkan keduanya`,
  closeBeforeOpen: (day: string) => `${day}: jam tutup harus setelah jam buka`,
  holidayInvalid: 'Tanggal hari libur tidak valid',
  holidayTwice: (date: string) => `Hari libur ${date} tercantum dua kali`,
  holidaysTooMany: `Paling banyak ${HOLIDAYS_MAX} hari libur`,
} as const;

export type OfficeDay = { weekday: number; open: string | null; close: string | null };

/** The error in the hours of a day; null when there is none. */
export function officeDayError({ weekday, open, close }: OfficeDay): string | null {
  const name = WEEKDAY_NAMES[weekday - 1] ?? '';
  if (open === null && close === null) return null;
  if (open === null || close === null) return officeTexts.halfDay(name);
  return open < close ? null : officeTexts.closeBeforeOpen(name);
}

/** The hours of a day as people read them: '08.00–15.00' or 'tutup'. */
export const officeHoursOfDay = ({ open, close }: Pick<OfficeDay, 'open' | 'close'>): string =>
  open === null || close === null ? 'tutup' : `${open}–${close}`.replaceAll(':', '.');

/** The opening hours of a week: 'Senin–Kamis 08.00–15.00, Jumat 08.00–11.30, Sabtu–Minggu tutup'; null when it never opens. */
export function officeHoursText(days: readonly OfficeDay[]): string | null {
  if (days.every(({ open }) => open === null)) return null;
  const groups: { first: number; last: number; hours: string }[] = [];
  for (const day of days.toSorted((a, b) => a.weekday - b.weekday)) {
    const group = groups.at(-1);
    const hours = officeHoursOfDay(day);
    if (group?.hours === hours && group.last === day.weekday - 1) group.last = day.weekday;
    else groups.push({ first: day.weekday, last: day.weekday, hours });
  }
  const nameOf = (weekday: number): string => WEEKDAY_NAMES[weekday - 1] ?? '';
  return groups
    .map(({ first, last, hours }) => `${first === last ? nameOf(first) : `${nameOf(first)}–${nameOf(last)}`} ${hours}`)
    .join(', ');
}
