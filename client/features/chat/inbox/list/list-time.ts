import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { chatDayLabel, formatTime } from '#shared/domain/date-labels.ts';
import { todayIn } from '#shared/domain/dates.ts';

/** When somebody wrote last: the time today, the day before that. */
export function formatRowTime(iso: string, nowMs: number): string {
  const atMs = Date.parse(iso);
  const isToday = todayIn(SERVER_TIME_ZONE, atMs) === todayIn(SERVER_TIME_ZONE, nowMs);
  return isToday ? formatTime(iso, SERVER_TIME_ZONE) : chatDayLabel(atMs, nowMs, SERVER_TIME_ZONE);
}
