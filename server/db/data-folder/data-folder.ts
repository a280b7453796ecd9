import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { errorCode, errorCodeOrText, restrictToOwner, writeFileAtomicSync } from '#server/files/atomic.ts';
import { connect } from '../sqlite/connect.ts';
import { NativeAddonError } from '../sqlite/native-addon.ts';
import { finishAtomicRestore, removeStagedFolders } from './atomic-restore.ts';

/** The data folder cannot be used. The message is the line to show. */
export class DataFolderError extends Error {}
/** Another process has locked it: a server, or for a moment a command. */
export class DataFolderInUseError extends DataFolderError {}

export type DataPaths = { databaseFile: string; proofsDir: string; backupsDir: string };
export type DataFolder = DataPaths & {
  /** Releases the lock, so that another server can use the folder. */
  release: () => void;
  /**
   * Checks that the lock file is still the file that this process has locked, and locks a new one when it was deleted:
   * without it a second server could start on the folder.
   * @returns whether a new file was locked
   * @throws DataFolderInUseError when another process has made a new one since; DataFolderError and errors of the disk
   */
  renewLock: () => boolean;
};

/** The paths in a data folder; they need not exist. */
export function dataPathsIn(dataDir: string): DataPaths {
  return {
    databaseFile: join(dataDir, 'pbb.sqlite'),
    proofsDir: join(dataDir, 'proofs'),
    backupsDir: join(dataDir, 'backups'),
  };
}

export const LOCK_FILE = 'server.lock';
const SECRET_MIN_CHARS = 32;
/** The `-shm` file of SQLite grows in steps of this size. */
const FREE_SPACE_MIN_BYTES = 64 * 1024;

/**
 * Creates the folder if it is missing, locks it for this process (R-RUN-3), and finishes an interrupted restore.
 * @throws DataFolderError when the folder is not writable, its disk is full, or another server uses it
 */
