import type { BackupSettings } from '#server/settings.ts';
import { formatDay, type Backup } from './archive-names.ts';
import { DAY_MS } from '#shared/durations.ts';

/** An admin asked for a manual backup. It stays at least this long. */
const MANUAL_KEEP_MS = 30 * DAY_MS;
const HOURS_PER_DAY = 24;
const DAYS_PER_MONTH = 30;

/** The values that decide which archives of a folder stay. */
export type RetentionRule = { keep: BackupSettings['keep'] } & RetentionClock;

export type RetentionClock = {
  timeZone: string;
  nowMs: number;
  /** The operating time since the server first saw each archive; one that is missing here counts as new. */
  agesMs: Readonly<Record<string, number>>;
};

type EvictionRule = { keep: BackupSettings['keep']; clock: RetentionClock; protectedName?: string | null };

/** The whole months in which a backup may still be kept; a month without a backup is not counted. */
export function keptMonths({ everyHours, keep }: Pick<BackupSettings, 'everyHours' | 'keep'>): number {
  const days = Math.max(keep.days, MANUAL_KEEP_MS / DAY_MS, (keep.periods * everyHours) / HOURS_PER_DAY);
  return Math.max(keep.months, Math.ceil(days / DAYS_PER_MONTH));
}

type Dated = Pick<Backup, 'name' | 'kind' | 'createdAtMs'>;

/** The newest backup. A date in the future comes from a wrong clock and does not count. */
export function findNewest<T extends Pick<Backup, 'createdAtMs'>>(backups: readonly T[], nowMs: number): T | null {
  const past = backups.filter(({ createdAtMs }) => createdAtMs <= nowMs);
  return past.toSorted((a, b) => b.createdAtMs - a.createdAtMs)[0] ?? null;
}

/**
 * Applies the retention (R-SYS-8): the newest `periods`, the newest of each of the last `days` days and `months` months,
 * and manual backups for 30 days stay. Only days and months with a backup count, so a computer that was off for a month
 * loses nothing. A backup dated in the future comes from a wrong clock: it stays and evicts nothing.
 * @returns the names of the backups that stay
 */
export function chooseToKeep(
  backups: readonly Dated[],
  { periods, days, months }: BackupSettings['keep'],
  { timeZone, nowMs, agesMs }: RetentionClock,
): Set<string> {
  const past = backups
    .filter(({ createdAtMs }) => createdAtMs <= nowMs)
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const newestOfEach = (length: number, count: number): Dated[] => {
    const newest = new Map<string, Dated>();
    for (const backup of past) {
      const period = formatDay(timeZone, backup.createdAtMs).slice(0, length);
      if (!newest.has(period)) newest.set(period, backup);
    }
    return [...newest.values()].slice(0, count);
  };
  const kept = [
    ...past.slice(0, Math.max(1, periods)),
    ...newestOfEach('yyyy-mm-dd'.length, days),
    ...newestOfEach('yyyy-mm'.length, months),
    // Not by the date in the name: a clock that is a year ahead must not delete them.
    ...past.filter(({ kind, name }) => kind === 'manual' && (agesMs[name] ?? 0) < MANUAL_KEEP_MS),
    ...backups.filter(({ createdAtMs }) => createdAtMs > nowMs),
  ];
  return new Set(kept.map(({ name }) => name));
}

/**
 * Chooses backups to delete early because the disk is full (R-SYS-9): first those beyond the retention, then automatic ones
 * that are not the newest of their day, both oldest first. The newest backup is never chosen.
 * @param freedBytes how much the deletion of one more backup frees, asked in the order of the deletions
 * @param protectedName another backup that must not be chosen
 * @returns the names of just enough backups; none when all of them together would not be enough
 */
export function chooseToEvict(
  backups: readonly Dated[],
  missingBytes: number,
  freedBytes: (name: string) => number,
  { keep, clock, protectedName = null }: EvictionRule,
): string[] {
  const { timeZone, nowMs } = clock;
  const kept = chooseToKeep(backups, keep, clock);
  const newest = findNewest(backups, nowMs);
  const days = new Set<string>();
  const surplus: Dated[] = [];
  const between: Dated[] = [];
  for (const backup of backups.toSorted((a, b) => b.createdAtMs - a.createdAtMs)) {
    const day = formatDay(timeZone, backup.createdAtMs);
    if (!kept.has(backup.name)) surplus.unshift(backup);
    else if (days.has(day) && backup.kind === 'periodic' && backup !== newest) between.unshift(backup);
    days.add(day);
  }
  const evicted: string[] = [];
  let freed = 0;
  for (const { name } of [...surplus, ...between]) {
    if (freed >= missingBytes) break;
    if (name === protectedName) continue;
    evicted.push(name);
    freed += freedBytes(name);
  }
  return freed >= missingBytes ? evicted : [];
}
