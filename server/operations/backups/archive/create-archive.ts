import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { connect } from '#server/db/connect.ts';
import { openReadOnly, type Sqlite } from '#server/db/open.ts';
import { APP_VERSION } from '#server/process/version.ts';
import { readArchive, unpackDatabase } from './archive-reader.ts';
import { createArchiveWriter } from './archive-writer.ts';
import { errorCode, renameAndSyncFolder } from '#server/files/atomic.ts';
import { BackupError, describeCorruptDatabase } from '../backup-errors.ts';
import {
  ARCHIVE_FORMAT,
  DATABASE_ENTRY,
  proofEntryName,
  isProofName,
  MEMBER_BYTES,
  type Manifest,
} from './manifest.ts';
import { UNFINISHED_SUFFIX } from '../archive-names.ts';
import type { Throttle } from '../throttle.ts';
import { isFileReferenced, listReferencedFiles } from '#server/db/referenced-files.ts';
import { findCorruption, readNewestMigrationMs } from './queries.ts';

/** The database is copied again so often when files were removed meanwhile. Each time fewer files are added. */
const SNAPSHOT_ATTEMPTS_MAX = 5;
/** Compared with the usual 6: 5% larger, in little more than half the time. */
const COMPRESSION_LEVEL = 3;

export type ArchivePlan = {
  databaseFile: string;
  proofsDir: string;
  folder: string;
  name: string;
  createdAtMs: number;
};
type Writer = ReturnType<typeof createArchiveWriter>;

/**
 * Makes a consistent copy of the database in one short read. During a longer read the write-ahead log would grow, and the
 * server would block for the checkpoint. The copy is not synced: it is read once and removed.
 * @param into a file that does not exist
 */
function takeSnapshot(databaseFile: string, into: string): void {
  closeSync(openSync(into, 'wx', 0o600));
  const { sqlite } = openReadOnly(databaseFile);
  try {
    sqlite.pragma('synchronous = OFF');
    sqlite.prepare('vacuum into ?').run(into);
  } finally {
    sqlite.close();
  }
}

/** Runs a function on a database file that no process writes to. */
function withSnapshot<T>(file: string, read: (sqlite: Sqlite) => T): T {
  const sqlite = connect(file, { readonly: true, fileMustExist: true });
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

/** @throws BackupError when the copy is damaged, as the original is damaged then */
function requireIntact(file: string): void {
  const corruption = withSnapshot(file, findCorruption);
  if (corruption !== null) throw new BackupError(describeCorruptDatabase(corruption));
}

/** @returns null for a file that is missing or cannot be read: the archive is useful without it */
function readProof(proofsDir: string, name: string): Buffer | null {
  try {
    return isProofName(name) ? readFileSync(join(proofsDir, name)) : null;
  } catch (error) {
    const code = errorCode(error);
    // Too many open files, or no memory: these errors say nothing about this file.
    if (code === 'EMFILE' || code === 'ENFILE' || code === undefined) throw error;
    return null;
  }
}

/**
 * Copies the database and adds all files that the copy refers to: proofs and files of messages. When the running server has
 * removed one of them, the database is copied again and only new files are added. A file never changes under its name, so
 * files that the last copy no longer refers to do no harm.
 * @returns the names of the missing files
 */
async function addProofs(
  writer: Writer,
  { databaseFile, proofsDir }: ArchivePlan,
  snapshot: string,
): Promise<string[]> {
  const added = new Set<string>();
  const live = openReadOnly(databaseFile);
  try {
    for (let round = 0; round < SNAPSHOT_ATTEMPTS_MAX; round += 1) {
      rmSync(snapshot, { force: true });
      takeSnapshot(databaseFile, snapshot);
      const missing: string[] = [];
      let isStale = false;
      for (const name of withSnapshot(snapshot, listReferencedFiles)) {
        if (added.has(name)) continue;
        const bytes = readProof(proofsDir, name);
        if (bytes) {
          await writer.addBytes(proofEntryName(name), bytes);
          added.add(name);
        } else if (isFileReferenced(live.sqlite, name)) missing.push(name);
        else isStale = true;
      }
      if (!isStale) return missing;
    }
  } finally {
    live.sqlite.close();
  }
  throw new BackupError('Foto dan dokumen berubah terlalu cepat untuk dicadangkan. Coba lagi beberapa menit lagi.');
}

/** Packs a file into separate gzip members. It is synchronous, so it does not use the thread pool of the server. */
async function compressFile(from: string, into: string, throttle: Throttle): Promise<Manifest['database']> {
  const source = openSync(from, 'r');
  const target = openSync(into, 'wx', 0o600);
  const hash = createHash('sha256');
  const members: number[] = [];
  let size = 0;
  try {
    const piece = Buffer.allocUnsafe(MEMBER_BYTES);
    for (;;) {
      const length = readSync(source, piece);
      if (length === 0) return { size, sha256: hash.digest('hex'), members };
      const bytes = piece.subarray(0, length);
      size += length;
      hash.update(bytes);
      const packed = gzipSync(bytes, { level: COMPRESSION_LEVEL });
      members.push(packed.length);
      await throttle.write(target, packed);
      await throttle.afterRead(length);
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** Reads an archive and unpacks its database. @throws BackupError when it is damaged */
export async function verifyArchive(file: string, throttle: Throttle): Promise<Manifest> {
  const manifest = await readArchive(file, throttle);
  await unpackDatabase(file, manifest, throttle);
  return manifest;
}

async function verifyWrittenArchive(file: string, throttle: Throttle): Promise<Manifest> {
  try {
    return await verifyArchive(file, throttle);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new BackupError(
      'Cadangan yang baru ditulis tidak terbaca kembali seperti aslinya. Periksa disk, lalu coba lagi; sementara itu simpan cadangan lama di disk lain.',
      { cause: error },
    );
  }
}

/**
 * Makes one archive. It gets its name only after it was written, synced and read back (R-SYS-7). It contains everything that
 * the server confirmed before the start. A server on the same data continues, and need not cooperate.
 * @throws BackupError, or errors of the disk or SQLite; nothing is left behind then
 */
export async function createArchive(plan: ArchivePlan, throttle: Throttle): Promise<Manifest> {
  const file = join(plan.folder, plan.name);
  const unfinished = `${file}${UNFINISHED_SUFFIX}`;
  const snapshot = join(plan.folder, `${plan.name.slice(0, -'.tar'.length)}.sqlite${UNFINISHED_SUFFIX}`);
  const packed = snapshot.replace(/\.part$/, `.gz${UNFINISHED_SUFFIX}`);
  const createdAt = new Date(plan.createdAtMs);
  const writer = createArchiveWriter(unfinished, throttle, createdAt);
  try {
    const missing = await addProofs(writer, plan, snapshot);
    requireIntact(snapshot);
    const newest = withSnapshot(snapshot, readNewestMigrationMs);
    const database = await compressFile(snapshot, packed, throttle);
    rmSync(snapshot);
    await writer.addFile(DATABASE_ENTRY, packed, statSync(packed).size);
    rmSync(packed);
    await writer.finish({
      format: ARCHIVE_FORMAT,
      app_version: APP_VERSION,
      created_at: createdAt.toISOString(),
      newest_migration: newest,
      database,
      missing_proofs: missing,
    });
    const manifest = await verifyWrittenArchive(unfinished, throttle);
    renameAndSyncFolder(unfinished, file);
    return manifest;
  } catch (error) {
    writer.abort();
    throw error;
  } finally {
    for (const leftover of [snapshot, packed]) rmSync(leftover, { force: true });
  }
}
