import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readUsableBytes } from './disk-space.ts';
import { notEnoughSpaceError } from './backup-errors.ts';
import { chooseToEvict, chooseToKeep, type RetentionRule } from './retention.ts';
import { verifyArchive } from './create-archive.ts';
import { isLeftover, listBackups, type Backup } from './archive-names.ts';
import type { Throttle } from './throttle.ts';

/** What is tidied in a folder of archives. Only for whoever holds the lock. */

/** Removes what a crash left of archives in the making. */
export function sweepLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) if (isLeftover(name)) rmSync(join(folder, name), { force: true });
}

/** @returns the names that are gone; one that is held open (Windows) goes the next time */
function removeFiles(folder: string, names: readonly string[]): string[] {
  return names.filter((name) => {
    try {
      rmSync(join(folder, name));
      return true;
    } catch {
      return false;
    }
  });
}

/** Removes the archives that need not stay. */
export async function pruneArchives(folder: string, { keep, timeZone, nowMs }: RetentionRule): Promise<void> {
  const backups = await listBackups(folder, timeZone);
  const kept = chooseToKeep(backups, keep, { timeZone, nowMs });
  removeFiles(
    folder,
    backups.flatMap(({ name }) => (kept.has(name) ? [] : [name])),
  );
}

/** The newest archive that can still be read: whatever goes, there must be one to go back to. */
async function findNewestIntact(folder: string, backups: readonly Backup[], pace: Throttle): Promise<string | null> {
  for (const { name } of backups) {
    try {
      await verifyArchive(join(folder, name), pace);
      return name;
    } catch {
      // Damaged, or on a bad piece of the disk: an older one has to do.
    }
  }
  return null;
}

/**
 * Sees to it that so many bytes can be written, where need be by letting go of archives that need not stay any more, and
 * of those that stand between the ones of each day: a backup with gaps behind it is better than none.
 * @returns the names of those that had to go
 * @throws BackupError when that is not enough; then none is gone
 */
export async function freeDiskSpace(
  folder: string,
  neededBytes: number,
  { toDir, keep, timeZone, nowMs }: RetentionRule & { toDir: string | null },
  pace: Throttle,
): Promise<string[]> {
  const availableBytes = readUsableBytes(folder);
  if (availableBytes === null || availableBytes >= neededBytes) return [];
  // In a folder that somebody named nothing is removed.
  const backups = toDir === null ? await listBackups(folder, timeZone) : [];
  const choose = (stays: string | null): string[] =>
    chooseToEvict(backups, neededBytes - availableBytes, keep, { timeZone, nowMs }, stays);
  const past = backups.filter(({ createdAtMs }) => createdAtMs <= nowMs);
  const canFreeEnough = choose(null).length > 0;
  const evicted = removeFiles(folder, canFreeEnough ? choose(await findNewestIntact(folder, past, pace)) : []);
  const leftBytes = readUsableBytes(folder) ?? neededBytes;
  if (leftBytes < neededBytes) {
    const orKeepFewer = toDir === null ? ', atau kurangi BACKUP_KEEP lalu jalankan ulang server' : '';
    throw notEnoughSpaceError(neededBytes, leftBytes, `Kosongkan disk dari "${folder}"${orKeepFewer}.`);
  }
  return evicted;
}
