import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';

/** How long a user has waited, in the largest whole unit: '2 hari'. */
export function formatWaitingTime(sinceIso: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(sinceIso));
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} hari`;
  if (ms >= HOUR_MS) return `${Math.floor(ms / HOUR_MS)} jam`;
  if (ms >= MINUTE_MS) return `${Math.floor(ms / MINUTE_MS)} menit`;
  return 'kurang dari semenit';
}
