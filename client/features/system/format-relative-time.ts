import { formatApproximateDuration } from '#shared/domain/format-duration.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';

/** The time that has passed since: '2 jam yang lalu'. A time in the future, from a slow clock, counts as just now. */
export function formatTimeAgo(iso: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(iso);
  return agoMs < MINUTE_MS ? 'Baru saja' : `${formatApproximateDuration(agoMs)} yang lalu`;
}

/** Whether a time is in the future by a minute or more, which clocks rarely differ. */
export const isInFuture = (iso: string, nowMs: number): boolean => Date.parse(iso) - nowMs >= MINUTE_MS;

/** The time that is left until then: '40 menit lagi'. */
export function formatTimeUntil(iso: string, nowMs: number): string {
  const leftMs = Date.parse(iso) - nowMs;
  return leftMs < MINUTE_MS ? 'Sebentar lagi' : `${formatApproximateDuration(leftMs)} lagi`;
}

/** The time that the server has run: '3 hari 4 jam'. */
export function formatUptime(iso: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(iso));
  if (ms < MINUTE_MS) return 'Kurang dari semenit';
  const [days, hours, minutes] = [
    Math.floor(ms / DAY_MS),
    Math.floor((ms % DAY_MS) / HOUR_MS),
    Math.floor((ms % HOUR_MS) / MINUTE_MS),
  ];
  const parts =
    days > 0
      ? [
          [days, 'hari'],
          [hours, 'jam'],
        ]
      : [
          [hours, 'jam'],
          [minutes, 'menit'],
        ];
  return parts
    .filter(([count]) => count !== 0)
    .map((part) => part.join(' '))
    .join(' ');
}
