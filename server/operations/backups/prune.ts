import { type BigIntStats, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readUsableBytes } from '#server/files/disk-space.ts';
import { notEnoughSpaceError } from './backup-errors.ts';
import { chooseToEvict, chooseToKeep, type RetentionRule } from './retention.ts';
import { verifyArchive } from './archive/create-archive.ts';
import { isLeftover, listBackups, UNFINISHED_SUFFIX, type Backup } from './archive-names.ts';
import type { Throttle } from './throttle.ts';

/** Deletes files in a folder of archives. The caller must hold the lock of backups. */

/** Removes unfinished and half deleted archives that a crash left. */
export function sweepLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (isLeftover(name)) rmSync(join(folder, name), { force: true, recursive: true });
  }
}

/**
 * Removes archives. What they share stays in the others.
 * @returns the names of the deleted ones; Windows does not delete an open file, so it stays until the next time
 */
function removeArchives(folder: string, names: readonly string[]): string[] {
  return names.filter((name) => {
    try {
      // First by a name that the next sweep knows: half an archive must not look like a whole one.
      const unfinished = join(folder, `${name}${UNFINISHED_SUFFIX}`);
      renameSync(join(folder, name), unfinished);
      rmSync(unfinished, { recursive: true });
      return true;
    } catch {
      return false;
    }
  });
}

/** All files below a path. */
function* listFiles(path: string): Generator<BigIntStats> {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isDirectory()) yield stats;
  else for (const name of readdirSync(path)) yield* listFiles(join(path, name));
}

/**
 * A file that archives share takes space until the last of them is deleted.
 * @returns a function that says how many bytes the deletion of one more archive frees
 */
function createFreedCounter(folder: string): (name: string) => number {
  const namesLeft = new Map<bigint, bigint>();
  return (name) => {
    let freed = 0;
    for (const { ino, nlink, size } of listFiles(join(folder, name))) {
      const left = (namesLeft.get(ino) ?? nlink) - 1n;
      namesLeft.set(ino, left);
      if (left === 0n) freed += Number(size);
    }
    return freed;
  };
}

/** Removes the archives beyond the retention. */
export async function pruneArchives(folder: string, { keep, ...clock }: RetentionRule): Promise<void> {
  const backups = await listBackups(folder, clock.timeZone);
  const kept = chooseToKeep(backups, keep, clock);
  removeArchives(
    folder,
    backups.flatMap(({ name }) => (kept.has(name) ? [] : [name])),
  );
}

/** @returns the newest archive that is intact: it must never be deleted */
async function findNewestIntact(
  folder: string,
  backups: readonly Backup[],
  throttle: Throttle,
): Promise<string | null> {
  for (const { name } of backups) {
    try {
      await verifyArchive(join(folder, name), throttle);
      return name;
    } catch {
      // The archive is damaged or cannot be read: try an older one.
    }
  }
  return null;
}

/**
 * Makes sure that this many bytes can be written. If needed, it evicts archives beyond the retention, and then those
 * between the newest of each day: a new backup is worth more than complete older ones.
 * @returns the names of the evicted archives
 * @throws BackupError when the space is still not enough; nothing is deleted then
 */
export async function freeDiskSpace(
  folder: string,
  neededBytes: number,
  { toDir, keep, ...clock }: RetentionRule & { toDir: string | null },
  throttle: Throttle,
): Promise<string[]> {
  const availableBytes = readUsableBytes(folder);
  if (availableBytes === null || availableBytes >= neededBytes) return [];
  // Nothing is removed from a folder that an admin named on the command line.
  const backups = toDir === null ? await listBackups(folder, clock.timeZone) : [];
  const choose = (protectedName: string | null): string[] =>
    chooseToEvict(backups, neededBytes - availableBytes, createFreedCounter(folder), { keep, clock, protectedName });
  const past = backups.filter(({ createdAtMs }) => createdAtMs <= clock.nowMs);
  const canFreeEnough = choose(null).length > 0;
  const evicted = removeArchives(folder, canFreeEnough ? choose(await findNewestIntact(folder, past, throttle)) : []);
  const leftBytes = readUsableBytes(folder) ?? neededBytes;
  if (leftBytes < neededBytes) {
    const orKeepFewer = toDir === null ? ', atau minta pengelola server mengurangi jumlah cadangan yang disimpan' : '';
    throw notEnoughSpaceError(neededBytes, leftBytes, `Kosongkan disk dari "${folder}"${orKeepFewer}.`);
  }
  return evicted;
}
