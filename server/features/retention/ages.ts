import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { wallClockMs } from '#shared/domain/dates/time-zones.ts';
import { RETENTION_ANNOUNCED_MS } from '#shared/limits.ts';
import type { AccountUse, RetentionRow } from './queries.ts';

/** Half a leap year has 183 days: so a term of whole years is never shorter than by the calendar. */
const MONTH_MS = (366 / 12) * DAY_MS;
export const monthsMs = (months: number): number => months * MONTH_MS;

/** The clocks of a moment: `earliestNow` is that of the computer, or an earlier one that runs beside it. */
export type Clocks = { operatingNow: () => number; earliestNow: () => number };

/**
 * The time by the clock of the computer, as far as it is believed: never further from the anchor than the operating time since. So a
 * clock that is set forward makes nothing old (R-ACCESS-92).
 */
export const believedNow = (
  { anchorAt, anchorOperating }: Pick<RetentionRow, 'anchorAt' | 'anchorOperating'>,
  { operatingNow, earliestNow }: Clocks,
): number => Math.min(earliestNow(), anchorAt + operatingNow() - anchorOperating);

/** Until the first deletion; 0 or less when it may begin. */
export const announcedLeftMs = (row: RetentionRow, operatingNow: number): number =>
  row.announcedOperating + RETENTION_ANNOUNCED_MS - operatingNow;

/** The row while something is deleted after a term; null while everything is kept for ever. */
export const whileOn = (row: RetentionRow | undefined): RetentionRow | null =>
  row && (row.messagesMonths > 0 || row.accountsMonths > 0) ? row : null;

/** Whether an account was not in use for the whole term. What was used since the first look counts by operating time alone. */
export function isUnused(use: AccountUse, row: RetentionRow, clocks: Clocks): boolean {
  const termMs = monthsMs(row.accountsMonths);
  if (use.isKept || use.seen === null || use.seen.stamp !== use.stamp) return false;
  if (use.seen.since <= clocks.operatingNow() - termMs) return true;
  return use.seen.isFirst && use.lastUsedAt < believedNow(row, clocks) - termMs;
}

/** Few people write or read then; backups run at any time. */
const NIGHT_HOURS = { from: 0, to: 5 };
/** One run a night. */
const RUN_EVERY_MS = 12 * HOUR_MS;
/** A computer that is off every night deletes by day. */
const BY_DAY_AFTER_MS = 48 * HOUR_MS;

export function isNight(nowMs: number, timeZone: string): boolean {
  const hour = Math.floor((wallClockMs(timeZone, nowMs) % DAY_MS) / HOUR_MS);
  return hour >= NIGHT_HOURS.from && hour < NIGHT_HOURS.to;
}

export function isRunDue(row: RetentionRow, operatingNow: number, atNight: boolean): boolean {
  const sinceMs = operatingNow - row.lastRunOperating;
  return sinceMs >= (atNight ? RUN_EVERY_MS : BY_DAY_AFTER_MS);
}
