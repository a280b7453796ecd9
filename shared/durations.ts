/** Lengths of time in milliseconds. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of 24 hours. A calendar day may be longer or shorter where the clocks change: see `addDays` in dates.ts. */
export const DAY_MS = 24 * HOUR_MS;
