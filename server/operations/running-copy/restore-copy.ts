import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { connect } from '#server/db/sqlite/connect.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { removeStagedFolders, stagedFolderName } from '#server/db/data-folder/atomic-restore.ts';
import { readInstallationState, storeInstallationState, succeed } from '#server/db/data-folder/installation-state.ts';
import { listReferencedFiles } from '#server/db/referenced-files.ts';
import { syncFileSync, syncFolderSync } from '#server/files/atomic.ts';
import { formatTimestamp } from '../backups/archive-names.ts';
import { isProofName } from '../backups/archive/manifest.ts';
import { endAllSessions, findCorruption, readNewestMigrationMs } from '../backups/archive/queries.ts';
import { BackupError } from '../backups/backup-errors.ts';
import { requireKnownMigration, replaceData, type RestoreTime } from '../backups/restore.ts';
import { COPY_STATE_FILE, readCopyState, SMALL_PARTS, UNFINISHED_STATE_FILE, type CopyState } from './copy-state.ts';

/** Restores a running copy. It is left untouched: its database is opened in the data folder, where it is staged. */

/** A server of another computer may write the copy while it is read. */
const ATTEMPTS_MAX = 5;
const DATABASE_FILES = ['pbb.sqlite', 'pbb.sqlite-wal'];
const SETTINGS_FILE = 'setelan.env';
/** In a trial these would take the office over, or its ports. */
const OFFICE_SETTINGS = /^(?:BACKUP_SECOND_DIR|PORT|TLS\w*)$/;
/** `export` before a name has no effect on what is read. */
const OFFICE_LINES = /^\s*(?:export\s+)*(?:BACKUP_SECOND_DIR|PORT|TLS\w*)\s*=/;

export type StagedCopy = { folder: string; staged: string; state: CopyState; files: string[]; bytes: number };
export type CopyRestoreOptions = { endsSessions: boolean; isTrial: boolean };

/** Whether a path names a running copy: its folder, or the state file in it. @returns its folder; null for anything else */
export function findCopyFolder(given: string): string | null {
  const folder = basename(given) === COPY_STATE_FILE ? dirname(given) : given;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const isCopy = [COPY_STATE_FILE, UNFINISHED_STATE_FILE].some((name) => existsSync(join(folder, name)));
  return isCopy ? resolve(folder) : null;
}

function copyDatabase(folder: string, staged: string): CopyState {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const state = readCopyState(folder);
    if (state?.atMs == null) {
      throw new BackupError(`Salinan berjalan di "${folder}" belum pernah selesai dibuat. Pilih cadangan lain.`);
    }
    for (const name of DATABASE_FILES) {
      rmSync(join(staged, name), { force: true });
      if (!existsSync(join(folder, name))) continue;
      copyFileSync(join(folder, name), join(staged, name), constants.COPYFILE_FICLONE);
    }
    // The database file changes only when a log is finished, and its log is there until then.
    const finished = JSON.stringify(readCopyState(folder)?.finishedLog);
    if (finished === JSON.stringify(state.finishedLog)) return state;
  }
  throw new BackupError(
    `Salinan di "${folder}" sedang ditulis oleh server lain. Hentikan server itu dulu, lalu ulangi.`,
  );
}

/**
 * Copies the database of a running copy into the data folder and checks it; nothing is replaced yet.
 * @param newestKnownMigrationMs the newest migration of this program, in epoch milliseconds
 * @throws BackupError for a copy that is damaged, unfinished, or of a newer program; nothing is left behind then
 */
export function stageCopy(
  dataDir: string,
  folder: string,
  { nowMs, timeZone }: RestoreTime,
  newestKnownMigrationMs: number,
): StagedCopy {
  const staged = stagedFolderName(formatTimestamp(timeZone, nowMs));
  const stagedDir = join(dataDir, staged);
  mkdirSync(stagedDir, { mode: 0o700 });
  try {
    const state = copyDatabase(folder, stagedDir);
    const file = join(stagedDir, 'pbb.sqlite');
    const named = checkDatabase(file, state, newestKnownMigrationMs);
    const copied = join(folder, 'proofs');
    const files = existsSync(copied) ? readdirSync(copied).filter((name) => isProofName(name)) : [];
    const present = new Set(files);
    const missing = named.filter((name) => !present.has(name));
    if (missing.length > 0)
      throw new BackupError(`Salinan ini kehilangan ${missing.length} foto atau dokumen. Pilih cadangan lain.`);
    const bytes = files.reduce((sum, name) => sum + statSync(join(copied, name)).size, statSync(file).size);
    return { folder, staged, state, files, bytes };
  } catch (error) {
    removeStagedFolders(dataDir);
    throw error;
  }
}

