import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BACKUP_KINDS } from '#shared/api/system.ts';
import { instantOfWallClockMs, wallClockMs } from '#shared/domain/dates/time-zones.ts';

export type BackupKind = (typeof BACKUP_KINDS)[number];
/** One archive in a folder. Its time (epoch milliseconds) comes from its name. */
export type Backup = { name: string; kind: BackupKind; createdAtMs: number; sizeBytes: number };

/** Suffix of an archive that is still being written, or that is being deleted. */
export const UNFINISHED_SUFFIX = '.part';
/** Suffix of an archive that is one file: one of an earlier version, or one that is to be carried away. */
export const TAR_SUFFIX = '.tar';

const NAME_PATTERN = /^pbb-kita-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})(-manual)?(\.tar)?$/;
/** Unfinished archives and their temporary files. Nothing else may be swept. */
const LEFTOVER_PATTERN = /^pbb-kita-\d{8}-\d{6}(-manual)?(\.(tar|sqlite|sqlite\.gz))?\.part(-journal|-wal|-shm)?$/;

export const MANIFEST_NAME = 'manifest.json';
/** A manifest begins with the size, so that a list of archives need not read all of it: it may have many megabytes. */
const SIZE_PATTERN = /^\{"format":\d+,"size_bytes":(\d{1,15}),/;
const MANIFEST_BEGINNING_BYTES = 100;

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
  return `pbb-kita-${formatTimestamp(timeZone, instantMs)}${kind === 'manual' ? '-manual' : ''}`;
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
    const sizeBytes = parsed && (await findSize(join(folder, name)));
    if (parsed && sizeBytes !== null) found.push({ name, ...parsed, sizeBytes });
  }
  return found.toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.name.localeCompare(a.name));
}

/** @returns the size of a whole archive, also of what it shares with others; null for what is none, by its kind */
async function findSize(path: string): Promise<number | null> {
  const stats = await lstat(path).catch(() => null);
  if (path.endsWith(TAR_SUFFIX)) return stats?.isFile() ? stats.size : null;
  return stats?.isDirectory() ? readFolderSize(path) : null;
}

/** A folder without a readable manifest is listed too: it must be possible to delete it. */
async function readFolderSize(folder: string): Promise<number> {
  const file = await open(join(folder, MANIFEST_NAME), 'r').catch(() => null);
  try {
    const bytes = Buffer.alloc(MANIFEST_BEGINNING_BYTES);
    await file?.read(bytes, 0, MANIFEST_BEGINNING_BYTES, 0);
    return Number(SIZE_PATTERN.exec(bytes.toString('latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  } finally {
    await file?.close();
  }
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
