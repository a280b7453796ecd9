import { OFFICE_TIME_ZONE } from '#client/lib/format.ts';
import { chatDayLabel, formatTime } from '#shared/domain/date-labels.ts';
import { todayIn } from '#shared/domain/dates.ts';

/** When somebody wrote last: the time today, the day before that. */
export function listTime(iso: string, nowMs: number): string {
  const atMs = Date.parse(iso);
  const isToday = todayIn(OFFICE_TIME_ZONE, atMs) === todayIn(OFFICE_TIME_ZONE, nowMs);
  return isToday ? formatTime(iso, OFFICE_TIME_ZONE) : chatDayLabel(atMs, nowMs, OFFICE_TIME_ZONE);
}