/** Lets SQLite take the log into the database file. @returns the names of the uploads that it refers to */
function checkDatabase(file: string, state: CopyState, newestKnownMigrationMs: number): string[] {
  const damaged = (reason: string, cause?: unknown): BackupError =>
    new BackupError(`Salinan ini rusak (${reason}). Pilih cadangan lain.`, { cause });
  let sqlite;
  try {
    sqlite = connect(file, { fileMustExist: true });
  } catch (error) {
    throw damaged('pbb.sqlite', error);
  }
  try {
    sqlite.pragma('journal_mode = DELETE');
    const corruption = findCorruption(sqlite);
    if (corruption !== null) throw damaged(corruption);
    requireKnownMigration(readNewestMigrationMs(sqlite), newestKnownMigrationMs, state.appVersion);
    return listReferencedFiles(sqlite);
  } catch (error) {
    throw error instanceof BackupError ? error : damaged('pbb.sqlite', error);
  } finally {
    sqlite.close();
  }
}

/** @returns the text of a settings file with the lines commented out that a trial must not have */
export function switchOffOfficeSettings(text: string): string {
  // A byte order mark would become part of the name after the note.
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const off = (isOff: (line: string) => boolean): string =>
    lines.map((line) => (isOff(line) ? `# ${line}` : line)).join('\n');
  const quiet = off((line) => OFFICE_LINES.test(line));
  // The reader decides what an entry is. Where it finds one that the pattern does not, no line stays.
  const isQuiet = !Object.keys(parseEnv(quiet)).some((name) => OFFICE_SETTINGS.test(name.trim()));
  if (isQuiet) return `# Pemulihan percobaan: baris untuk folder kedua, porta, dan TLS dimatikan.\n${quiet}`;
  return `# Pemulihan percobaan: semua baris dimatikan, agar kantor tidak digantikan.\n${off(() => true)}`;
}

function stageParts(dataDir: string, { folder, staged, files }: StagedCopy, options: CopyRestoreOptions): void {
  const stagedDir = join(dataDir, staged);
  const proofsDir = join(stagedDir, 'proofs');
  mkdirSync(proofsDir, { mode: 0o700 });
  for (const name of files) {
    copyFileSync(join(folder, 'proofs', name), join(proofsDir, name), constants.COPYFILE_FICLONE);
    syncFileSync(join(proofsDir, name));
  }
  for (const part of SMALL_PARTS) {
    if (!existsSync(join(folder, part)) || (part === SETTINGS_FILE && existsSync(join(dataDir, part)))) continue;
    cpSync(join(folder, part), join(stagedDir, part), { recursive: true });
  }
  const settingsFile = join(stagedDir, SETTINGS_FILE);
  if (options.isTrial && existsSync(settingsFile)) {
    writeFileSync(settingsFile, switchOffOfficeSettings(readFileSync(settingsFile, 'utf8')), { mode: 0o600 });
  }
  const state = readInstallationState(stagedDir);
  if (state) {
    const identity = state.identity && succeed(state.identity);
    storeInstallationState(stagedDir, { ...state, marks: null, ...(identity ? { identity } : {}) });
  }
  if (options.endsSessions) {
    const sqlite = connect(join(stagedDir, 'pbb.sqlite'), { fileMustExist: true });
    try {
      endAllSessions(sqlite);
    } finally {
      sqlite.close();
    }
  }
  syncFileSync(join(stagedDir, 'pbb.sqlite'));
  for (const path of [proofsDir, stagedDir]) syncFolderSync(path);
}

/**
 * Replaces the data of a folder by a staged copy, all or nothing. The caller must hold the lock of the data folder.
 * @returns the folder to which the present data was moved; null when there was none
 * @throws BackupError, or errors of the disk or SQLite; the present data is unchanged then
 */
export async function restoreCopy(
  dataDir: string,
  copy: StagedCopy,
  time: RestoreTime,
  options: CopyRestoreOptions,
): Promise<string | null> {
  const { databaseFile } = dataPathsIn(dataDir);
  return replaceData(dataDir, time, {
    staged: copy.staged,
    // The database is staged already.
    bytes: copy.bytes - statSync(join(dataDir, copy.staged, basename(databaseFile))).size,
    stage: async () => stageParts(dataDir, copy, options),
  });
}
