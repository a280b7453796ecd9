import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { errorCode, errorCodeOrText, restrictToOwner, writeFileAtomicSync } from '#server/files/atomic.ts';
import { connect } from '../connect.ts';
import { NativeAddonError } from '../native-addon.ts';
import { finishAtomicRestore, removeStagedFolders } from './atomic-restore.ts';

/** Why the data folder cannot be used; the message is the line to show. */
export class DataFolderError extends Error {}

export type DataPaths = { databaseFile: string; proofsDir: string; backupsDir: string };
export type DataFolder = DataPaths & {
  /** Lets another server use the folder. */
  release: () => void;
};

/** Where everything is, whether it is there or not. */
export function dataPathsIn(dataDir: string): DataPaths {
  return {
    databaseFile: join(dataDir, 'pbb.sqlite'),
    proofsDir: join(dataDir, 'proofs'),
    backupsDir: join(dataDir, 'backups'),
  };
}

const SECRET_MIN_CHARS = 32;
/** SQLite's index of its log grows by this much at a time. */
const FREE_SPACE_MIN_BYTES = 64 * 1024;

/**
 * Makes the folder if need be, takes it for this process alone (contract 1), and finishes a restore that was cut short.
 * @throws DataFolderError when it cannot be written, its disk is full, or another server runs on it
 */
export function openDataFolder(dataDir: string): DataFolder {
  const paths = dataPathsIn(dataDir);
  requireWritable(dataDir, [dataDir]);
  const release = lockDataFolder(dataDir);
  try {
    // Before the folders below it are made: an empty one would stand where the restored one belongs.
    finishInterruptedRestore(dataDir);
    requireWritable(dataDir, [paths.proofsDir, paths.backupsDir]);
    // One that was copied here may be readable by everybody; new ones are made under the umask of the program.
    if (existsSync(paths.databaseFile)) restrictToOwner(paths.databaseFile);
  } catch (error) {
    release();
    throw error;
  }
  return { ...paths, release };
}

function requireWritable(dataDir: string, folders: string[]): void {
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
      `DATA_DIR: folder "${dataDir}" tidak dapat ditulis (${errorCodeOrText(error)}); yang diterima: folder yang boleh ditulis oleh pengguna yang menjalankan program ini`,
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

/** Step by step: with `recursive`, Node asks for ever where a file system says ENOENT to every new folder, like /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another start may have made it just now; if it is no folder, the next step says so.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** The locks of this process. Held here because one that nobody refers to would be collected, and so let go. */
const heldLocks = new Set<Database.Database>();

/** @throws DataFolderError when another server has it, or the disk knows no locks */
function lockDataFolder(dataDir: string): () => void {
  const release = acquireLock(dataDir, 'server.lock');
  if (release) return release;
  throw new DataFolderError(
    `DATA_DIR: PBB Kita sudah berjalan dengan folder data "${dataDir}"; yang diterima: buka alamatnya di peramban, atau hentikan server itu dulu`,
  );
}

/**
 * Takes the making of backups, which the server and a command may both be at, but not together.
 * @returns lets go of it; null while somebody else has it
 */
export function lockBackups(dataDir: string): (() => void) | null {
  return acquireLock(dataDir, 'backup.lock');
}

/**
 * An open exclusive transaction on a file of its own: the operating system drops it with the process, however that
 * ends, so a crashed server leaves no lock behind.
 * @returns null while another process or thread has it
 */
function acquireLock(dataDir: string, name: string): (() => void) | null {
  let lock: Database.Database | undefined;
  const release = (): void => {
    if (!lock) return;
    lock.close();
    heldLocks.delete(lock);
  };
  try {
    lock = connect(join(dataDir, name));
    lock.pragma('busy_timeout = 0');
    // A journal on the disk would be written at once: on a full one nobody could even read any more.
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

/**
 * The key that signs tokens and proof links: made once, readable by its owner only.
 * Written aside and renamed, so that a crash never leaves half a secret.
 * @throws DataFolderError when it cannot be read or written
 */
export function loadSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
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

/** @returns the line to show when the database file itself is the trouble; otherwise the error as it came */
export function toDatabaseError(file: string, error: unknown): unknown {
  const code = errorCodeOrText(error);
  if (isDiskFull(dirname(file), code)) return diskFullError(dirname(file), error);
  if (!/^SQLITE_(NOTADB|CORRUPT|CANTOPEN|READONLY|IOERR|FULL|BUSY|PERM|AUTH)/.test(code)) return error;
  return new DataFolderError(
    `DATA_DIR: database "${file}" tidak dapat dipakai (${code}); yang diterima: berkas database PBB Kita yang utuh dan boleh ditulis, misalnya dari folder backups`,
  );
}

/** @throws DataFolderError when it is for lack of room */
function throwIfDiskFull(folder: string, error: unknown): void {
  if (isDiskFull(folder, errorCodeOrText(error))) throw diskFullError(folder, error);
}

const diskFullError = (folder: string, cause: unknown): DataFolderError =>
  new DataFolderError(`DATA_DIR: disk dari "${folder}" penuh; yang diterima: kosongkan ruang disk itu, lalu ulangi`, {
    cause,
  });

/** Where SQLite cannot make or grow one of its files it says "I/O error" or "cannot open", whatever the reason. */
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