export function openDataFolder(dataDir: string): DataFolder {
  const paths = dataPathsIn(dataDir);
  requireWritable(dataDir, [dataDir]);
  const lock = lockDataFolder(dataDir);
  try {
    // This comes before the folders inside are created: an empty one would be in the way of the restored one.
    finishInterruptedRestore(dataDir);
    requireWritable(dataDir, [paths.proofsDir, paths.backupsDir]);
    // A database that was copied here may be readable for all users. A new one gets its rights from the umask.
    if (existsSync(paths.databaseFile)) restrictToOwner(paths.databaseFile);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { ...paths, ...lock };
}

/** @throws DataFolderError, also for the folder of another setting */
export function requireWritable(dataDir: string, folders: string[], setting = 'DATA_DIR'): void {
  try {
    for (const folder of folders) {
      makeFolder(folder);
      const probe = join(folder, `.probe-${process.pid}`);
      writeFileSync(probe, '');
      rmSync(probe);
    }
  } catch (error) {
    throwIfDiskFull(dataDir, error);
    throw new DataFolderError(
      `${setting}: folder "${dataDir}" tidak dapat ditulis (${errorCodeOrText(error)}); yang diterima: folder yang boleh ditulis oleh pengguna yang menjalankan program ini`,
    );
  }
}

function finishInterruptedRestore(dataDir: string): void {
  try {
    finishAtomicRestore(dataDir);
    removeStagedFolders(dataDir);
  } catch (error) {
    throwIfDiskFull(dataDir, error);
    throw new DataFolderError(
      `DATA_DIR: pemulihan yang terputus di folder "${dataDir}" belum dapat diselesaikan (${errorCodeOrText(error)}); yang diterima: disk yang utuh dengan ruang kosong dan hak tulis, lalu jalankan program ini lagi`,
    );
  }
}

/** Without `recursive`: Node would never return for a file system such as /proc, which answers ENOENT to each mkdir. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it just now. If it is not a folder, the next step fails.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** The locks of this process. Without this reference the garbage collector would close and release them. */
const heldLocks = new Set<Database.Database>();

/** The check for a running server reads the lock file, which keeps others from locking it for a moment. */
const LOCK_CHECK_MAX_MS = 500;

/** @throws DataFolderInUseError when another process has the lock; DataFolderError when the disk does not support locks */
function lockDataFolder(dataDir: string): Pick<DataFolder, 'release' | 'renewLock'> {
  const file = join(dataDir, LOCK_FILE);
  const folderId = findFileId(dataDir);
  const acquire = (): { release: () => void; fileId: string | null } | null => {
    const release = acquireLock(dataDir, LOCK_FILE, LOCK_CHECK_MAX_MS);
    return release && { release, fileId: findFileId(file) };
  };
  const acquired = acquire();
  if (!acquired) {
    throw new DataFolderInUseError(
      `DATA_DIR: PBB Kita sudah berjalan dengan folder data "${dataDir}"; yang diterima: buka alamatnya di peramban, atau hentikan server itu dulu`,
    );
  }
  let held = acquired;

  function renewLock(): boolean {
    // Windows deletes no open file, and its numbers of files are not reliable on every disk.
    if (process.platform === 'win32') return false;
    const fileId = findFileId(file);
    if (fileId !== null && fileId === held.fileId) return false;
    // Else the server would go on writing into the old folder and lock the new one.
    if (findFileId(dataDir) !== folderId) {
      throw new DataFolderError(
        `DATA_DIR: folder "${dataDir}" dipindahkan atau diganti selagi server berjalan; yang diterima: kembalikan folder itu, atau hentikan server dan jalankan lagi`,
      );
    }
    const renewed = fileId === null ? acquire() : null;
    if (!renewed) {
      throw new DataFolderInUseError(
        `DATA_DIR: berkas "${file}" dihapus atau diganti selagi server berjalan, dan program lain sudah memakai folder data itu; server ini berhenti agar data tidak rusak; yang diterima: satu server untuk satu folder data`,
      );
    }
    held.release();
    held = renewed;
    return true;
  }

  return { release: () => held.release(), renewLock };
}

/** @returns the device and number of a file or folder, which no other one has while it is open; null when there is none */
function findFileId(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : null;
}

/**
 * Locks the making of backups: the server and a command must not make one at the same time.
 * @returns releases the lock; null while another process has it
 */
export function lockBackups(dataDir: string): (() => void) | null {
  return acquireLock(dataDir, 'backup.lock', 0);
}

/**
 * The lock is an open exclusive transaction on a separate file. The operating system releases it when the process ends in
 * any way, so a crashed server leaves no lock.
 * @param waitMs how long it waits for another process, blocking this thread
 * @returns null while another process or thread has it
 */
function acquireLock(dataDir: string, name: string, waitMs: number): (() => void) | null {
  let lock: Database.Database | undefined;
  const release = (): void => {
    if (!lock) return;
    lock.close();
    heldLocks.delete(lock);
  };
  try {
    lock = connect(join(dataDir, name));
    lock.pragma(`busy_timeout = ${waitMs}`);
    // A journal on the disk would be written at once. On a full disk the server could not even start to read.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('begin exclusive');
    heldLocks.add(lock);
    return release;
  } catch (error) {
    release();
    if (errorCodeOrText(error).startsWith('SQLITE_BUSY')) return null;
    if (error instanceof NativeAddonError) throw new DataFolderError(`DATA_DIR: ${error.message}`, { cause: error });
    throwIfDiskFull(dataDir, error);
    throw new DataFolderError(
      `DATA_DIR: folder "${dataDir}" tidak dapat dikunci (${errorCodeOrText(error)}); yang diterima: folder pada disk komputer ini`,
    );
  }
}

const secretFile = (dataDir: string): string => join(dataDir, 'secret');

/** The key of `loadSecret`, for those who only look. @returns null when there is none, or it cannot be read */
export function readSecret(dataDir: string): string | null {
  try {
    return readFileSync(secretFile(dataDir), 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * The key that signs tokens and links. It is created once.
 * @throws DataFolderError when it cannot be read or written
 */
export function loadSecret(dataDir: string): string {
  const file = secretFile(dataDir);
  try {
    if (!existsSync(file)) {
      writeFileAtomicSync(file, `${randomBytes(48).toString('base64url')}\n`);
    }
    restrictToOwner(file);
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length >= SECRET_MIN_CHARS) return secret;
  } catch (error) {
    throwIfDiskFull(dataDir, error);
    throw new DataFolderError(
      `DATA_DIR: berkas "${file}" tidak dapat dibaca atau ditulis (${errorCodeOrText(error)}); yang diterima: berkas milik pengguna yang menjalankan program ini`,
    );
  }
  throw new DataFolderError(
    `DATA_DIR: isi berkas "${file}" rusak; yang diterima: paling sedikit ${SECRET_MIN_CHARS} karakter, atau hapus berkas itu untuk membuat yang baru`,
  );
}

/** @returns an error with the line to show when the database file cannot be used; otherwise the error unchanged */
export function toDatabaseError(file: string, error: unknown): unknown {
  const code = errorCodeOrText(error);
  if (isDiskFull(dirname(file), code)) return diskFullError(dirname(file), error);
  if (!/^SQLITE_(NOTADB|CORRUPT|CANTOPEN|READONLY|IOERR|FULL|BUSY|PERM|AUTH)/.test(code)) return error;
  return new DataFolderError(
    `DATA_DIR: database "${file}" tidak dapat dipakai (${code}); yang diterima: berkas database PBB Kita yang utuh dan boleh ditulis, atau cadangan dipulihkan dengan perintah "restore"`,
  );
}

/** @throws DataFolderError when the disk is full */
function throwIfDiskFull(folder: string, error: unknown): void {
  if (isDiskFull(folder, errorCodeOrText(error))) throw diskFullError(folder, error);
}

const diskFullError = (folder: string, cause: unknown): DataFolderError =>
  new DataFolderError(`DATA_DIR: disk dari "${folder}" penuh; yang diterima: kosongkan ruang disk itu, lalu ulangi`, {
    cause,
  });

/** When SQLite cannot create or extend a file, it reports "I/O error" or "cannot open", whatever the reason. */
function isDiskFull(folder: string, code: string): boolean {
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code)) return true;
  return /^SQLITE_(IOERR|CANTOPEN)/.test(code) && hasNoFreeSpace(folder);
}

function hasNoFreeSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < FREE_SPACE_MIN_BYTES;
  } catch {
    return false;
  }
}
