import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';

/** '12 dtk', '4 mnt', '1 jam 20 mnt', from 48 hours on '6 hari 18 jam'; '–' without an answer. */
export function waitLabel(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} dtk`;
  if (ms >= 2 * DAY_MS) {
    const hoursInAll = Math.round(ms / HOUR_MS);
    const hoursLeft = hoursInAll % 24;
    const days = `${(hoursInAll - hoursLeft) / 24} hari`;
    return hoursLeft === 0 ? days : `${days} ${hoursLeft} jam`;
  }
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} mnt`;
  const rest = minutes % 60;
  const hours = `${(minutes - rest) / 60} jam`;
  return rest === 0 ? hours : `${hours} ${rest} mnt`;
}

/** In minutes with one decimal, for a worksheet. */
export const waitMinutes = (ms: number | null): number | null =>
  ms === null ? null : Math.round((ms / MINUTE_MS) * 10) / 10;

/** A round length of the axis that holds every wait. */
export function axisMs(longestMs: number): number {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_MS);
  return steps.find((step) => step >= longestMs) ?? Math.ceil(longestMs / HOUR_MS) * HOUR_MS;
}
