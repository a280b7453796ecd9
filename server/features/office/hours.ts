import type { OfficeHours, OfficeStatus } from '#shared/api/office/office.ts';
import type { AuditChange } from '#shared/api/audit.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { officeHoursOfDay } from '#shared/domain/office/office-days.ts';
import { createOfficeCalendar, type OfficeSchedule } from '#shared/domain/office/office-hours.ts';
import type { OfficeHoursRow } from '#server/office/office-queries.ts';

type StoredHours = Omit<OfficeHoursRow, 'id'>;

export const scheduleOf = (row: StoredHours | undefined): OfficeSchedule | null => row ?? null;

/** Whether the office closed early on the day of an instant. */
function isClosedToday(row: StoredHours | undefined, timeZone: string, nowMs: number): boolean {
  return typeof row?.closedAt === 'number' && todayIn(timeZone, row.closedAt) === todayIn(timeZone, nowMs);
}

const EMPTY_WEEK = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, open: null, close: null }));

/** The hours as an admin gets them; days without times before somebody set them. */
export function presentHours(row: StoredHours | undefined, timeZone: string, nowMs: number): OfficeHours {
  return {
    days: row?.days ?? EMPTY_WEEK,
    holidays: row?.holidays ?? [],
    closed_today: isClosedToday(row, timeZone, nowMs),
  };
}

/** The row to store. The time of an earlier early closing stays, because the waits of its day are counted with it. */
export function storedHours(
  { days, holidays, closed_today }: OfficeHours,
  before: OfficeHoursRow | undefined,
  timeZone: string,
  nowMs: number,
): StoredHours {
  const wasClosedToday = isClosedToday(before, timeZone, nowMs);
  const earlier = before?.closedAt ?? null;
  const reopened = wasClosedToday || (earlier !== null && earlier > nowMs) ? null : earlier;
  return {
    days: days.toSorted((a, b) => a.weekday - b.weekday),
    holidays: holidays.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    closedAt: closed_today ? (wasClosedToday ? earlier : nowMs) : reopened,
    updatedAt: nowMs,
  };
}

/** The status that users may know. Before somebody set hours, the office promises nothing and refuses nobody. */
export function officeStatusAt(row: StoredHours | undefined, timeZone: string, nowMs: number): OfficeStatus {
  const schedule = scheduleOf(row);
  if (!schedule) return { open: true, until: null, opens_at: null };
  const { open, untilMs, opensAtMs } = createOfficeCalendar(schedule, timeZone).stateAt(nowMs);
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return { open, until: iso(untilMs), opens_at: iso(opensAtMs) };
}

/** The hours as fields of the audit: 'day:1' is Monday, 'holiday:2026-08-17' a date. */
export function auditedHours(hours: OfficeHours | null): Record<string, AuditChange['from']> {
  if (!hours) return {};
  return {
    ...Object.fromEntries(hours.days.map((day) => [`day:${day.weekday}`, officeHoursOfDay(day)])),
    ...Object.fromEntries(hours.holidays.map(({ date, name }) => [`holiday:${date}`, name || 'libur'])),
    closed_today: hours.closed_today,
  };
}
