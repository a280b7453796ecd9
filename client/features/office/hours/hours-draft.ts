import type { OfficeHours } from '#shared/api/office/office.ts';
import { officeDayError, WEEKDAY_NAMES } from '#shared/domain/office/office-days.ts';
import { parseTimeOfDay, showTimeOfDay } from '#client/ui/fields/parse-time.ts';

/** A day as it is typed. The times of a closed day stay, so that opening it again brings them back. */
export type DayDraft = { weekday: number; isOpen: boolean; open: string; close: string };
export type HolidayDraft = { date: string; name: string };
/** `newHoliday`: what is typed but not added yet; saving adds it. */
export type HoursDraft = {
  days: DayDraft[];
  holidays: HolidayDraft[];
  newHoliday: { date: string | null; name: string };
};

/** The times in the fields of a day that is set to open for the first time. */
const USUAL = { open: '08.00', close: '15.00' };
const NO_HOLIDAY = { date: null, name: '' };

export function draftOf({ days, holidays }: OfficeHours): HoursDraft {
  return {
    days: days.map(({ weekday, open, close }) => ({
      weekday,
      isOpen: open !== null,
      open: open === null ? USUAL.open : showTimeOfDay(open),
      close: close === null ? USUAL.close : showTimeOfDay(close),
    })),
    holidays,
    newHoliday: NO_HOLIDAY,
  };
}

const byDate = (a: HolidayDraft, b: HolidayDraft): number => (a.date < b.date ? -1 : 1);

/** The holidays with the one that is typed; in the order of their dates. */
export function allHolidays({ holidays, newHoliday: { date, name } }: HoursDraft): HolidayDraft[] {
  const added =
    date !== null && holidays.every((holiday) => holiday.date !== date) ? [{ date, name: name.trim() }] : [];
  return [...holidays, ...added].toSorted(byDate);
}

/** The typed holiday as one of the list. */
export const withNewHoliday = (draft: HoursDraft): HoursDraft => ({
  ...draft,
  holidays: allHolidays(draft),
  newHoliday: NO_HOLIDAY,
});

/** The error of a day; null when it has none. */
export function dayError({ weekday, isOpen, open, close }: DayDraft): string | null {
  if (!isOpen) return null;
  const [from, to] = [parseTimeOfDay(open), parseTimeOfDay(close)];
  const name = WEEKDAY_NAMES[weekday - 1] ?? '';
  if (from === null || to === null) return `${name}: tulis jam seperti 08.00`;
  return officeDayError({ weekday, open: from, close: to });
}

/** The hours to save; null while a day is wrong. */
export function hoursOf(draft: HoursDraft, closedToday: boolean): OfficeHours | null {
  if (draft.days.some((day) => dayError(day) !== null)) return null;
  return {
    days: draft.days.map(({ weekday, isOpen, open, close }) => ({
      weekday,
      open: isOpen ? parseTimeOfDay(open) : null,
      close: isOpen ? parseTimeOfDay(close) : null,
    })),
    holidays: allHolidays(draft),
    closed_today: closedToday,
  };
}

/** Whether saving would store something else. */
export function hasChanges(draft: HoursDraft, saved: OfficeHours): boolean {
  return JSON.stringify(hoursOf(draft, saved.closed_today)) !== JSON.stringify(saved);
}

/** Monday to Friday with the usual times, the weekend closed. */
export const usualWeek = (days: readonly DayDraft[]): DayDraft[] =>
  days.map((day) => ({ ...day, ...USUAL, isOpen: day.weekday <= 5 }));

/** The times of Monday on the other open days. */
export function likeMonday(days: readonly DayDraft[]): DayDraft[] {
  const monday = days.find(({ weekday }) => weekday === 1);
  if (!monday) return [...days];
  return days.map((day) => (day.isOpen ? { ...day, open: monday.open, close: monday.close } : day));
}
