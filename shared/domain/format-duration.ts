import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';

const MONTH_MS = 30 * DAY_MS;
const SECOND_MS = 1000;
/** The running copy looks this often, so a younger one is as new as it can be. */
const JUST_NOW_MS = 10 * SECOND_MS;

/** @returns the largest unit only: '2 jam', '3 hari' */
export function formatApproximateDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} detik`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} menit`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} jam`;
  if (ms < MONTH_MS) return `${Math.floor(ms / DAY_MS)} hari`;
  return `${Math.floor(ms / MONTH_MS)} bulan`;
}

/** The age of a running copy (docs/requirements.md R-SYS-36): '20 detik yang lalu'. */
export const formatCopyAge = (ageMs: number): string =>
  ageMs < JUST_NOW_MS ? 'baru saja' : `${formatApproximateDuration(ageMs)} yang lalu`;
