import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { connect } from '#server/db/sqlite/connect.ts';
import { markClean } from '#server/db/sqlite/deleted-texts.ts';
import { lockBackups, dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import {
  replacedFolderName,
  beginAtomicRestore,
  finishAtomicRestore,
  stagedFolderName,
} from '#server/db/data-folder/atomic-restore.ts';
import { readArchive, unpackDatabase, type DatabaseSink, type Sink } from './archive/archive-reader.ts';
import { syncFolderSync } from '#server/files/atomic.ts';
import { readUsableBytes } from '#server/files/disk-space.ts';
import { BackupError, notEnoughSpaceError } from './backup-errors.ts';
import { verifyArchive } from './archive/create-archive.ts';
import { databaseBytes, findProofName, type Manifest } from './archive/manifest.ts';
import { formatTimestamp } from './archive-names.ts';
import { createThrottle } from './throttle.ts';
import { listReferencedFiles } from '#server/db/referenced-files.ts';
import { endAllSessions, findCorruption } from './archive/queries.ts';

/** An archive, a folder or a tar, that was read and checked before any data is changed. */
export type VerifiedArchive = { file: string; manifest: Manifest; proofs: number; unpackedBytes: number };

export type RestoreTime = { nowMs: number; timeZone: string };

/** The replacement of the data has begun and failed. The next start finishes it. */
export class UnfinishedRestoreError extends BackupError {}

const createUnthrottled = () => createThrottle(false);

/** @throws BackupError for data of a newer program */
export function requireKnownMigration(newestMs: number, newestKnownMs: number, appVersion: string): void {
  if (newestMs <= newestKnownMs) return;
  throw new BackupError(
    `Cadangan ini dibuat oleh PBB Kita v${appVersion} yang lebih baru daripada program ini. Pasang versi itu atau yang lebih baru, lalu ulangi.`,
  );
}

/**
 * Reads and checks the whole archive.
 * @param newestKnownMigrationMs the newest migration of this program, in epoch milliseconds
 * @throws BackupError for a damaged or foreign archive, and one of a newer program
 */
export async function verifyForRestore(file: string, newestKnownMigrationMs: number): Promise<VerifiedArchive> {
  if (!existsSync(file)) {
    throw new BackupError(`Cadangan "${file}" tidak ada. Jalankan "restore" tanpa nama untuk melihat yang tersedia.`);
  }
  const manifest = await verifyArchive(file, createUnthrottled());
  requireKnownMigration(manifest.newest_migration, newestKnownMigrationMs, manifest.app_version);
  const proofs = manifest.entries.filter(({ name }) => findProofName(name) !== null);
  const unpackedBytes = proofs.reduce((total, { size }) => total + size, databaseBytes(manifest));
  return { file, manifest, proofs: proofs.length, unpackedBytes };
}

/** Writes a file, in order or at given places. */
function fileSink(path: string): DatabaseSink & Sink {
  const file = openSync(path, 'wx', 0o600);
  return {
    write(bytes: Buffer, at?: number) {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(file, bytes, done, bytes.length - done, at === undefined ? null : at + done);
      }
    },
    close() {
      try {
        fdatasyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

const discardingSink: Sink = { write: () => undefined, close: () => undefined };

/** Checks the restored database and ends all sessions. */
function prepareDatabase(file: string, manifest: Manifest): void {
  const sqlite = connect(file, { fileMustExist: true });
  try {
    sqlite.pragma('journal_mode = DELETE');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('secure_delete = ON');
    const corruption = findCorruption(sqlite);
    if (corruption !== null)
      throw new BackupError(`Database di dalam cadangan ini rusak (${corruption}). Pilih cadangan lain.`);
    const availableProofs = new Set([
      ...manifest.missing_proofs,
      ...manifest.entries.map(({ name }) => findProofName(name)),
    ]);
    const missingProofs = listReferencedFiles(sqlite).filter((name) => !availableProofs.has(name));
    if (missingProofs.length > 0)
      throw new BackupError(`Cadangan ini kehilangan ${missingProofs.length} foto atau dokumen. Pilih cadangan lain.`);
    endAllSessions(sqlite);
    // No archive holds free pages with texts, also not one of version 1.0.0.
    markClean(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Writes the log of the present database back, so that it can be kept as one file. A damaged one is kept unchanged. */
function checkpointCurrentDatabase(databaseFile: string): void {
  if (!existsSync(databaseFile)) return;
  try {
    const sqlite = connect(databaseFile, { fileMustExist: true });
    try {
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      sqlite.close();
    }
  } catch {
    // A damaged database is a reason to restore.
  }
}

/** A proofs folder on another disk cannot be renamed. @throws BackupError */
function requireSwappable(dataDir: string, proofsDir: string): void {
  if (existsSync(proofsDir) && statSync(proofsDir).dev !== statSync(dataDir).dev) {
    throw new BackupError(
      `Folder "${proofsDir}" ada di disk lain daripada "${dataDir}". Pindahkan isinya ke satu disk, lalu ulangi.`,
    );
  }
}

async function stageData(dataDir: string, { file, manifest }: VerifiedArchive, staged: string): Promise<void> {
  const folder = join(dataDir, staged);
  const proofsDir = join(folder, 'proofs');
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(proofsDir, { mode: 0o700 });
  const read = await readArchive(file, createUnthrottled(), (entry) => {
    const proof = findProofName(entry);
    return proof === null ? discardingSink : fileSink(join(proofsDir, proof));
  });
  const database = join(folder, 'pbb.sqlite');
  await unpackDatabase(file, read, createUnthrottled(), { sink: fileSink(database) });
  prepareDatabase(database, manifest);
  for (const path of [proofsDir, folder]) syncFolderSync(path);
}

/**
 * Replaces the data of a folder by the data of a checked archive, all or nothing (R-SYS-12). The caller must hold the lock
 * of the data folder. Nothing is changed until all new data is staged; after that the next start finishes an interrupted
 * restore.
 * @returns the folder to which the present data was moved; null when there was none
 * @throws BackupError, or errors of the disk or SQLite; the present data is unchanged then
 */
export async function restore(dataDir: string, archive: VerifiedArchive, time: RestoreTime): Promise<string | null> {
  const staged = stagedFolderName(formatTimestamp(time.timeZone, time.nowMs));
  return replaceData(dataDir, time, {
    staged,
    bytes: archive.unpackedBytes,
    stage: () => stageData(dataDir, archive, staged),
  });
}

/** @param replacement its name, the bytes that are still to be staged, and what stages them */
export async function replaceData(
  dataDir: string,
  time: RestoreTime,
  replacement: { staged: string; bytes: number; stage: () => Promise<void> },
): Promise<string | null> {
  const release = lockBackups(dataDir);
  if (!release) throw new BackupError('Pencadangan sedang berjalan pada folder data ini. Tunggu sampai selesai.');
  try {
    return await replaceLocked(dataDir, time, replacement);
  } finally {
    release();
  }
}

async function replaceLocked(
  dataDir: string,
  { nowMs, timeZone }: RestoreTime,
  { staged, bytes, stage }: { staged: string; bytes: number; stage: () => Promise<void> },
): Promise<string | null> {
  const { databaseFile, proofsDir, backupsDir } = dataPathsIn(dataDir);
  const stamp = formatTimestamp(timeZone, nowMs);
  try {
    requireSwappable(dataDir, proofsDir);
    const availableBytes = readUsableBytes(dataDir);
    if (availableBytes !== null && availableBytes < bytes) {
      throw notEnoughSpaceError(bytes, availableBytes, 'Kosongkan ruang disk, lalu ulangi.');
    }
    await stage();
  } catch (error) {
    rmSync(join(dataDir, staged), { recursive: true, force: true });
    throw error;
  }
  checkpointCurrentDatabase(databaseFile);
  // A rename cannot move files to another disk, and the folder of backups may be on one.
  const isSameDisk = statSync(backupsDir).dev === statSync(dataDir).dev;
  const aside = isSameDisk
    ? `${relative(dataDir, backupsDir)}/${replacedFolderName(stamp)}`
    : replacedFolderName(stamp);
  beginAtomicRestore(dataDir, { staged, aside });
  try {
    const replacedFolder = finishAtomicRestore(dataDir);
    return replacedFolder === null ? null : join(dataDir, replacedFolder);
  } catch (error) {
    throw new UnfinishedRestoreError(
      'Pemulihan terputus di tengah jalan. Periksa disk dan hak tulisnya, lalu jalankan server: ia menyelesaikannya.',
      { cause: error },
    );
  }
}
