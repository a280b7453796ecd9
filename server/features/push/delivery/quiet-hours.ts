import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { wallClockMs } from '#shared/domain/time-zones.ts';

/** Minutes after midnight; both or none. Over midnight when `to` is before `from`. */
export type QuietHours = { quietFrom: number | null; quietTo: number | null };

const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** How long quiet hours still go on (R-PUSH-15); 0 outside of them. */
export function quietForMs({ quietFrom, quietTo }: QuietHours, timeZone: string, nowMs: number): number {
  if (quietFrom === null || quietTo === null) return 0;
  const sinceMidnightMs = wallClockMs(timeZone, nowMs) % DAY_MS;
  const minute = Math.floor(sinceMidnightMs / MINUTE_MS);
  const isAfterFrom = minute >= quietFrom;
  const isBeforeTo = minute < quietTo;
  const isQuiet = quietFrom < quietTo ? isAfterFrom && isBeforeTo : isAfterFrom || isBeforeTo;
  if (!isQuiet) return 0;
  const minutesLeft = (quietTo - minute + DAY_MINUTES) % DAY_MINUTES;
  return minutesLeft * MINUTE_MS - (sinceMidnightMs % MINUTE_MS);
}
