import { addDays, startOfDayMs, todayIn, yearOf } from '#shared/domain/dates/dates.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { SNOOZE_MAX_MS } from '#shared/limits.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';

/** Until when a conversation can be snoozed. All days and times are those of the office, whatever the zone of the browser. */

const OPENING = '08:00';
const DAYS_OF_WEEK = 7;
/** A day name alone is clear for so many days from today. */
const NAMED_DAYS = 6;

const shortWeekday = new Intl.DateTimeFormat('id-ID', { weekday: 'short', timeZone: SERVER_TIME_ZONE });
const weekdayAndDate = new Intl.DateTimeFormat('id-ID', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: SERVER_TIME_ZONE,
});
const dayAndMonth = new Intl.DateTimeFormat('id-ID', { day: 'numeric', month: 'short', timeZone: SERVER_TIME_ZONE });
const fullDate = new Intl.DateTimeFormat('id-ID', { dateStyle: 'medium', timeZone: SERVER_TIME_ZONE });

/** 1 for Monday to 7 for Sunday. */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || DAYS_OF_WEEK;
}

/** The instant of a time of day, '08:00', in the zone of the office. */
export function instantOf(date: string, time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(startOfDayMs(date, SERVER_TIME_ZONE) + hours * HOUR_MS + minutes * MINUTE_MS).toISOString();
}

/** Senin is the next one, never today. */
const SNOOZE_CHOICES = ['1 jam', 'Besok 08.00', 'Senin 08.00'] as const;
export type SnoozeChoice = (typeof SNOOZE_CHOICES)[number];

/** The instant that a choice means now, in ISO 8601. */
export function snoozeUntil(choice: SnoozeChoice, nowMs: number): string {
  const today = todayIn(SERVER_TIME_ZONE, nowMs);
  switch (choice) {
    case '1 jam':
      return new Date(nowMs + HOUR_MS).toISOString();
    case 'Besok 08.00':
      return instantOf(addDays(today, 1), OPENING);
    case 'Senin 08.00':
      return instantOf(addDays(today, DAYS_OF_WEEK + 1 - weekdayOf(today)), OPENING);
  }
}

/** The usual choices with the instant and the day or time of each: on a Sunday Monday is tomorrow and stands once. */
export function snoozeChoices(nowMs: number): { label: SnoozeChoice; until: string; when: string }[] {
  const choices = SNOOZE_CHOICES.map((label) => {
    const until = snoozeUntil(label, nowMs);
    const at = Date.parse(until);
    const when = label === '1 jam' ? `s.d. ${formatTime(until, SERVER_TIME_ZONE)}` : weekdayAndDate.format(at);
    return { label, until, when };
  });
  return choices.filter(({ until }, index) => choices.findIndex((other) => other.until === until) === index);
}

/** The error text for a chosen time; null when the time is valid. */
export function snoozeTimeError(until: string, nowMs: number): string | null {
  const untilMs = Date.parse(until);
  if (untilMs <= nowMs) return 'Pilih waktu yang akan datang';
  return untilMs > nowMs + SNOOZE_MAX_MS ? 'Paling lama 90 hari dari sekarang' : null;
}

/** 's.d. 14.30', 's.d. Sen 08.00', 's.d. 3 Des 08.00', 's.d. 3 Jan 2027 08.00'. */
export function formatSnoozedUntil(until: string, nowMs: number): string {
  const untilMs = Date.parse(until);
  const day = todayIn(SERVER_TIME_ZONE, untilMs);
  const today = todayIn(SERVER_TIME_ZONE, nowMs);
  const time = formatTime(until, SERVER_TIME_ZONE);
  if (day === today) return `s.d. ${time}`;
  if (day > today && day <= addDays(today, NAMED_DAYS)) return `s.d. ${shortWeekday.format(untilMs)} ${time}`;
  const date = yearOf(day) === yearOf(today) ? dayAndMonth.format(untilMs) : fullDate.format(untilMs);
  return `s.d. ${date} ${time}`;
}
