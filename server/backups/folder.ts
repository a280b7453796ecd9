import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { roomOn } from './disk.ts';
import { noRoom } from './faults.ts';
import { chooseToKeep, chooseToSpare } from './keep.ts';
import { isLeftover, listBackups } from './names.ts';
import type { BackupJob } from './run.ts';

/** What is tidied in a folder of archives. Only for whoever holds the lock. */

/** Removes what a crash left of archives in the making. */
export function sweepLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) if (isLeftover(name)) rmSync(join(folder, name), { force: true });
}

/** @returns the names that are gone; one that is held open (Windows) goes the next time */
function removeAll(folder: string, names: readonly string[]): string[] {
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
export async function thinOut(folder: string, { keep, timeZone, nowMs }: BackupJob): Promise<void> {
  const backups = await listBackups(folder, timeZone);
  const kept = chooseToKeep(backups, keep, { timeZone, nowMs });
  removeAll(
    folder,
    backups.flatMap(({ name }) => (kept.has(name) ? [] : [name])),
  );
}

/**
 * Sees to it that so many bytes can be written, where need be by letting go of archives that stand between those of each
 * day: a backup with gaps behind it is better than none.
 * @returns the names of those that had to go
 * @throws BackupError when that is not enough; then none is gone
 */
export async function makeRoom(folder: string, neededBytes: number, { toDir, timeZone }: BackupJob): Promise<string[]> {
  const room = roomOn(folder);
  if (room === null || room >= neededBytes) return [];
  // In a folder that somebody named nothing is removed.
  const backups = toDir === null ? await listBackups(folder, timeZone) : [];
  const spared = chooseToSpare(backups, neededBytes - room, timeZone);
  const gone = removeAll(folder, spared);
  const left = roomOn(folder) ?? neededBytes;
  if (left < neededBytes) {
    throw noRoom(neededBytes, left, `Kosongkan disk dari "${folder}", atau kurangi BACKUP_KEEP.`);
  }
  return gone;
}
