import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { connect } from './connect.ts';

/** Why the data folder cannot be used; the message is the line to show. */
export class DataFolderError extends Error {}

export type DataFolder = {
  databaseFile: string;
  proofsDir: string;
  backupsDir: string;
  /** Lets another server use the folder. */
  release: () => void;
};

const SECRET_MIN = 32;

/**
 * Makes the folder if need be and takes it for this process alone (contract 1).
 * @throws DataFolderError when it cannot be written or another server runs on it
 */
export function openDataFolder(dataDir: string): DataFolder {
  const proofsDir = join(dataDir, 'proofs');
  const backupsDir = join(dataDir, 'backups');
  try {
    for (const folder of [dataDir, proofsDir, backupsDir]) {
      makeFolder(folder);
      const probe = join(folder, `.probe-${process.pid}`);
      writeFileSync(probe, '');
      rmSync(probe);
    }
  } catch (error) {
    throw new DataFolderError(
      `DATA_DIR: folder "${dataDir}" tidak dapat ditulis (${codeOf(error)}); yang diterima: folder yang boleh ditulis oleh pengguna yang menjalankan program ini`,
    );
  }
  const databaseFile = join(dataDir, 'pbb.sqlite');
  const release = takeLock(dataDir);
  // One that was copied here may be readable by everybody; new ones are made under the umask of the program.
  if (existsSync(databaseFile)) keepToOwner(databaseFile);
  return { databaseFile, proofsDir, backupsDir, release };
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
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The locks of this process. Held here because one that nobody refers to would be collected, and so let go. */
const held = new Set<Database.Database>();

/**
 * An open exclusive transaction on a file of its own: the operating system drops it with the process, however that
 * ends, so a crashed server leaves no lock behind.
 */
function takeLock(dataDir: string): () => void {
  let lock: Database.Database | undefined;
  const release = (): void => {
    if (!lock) return;
    lock.close();
    held.delete(lock);
  };
  try {
    lock = connect(join(dataDir, 'server.lock'));
    lock.pragma('busy_timeout = 0');
    lock.exec('begin exclusive');
    held.add(lock);
    return release;
  } catch (error) {
    release();
    if (!codeOf(error).startsWith('SQLITE_BUSY')) {
      throw new DataFolderError(
        `DATA_DIR: folder "${dataDir}" tidak dapat dikunci (${codeOf(error)}); yang diterima: folder pada disk komputer ini`,
      );
    }
    throw new DataFolderError(
      `DATA_DIR: folder "${dataDir}" sedang dipakai oleh server PBB Kita lain; yang diterima: folder lain, atau hentikan server itu dulu`,
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
      const aside = `${file}.new`;
      writeFileSync(aside, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
      keepToOwner(aside);
      renameSync(aside, file);
    }
    keepToOwner(file);
    const kept = readFileSync(file, 'utf8').trim();
    if (kept.length >= SECRET_MIN) return kept;
  } catch (error) {
    throw new DataFolderError(
      `DATA_DIR: berkas "${file}" tidak dapat dibaca atau ditulis (${codeOf(error)}); yang diterima: berkas milik pengguna yang menjalankan program ini`,
    );
  }
  throw new DataFolderError(
    `DATA_DIR: isi berkas "${file}" rusak; yang diterima: paling sedikit ${SECRET_MIN} karakter, atau hapus berkas itu untuk membuat yang baru`,
  );
}

function keepToOwner(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // Somebody else's file, or a file system without rights: whether it can be used shows when it is.
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

/** @returns the line to show when the database file itself is the trouble; otherwise the error as it came */
export function databaseFault(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (!/^SQLITE_(NOTADB|CORRUPT|CANTOPEN|READONLY|IOERR|FULL|BUSY|PERM|AUTH)/.test(code)) return error;
  return new DataFolderError(
    `DATA_DIR: database "${file}" tidak dapat dipakai (${code}); yang diterima: berkas database PBB Kita yang utuh dan boleh ditulis, misalnya dari folder backups`,
  );
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : String(error);
}
