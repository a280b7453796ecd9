import { addDays, type DateRange, parseCalendarDate, todayIn, yearOf } from './dates.ts';

const NO_DATE = '-';

const STYLES = {
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  short: { day: 'numeric', month: 'short', year: 'numeric' },
  dayMonth: { day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatInstant(style: keyof typeof STYLES, timeZone: string, instantMs: number): string {
  const key = `${style} ${timeZone}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('id-ID', { ...STYLES[style], timeZone });
    formats.set(key, format);
  }
  return format.format(instantMs);
}

/** The instant of an ISO date-time (ms), or null. Without an offset it is UTC, so that the device's time zone has no effect. */
function instantOf(iso: string): number | null {
  if (parseCalendarDate(iso) === null) return null;
  const hasZone = iso.length === 10 || /(?:Z|[+-]\d{2}:\d{2})$/.test(iso);
  return Date.parse(hasZone ? iso : `${iso}Z`);
}

function formatDay(style: 'long' | 'short', dateOrIso: string | null | undefined, timeZone: string): string {
  const instantMs = dateOrIso ? instantOf(dateOrIso) : null;
  if (instantMs === null) return NO_DATE;
  // A plain date is formatted in UTC: in a zone west of Greenwich it would become the day before.
  return formatInstant(style, dateOrIso?.length === 10 ? 'UTC' : timeZone, instantMs);
}

/**
 * A calendar date, or the day of an ISO date-time in `timeZone`, as '31 Januari 2025'; '-' when missing or invalid (R-UI-8).
 * @throws RangeError for an unknown time zone, like every function here.
 */
export function formatDate(dateOrIso: string | null | undefined, timeZone: string): string {
  return formatDay('long', dateOrIso, timeZone);
}

/** As `formatDate`, with a short month: '31 Jan 2025' (R-UI-8). */
export function formatDateShort(dateOrIso: string | null | undefined, timeZone: string): string {
  return formatDay('short', dateOrIso, timeZone);
}

/** Two calendar dates as '1 Jan–22 Nov 2025', '1–22 Nov 2025' or '22 Nov 2025': what both have in common is written once. */
export function formatDateRange({ fromDate, toDate }: DateRange): string {
  const to = formatDateShort(toDate, 'UTC');
  if (fromDate === toDate) return to;
  const [day = '', month = '', year = ''] = formatDateShort(fromDate, 'UTC').split(' ');
  const from = [day, month, year];
  if (yearOf(fromDate) === yearOf(toDate)) from.pop();
  if (fromDate.slice(0, 7) === toDate.slice(0, 7)) from.pop();
  return `${from.join(' ')}–${to}`;
}

/** An ISO date-time as '31 Januari 2025 pukul 14.05'; '-' when invalid (R-UI-8). */
export function formatDateTime(iso: string, timeZone: string): string {
  const instantMs = instantOf(iso);
  if (instantMs === null) return NO_DATE;
  return `${formatInstant('long', timeZone, instantMs)} pukul ${formatInstant('time', timeZone, instantMs)}`;
}

/** The time of an ISO date-time as '14.05'; '-' when invalid (R-UI-8). */
export function formatTime(iso: string, timeZone: string): string {
  const instantMs = instantOf(iso);
  return instantMs === null ? NO_DATE : formatInstant('time', timeZone, instantMs);
}

/** 'Senin' and '4 Januari' in `timeZone`; an instant in ms. */
export function weekdayAndDate(ms: number, timeZone: string): { weekday: string; date: string } {
  return { weekday: formatInstant('weekday', timeZone, ms), date: formatInstant('dayMonth', timeZone, ms) };
}

/** The separator above the chat messages of a day (R-CHAT-23); both times in ms. */
export function chatDayLabel(ms: number, nowMs: number, timeZone: string): string {
  const day = todayIn(timeZone, ms);
  const today = todayIn(timeZone, nowMs);
  if (day === today) return 'Hari ini';
  if (day === addDays(today, -1)) return 'Kemarin';
  // The day seven days ago has the same weekday name as today, so only six days before today get a name.
  if (day < today && day > addDays(today, -7)) return formatInstant('weekday', timeZone, ms);
  return formatInstant(yearOf(day) === yearOf(today) ? 'dayMonth' : 'long', timeZone, ms);
}
