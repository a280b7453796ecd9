import { HOLIDAYS_MAX } from '../limits.ts';

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
