import type { BackupSettings } from '#server/settings.ts';
import { formatDay, type Backup } from './archive-names.ts';
import { DAY_MS } from '#shared/domain/durations.ts';

/** Somebody asked for these; they stay at least this long. */
const MANUAL_KEEP_MS = 30 * DAY_MS;

/** What decides which archives of a folder stay. */
export type RetentionRule = { keep: BackupSettings['keep']; timeZone: string; nowMs: number };

type Dated = Pick<Backup, 'name' | 'kind' | 'createdAtMs'>;

/** The newest one; what bears a date in the future came from a wrong clock and tells nothing. */
export function findNewest<T extends Pick<Backup, 'createdAtMs'>>(backups: readonly T[], nowMs: number): T | null {
  const past = backups.filter(({ createdAtMs }) => createdAtMs <= nowMs);
  return past.toSorted((a, b) => b.createdAtMs - a.createdAtMs)[0] ?? null;
}

/**
 * Which backups stay: the newest `periods`, the newest of each of the last `days` days and `months` months on which there
 * is one (a PC that was off for a month loses nothing by it), and manual ones for 30 days. What bears a date in the future
 * came from a wrong clock: it stays and pushes nothing out.
 * @returns their names
 */
export function chooseToKeep(
  backups: readonly Dated[],
  { periods, days, months }: BackupSettings['keep'],
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
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
    ...past.filter(({ kind, createdAtMs }) => kind === 'manual' && nowMs - createdAtMs < MANUAL_KEEP_MS),
    ...backups.filter(({ createdAtMs }) => createdAtMs > nowMs),
  ];
  return new Set(kept.map(({ name }) => name));
}

/**
 * Which may go early because the disk is full: first those that need not stay any more, then automatic ones that are not
 * the newest of their day; both oldest first. Never the newest of all.
 * @param protectedName the name of one more that must not go
 * @returns the names of just enough of them; none when all together are not enough
 */
export function chooseToEvict(
  backups: readonly Backup[],
  missingBytes: number,
  keep: BackupSettings['keep'],
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
  protectedName: string | null = null,
): string[] {
  const kept = chooseToKeep(backups, keep, { timeZone, nowMs });
  const newest = findNewest(backups, nowMs);
  const days = new Set<string>();
  const surplus: Backup[] = [];
  const between: Backup[] = [];
  for (const backup of backups.toSorted((a, b) => b.createdAtMs - a.createdAtMs)) {
    const day = formatDay(timeZone, backup.createdAtMs);
    if (!kept.has(backup.name)) surplus.unshift(backup);
    else if (days.has(day) && backup.kind === 'periodic' && backup !== newest) between.unshift(backup);
    days.add(day);
  }
  const evicted: string[] = [];
  let freed = 0;
  for (const { name, sizeBytes } of [...surplus, ...between]) {
    if (freed >= missingBytes) break;
    if (name === protectedName) continue;
    evicted.push(name);
    freed += sizeBytes;
  }
  return freed >= missingBytes ? evicted : [];
}
