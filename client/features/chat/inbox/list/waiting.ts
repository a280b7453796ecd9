import { MINUTE_MS } from '#shared/durations.ts';
import { WAIT_AMBER_MS, WAIT_RED_MS } from '#shared/limits.ts';

/** How long a user has waited for an answer: whole minutes, a level for the colour, and texts. */

const WARNING_AFTER_MINUTES = WAIT_AMBER_MS / MINUTE_MS;
const CRITICAL_AFTER_MINUTES = WAIT_RED_MS / MINUTE_MS;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

export type WaitingLevel = 'fresh' | 'warning' | 'critical';

/** Whole minutes; never negative, even if this clock is behind the server's. */
export function waitedMinutes(since: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(since)) / MINUTE_MS));
}

export function waitingLevel(minutes: number): WaitingLevel {
  if (minutes >= CRITICAL_AFTER_MINUTES) return 'critical';
  return minutes >= WARNING_AFTER_MINUTES ? 'warning' : 'fresh';
}

/** Short, for the list: '<1 mnt', '4 mnt', '1 j 5 mnt', '2 hari'. */
export function formatWaitingShort(minutes: number): string {
  if (minutes < 1) return '<1 mnt';
  if (minutes < HOUR_MINUTES) return `${minutes} mnt`;
  if (minutes >= DAY_MINUTES) return `${Math.floor(minutes / DAY_MINUTES)} hari`;
  const rest = minutes % HOUR_MINUTES;
  return `${Math.floor(minutes / HOUR_MINUTES)} j${rest > 0 ? ` ${rest} mnt` : ''}`;
}

/** What the colour says, in words. */
const levelTexts: Record<WaitingLevel, string> = { fresh: '', warning: ', mulai lama', critical: ', sudah lama' };

/** In full, for screen readers and tooltips. */
export function formatWaitingLong(minutes: number): string {
  if (minutes < 1) return 'Menunggu balasan kurang dari satu menit';
  const time = formatWaitingShort(minutes).replace(/ j\b/, ' jam').replace('mnt', 'menit');
  return `Menunggu balasan ${time}${levelTexts[waitingLevel(minutes)]}`;
}
