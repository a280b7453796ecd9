import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BACKUP_KINDS } from '#shared/api/system.ts';
import { instantOfWallClockMs, wallClockMs } from '#shared/domain/dates/time-zones.ts';

export type BackupKind = (typeof BACKUP_KINDS)[number];
/** One archive in a folder. Its time (epoch milliseconds) comes from its name. */
export type Backup = { name: string; kind: BackupKind; createdAtMs: number; sizeBytes: number };

/** Suffix of an archive that is still being written. */
export const UNFINISHED_SUFFIX = '.part';

const NAME_PATTERN = /^pbb-kita-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})(-manual)?\.tar$/;
/** Unfinished archives and their temporary files. Nothing else may be swept. */
const LEFTOVER_PATTERN = /^pbb-kita-\d{8}-\d{6}(-manual)?\.(tar|sqlite|sqlite\.gz)\.part(-journal|-wal|-shm)?$/;

export const isLeftover = (name: string): boolean => LEFTOVER_PATTERN.test(name);

/** The calendar day of an instant, as in `2026-06-10`. */
export function formatDay(timeZone: string, instantMs: number): string {
  return new Date(wallClockMs(timeZone, instantMs)).toISOString().slice(0, 10);
}

/** An instant in the time zone of the installation, as in file names: `20260610-120000`. */
export function formatTimestamp(timeZone: string, instantMs: number): string {
  const shown = new Date(wallClockMs(timeZone, instantMs)).toISOString().slice(0, 19);
  return shown.replaceAll(/[-:]/g, '').replace('T', '-');
}

/** The name shows local time, so that an admin can find the backup of a certain hour. */
export function backupName(kind: BackupKind, timeZone: string, instantMs: number): string {
  return `pbb-kita-${formatTimestamp(timeZone, instantMs)}${kind === 'manual' ? '-manual' : ''}.tar`;
}

/** @returns null when this is not the name of a backup */
export function parseBackupName(name: string, timeZone: string): Pick<Backup, 'kind' | 'createdAtMs'> | null {
  const [, year, month, day, hour, minute, second, manual] = NAME_PATTERN.exec(name) ?? [];
  const wallMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(wallMs)) return null;
  return { kind: manual ? 'manual' : 'periodic', createdAtMs: instantOfWallClockMs(timeZone, wallMs) };
}

/** @returns the finished archives of a folder, newest first; none when the folder is missing */
export async function listBackups(folder: string, timeZone: string): Promise<Backup[]> {
  const found: Backup[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const parsed = parseBackupName(name, timeZone);
    const file = parsed && (await stat(join(folder, name)).catch(() => null));
    if (parsed && file?.isFile()) found.push({ name, ...parsed, sizeBytes: file.size });
  }
  return found.toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.name.localeCompare(a.name));
}

/** @returns a name that is not taken, and its time: a second later for each name that is taken */
export function chooseFreeName(
  kind: BackupKind,
  timeZone: string,
  nowMs: number,
  isTaken: (name: string) => boolean,
): { name: string; createdAtMs: number } {
  for (let createdAtMs = Math.floor(nowMs / 1000) * 1000; ; createdAtMs += 1000) {
    const name = backupName(kind, timeZone, createdAtMs);
    if (!isTaken(name)) return { name, createdAtMs };
  }
}
