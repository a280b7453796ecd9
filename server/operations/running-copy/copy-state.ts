import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { identitySchema, type InstallationIdentity } from '#server/db/data-folder/installation-state.ts';
import { errorCode } from '#server/files/atomic.ts';

/**
 * The running copy in the second folder: SQLite's own files under the names of the data folder, the uploads, and the small
 * files that a new computer needs to answer as the old one. `salinan.json` says whose it is and of which moment.
 */

export const COPY_FOLDER = 'salinan-berjalan';
export const COPY_STATE_FILE = 'salinan.json';
export const UNFINISHED_SUFFIX = '.part';
export const UNFINISHED_STATE_FILE = `${COPY_STATE_FILE}${UNFINISHED_SUFFIX}`;
/** The parts of the copy beside the database and the uploads; folders with everything in them. */
export const SMALL_PARTS = ['instalasi.json', 'secret', 'push-keys.json', 'setelan.env', 'tls'] as const;

export const copyFolderIn = (secondDir: string): string => join(secondDir, COPY_FOLDER);

const salt = z.number().int().nonnegative();
/** A place in a write-ahead log: which log, by the salts of its header, and how many of its bytes. */
export const logPlaceSchema = z.object({ salt1: salt, salt2: salt, end: z.number().int().nonnegative() });
export type LogPlace = z.infer<typeof logPlaceSchema>;

const copyStateSchema = z.object({
  format: z.literal(1),
  identity: identitySchema,
  /** New with every start of a server, so that two servers with one identity notice each other. */
  writer: z.uuid(),
  /** The instant that the copy holds, in epoch milliseconds; null while the first copy is not whole. */
  atMs: z.number().nullable(),
  appVersion: z.string(),
  /** The log of which the whole is in the database file of the copy; null after a new base. */
  finishedLog: logPlaceSchema.nullable(),
});
export type CopyState = z.infer<typeof copyStateSchema>;

/** Of a new database file that is being copied: it goes on after a restart. */
const baseStateSchema = z.object({
  /** The part of the original file that was copied, from its beginning. */
  copiedBytes: z.number().int().nonnegative(),
  finishedLog: logPlaceSchema.nullable(),
});
export type BaseState = z.infer<typeof baseStateSchema>;
export const BASE_STATE_FILE = `dasar.json${UNFINISHED_SUFFIX}`;

/** @returns null when no new database file is being copied */
export function readBaseState(copyFolder: string): BaseState | null {
  try {
    return baseStateSchema.parse(JSON.parse(readFileSync(join(copyFolder, BASE_STATE_FILE), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * A disk with FAT that is pulled during a rename may lose the old file and keep the new one under its unfinished name.
 * @returns null without a readable state @throws errors of the disk, but not for a missing file
 */
export function readCopyState(copyFolder: string): CopyState | null {
  return readStateFile(copyFolder, COPY_STATE_FILE) ?? readStateFile(copyFolder, UNFINISHED_STATE_FILE);
}

function readStateFile(copyFolder: string, name: string): CopyState | null {
  try {
    const parsed = copyStateSchema.safeParse(JSON.parse(readFileSync(join(copyFolder, name), 'utf8')));
    return parsed.data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** Whether the folder holds a copy that can be restored. */
export function holdsCopy(copyFolder: string): boolean {
  try {
    const state = readCopyState(copyFolder);
    return state !== null && state.atMs !== null && statSync(join(copyFolder, 'pbb.sqlite')).isFile();
  } catch {
    return false;
  }
}

export type Ownership = 'own' | 'other office' | 'moved on';

/** Whether this data folder may write into a copy. */
export function judgeOwnership(copy: InstallationIdentity, own: InstallationIdentity): Ownership {
  if (copy.office !== own.office) return 'other office';
  return copy.holder === own.holder || own.predecessors.includes(copy.holder) ? 'own' : 'moved on';
}

/** Why nothing may be written into a second folder that is not this data folder's. */
export const foreignText = (ownership: Exclude<Ownership, 'own'>, secondDir: string): string =>
  ownership === 'other office'
    ? 'Folder itu dipakai salinan kantor lain.'
    : `Salinan di ${secondDir} lebih baru: kantor ini mungkin sudah pindah ke komputer lain.`;

/** The state of a server's running copy. */
export type RunningCopyStatus = {
  /** The folder of the copy. */
  path: string;
  /** The instant that the copy holds, in epoch milliseconds; null without a whole copy. */
  atMs: number | null;
  state: 'ok' | 'starting' | 'stopped';
  /** Why it is stopped, one Indonesian line with its full stop; null unless stopped. */
  message: string | null;
  /** While a first copy is made. */
  percent: number | null;
  /** Since when it is stopped, in epoch milliseconds; null unless stopped. */
  stoppedSinceMs: number | null;
  /** Why it is stopped, for what the screen adds. */
  reason: 'moved on' | 'emptied' | 'other office' | 'disk' | null;
};

/** @returns how far a copy is behind, in milliseconds; null without a whole copy */
export function copyAgeMs(status: Pick<RunningCopyStatus, 'atMs'> | null, nowMs: number): number | null {
  // A clock that was set back makes no copy younger than now.
  return status === null || status.atMs === null ? null : Math.max(0, nowMs - status.atMs);
}

/** The main thread's handle on the running copy. */
export type RunningCopy = {
  /** null when no copy is kept: no second folder, or switched off. */
  status: () => RunningCopyStatus | null;
  /** Begins a copy in a folder that is empty although a copy was there. @returns false unless it is stopped for that */
  startNew: () => boolean;
};
