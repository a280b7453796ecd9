import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '#server/db/sqlite/open.ts';
import { isFileReferenced, listReferencedFiles } from '#server/db/referenced-files.ts';
import { errorCode, renameAndSyncFolder } from '#server/files/atomic.ts';
import { APP_VERSION } from '#server/process/version.ts';
import { DAY_MS } from '#shared/durations.ts';
import { UNFINISHED_SUFFIX } from '../archive-names.ts';
import { BackupError } from '../backup-errors.ts';
import type { Throttle } from '../throttle.ts';
import { readArchive, unpackDatabase } from './archive-reader.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import {
  findChangedPages,
  hashAll,
  hashPages,
  PAGE_HASH_BYTES,
  packChanges,
  packFile,
  type SnapshotPages,
} from './database-pages.ts';
import { createFolderWriter, type LinkFile, type PreviousArchive } from './folder-writer.ts';
import {
  CHANGES_ENTRY,
  DATABASE_ENTRY,
  type FolderManifest,
  isProofName,
  type Manifest,
  PAGE_HASHES_ENTRY,
  type PagedDatabase,
  proofEntryName,
} from './manifest.ts';
import { readNewestMigrationMs } from './queries.ts';
import { removeSnapshot, requireIntact, takeSnapshot, withSnapshot } from './snapshot.ts';
import { createTarWriter } from './tar-writer.ts';

/** The database is copied again so often when files were removed meanwhile. Each time fewer files are added. */
const SNAPSHOT_ATTEMPTS_MAX = 5;
/**
 * The database is packed whole again when more than this share of its pages has changed since. Each archive holds all of these
 * pages: with a smaller share the database is packed too often, with a larger one the changes take more space than it.
 */
const CHANGED_SHARE_MAX = 1 / 8;
/** At least this often an archive is made of which everything is read, also what it shares. */
const CHECK_EVERY_MS = DAY_MS;

export type ArchivePlan = {
  databaseFile: string;
  proofsDir: string;
  folder: string;
  /** With the ending `.tar` the archive is one file, and shares nothing. */
  name: string;
  createdAtMs: number;
  /** The archive whose files are shared. */
  previous: PreviousArchive | null;
  /** Whether also what is shared is read and checked; it is once a day in any case. */
  checksAll: boolean;
  link?: LinkFile;
};

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

/** A proof that is missing in the data folder may still be in the archive before. */
async function addProof(writer: ArchiveWriter, proofsDir: string, name: string): Promise<'added' | 'missing'> {
  const entry = proofEntryName(name);
  if (await writer.share(entry)) return 'added';
  const bytes = readProof(proofsDir, name);
  if (!bytes) return 'missing';
  await writer.addBytes(entry, bytes);
  return 'added';
}

/**
 * Copies the database and adds all files that the copy refers to: proofs and files of messages. When the running server has
 * removed one of them, the database is copied again and only new files are added. A file never changes under its name, so
 * what the archive before has is shared, and files that the last copy no longer refers to do no harm.
 * @returns the names of the missing files
 */
async function addProofs(
  writer: ArchiveWriter,
  { databaseFile, proofsDir }: ArchivePlan,
  snapshot: string,
): Promise<string[]> {
  const added = new Set<string>();
  const live = openReadOnly(databaseFile);
  try {
    for (let round = 0; round < SNAPSHOT_ATTEMPTS_MAX; round += 1) {
      removeSnapshot(snapshot);
      takeSnapshot(databaseFile, snapshot);
      const missing: string[] = [];
      let isStale = false;
      for (const name of withSnapshot(snapshot, listReferencedFiles)) {
        if (added.has(name)) continue;
        const outcome = await addProof(writer, proofsDir, name);
        if (outcome === 'added') added.add(name);
        else if (isFileReferenced(live.sqlite, name)) missing.push(name);
        else isStale = true;
      }
      if (!isStale) return missing;
    }
  } finally {
    live.sqlite.close();
  }
  throw new BackupError('Foto dan dokumen berubah terlalu cepat untuk dicadangkan. Coba lagi beberapa menit lagi.');
}

/** @returns the hashes of the pages of its packed database; null when they cannot be read as they were written */
function readPageHashes({ folder, manifest }: PreviousArchive): Buffer | null {
  try {
    const hashes = readFileSync(join(folder, PAGE_HASHES_ENTRY));
    return manifest.entries.some(({ name, sha256 }) => name === PAGE_HASHES_ENTRY && sha256 === hashAll(hashes))
      ? hashes
      : null;
  } catch {
    return null;
  }
}

/**
 * Shares the packed database of the archive before, unless too much has changed since.
 * @returns the hashes of its pages; null when it is not shared
 */
async function shareBase(writer: ArchiveWriter, previous: PreviousArchive | null, pages: SnapshotPages) {
  if (previous?.manifest.database.page_size !== pages.pageSize) return null;
  const hashes = readPageHashes(previous);
  const changed = hashes && findChangedPages(pages, hashes);
  if (!changed || changed.length > pages.count * CHANGED_SHARE_MAX) return null;
  if (!(await writer.share(DATABASE_ENTRY))) return null;
  return { hashes, changed, members: previous.manifest.database.base_members };
}

/** Packs the whole snapshot. */
async function addBase(writer: ArchiveWriter, snapshot: string, { hashes }: SnapshotPages, throttle: Throttle) {
  let members: number[] = [];
  await writer.addPieces(DATABASE_ENTRY, async (write) => {
    members = await packFile(snapshot, throttle, write);
  });
  return { hashes, changed: [], members };
}

/** Adds the database: packed whole, or shared with the pages that have changed since. */
async function addDatabase(
  writer: ArchiveWriter,
  previous: PreviousArchive | null,
  snapshot: string,
  throttle: Throttle,
): Promise<{ database: PagedDatabase; base: Buffer }> {
  const pages = await hashPages(snapshot, throttle);
  const base = (await shareBase(writer, previous, pages)) ?? (await addBase(writer, snapshot, pages, throttle));
  if (!(await writer.share(PAGE_HASHES_ENTRY, hashAll(base.hashes))))
    await writer.addBytes(PAGE_HASHES_ENTRY, base.hashes);
  const sha256 = hashAll(pages.hashes);
  let changes: number[] = [];
  if (base.changed.length > 0 && previous?.manifest.database.sha256 === sha256 && (await writer.share(CHANGES_ENTRY))) {
    changes = previous.manifest.database.changes_members;
  } else if (base.changed.length > 0) {
    await writer.addPieces(CHANGES_ENTRY, async (write) => {
      changes = await packChanges(snapshot, pages, base.changed, throttle, write);
    });
  }
  const database = {
    page_size: pages.pageSize,
    pages: pages.count,
    base_pages: base.hashes.length / PAGE_HASH_BYTES,
    sha256,
    base_members: base.members,
    changes_members: changes,
  };
  return { database, base: base.hashes };
}

/** Reads an archive and unpacks its database. @throws BackupError when it is damaged */
export async function verifyArchive(file: string, throttle: Throttle): Promise<Manifest> {
  const manifest = await readArchive(file, throttle);
  await unpackDatabase(file, manifest, throttle);
  return manifest;
}

/** @throws BackupError that says that this archive was just written */
async function rethrowAsWriteError(read: () => Promise<unknown>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new BackupError(
      'Cadangan yang baru ditulis tidak terbaca kembali seperti aslinya. Periksa disk, lalu coba lagi; sementara itu simpan cadangan lama di disk lain.',
      { cause: error },
    );
  }
}

/** Whether it is time to read everything again. A clock that was set back must not put it off. */
function isCheckDue({ previous, checksAll, createdAtMs }: ArchivePlan): boolean {
  const ageMs = previous === null ? CHECK_EVERY_MS : createdAtMs - Date.parse(previous.manifest.checked_at);
  return checksAll || ageMs >= CHECK_EVERY_MS || ageMs < 0;
}

/**
 * Makes one archive. It gets its name only after what is new was written, synced and read back (R-SYS-7). It contains
 * everything that the server confirmed before the start. A server on the same data continues, and need not cooperate.
 * @throws BackupError, or errors of the disk or SQLite; nothing is left behind then
 */
export async function createArchive(plan: ArchivePlan, throttle: Throttle): Promise<FolderManifest> {
  const path = join(plan.folder, plan.name);
  const unfinished = `${path}${UNFINISHED_SUFFIX}`;
  const snapshot = join(plan.folder, `${plan.name.replace(/\.tar$/, '')}.sqlite${UNFINISHED_SUFFIX}`);
  const createdAt = new Date(plan.createdAtMs);
  const { previous, link } = plan;
  const checksAll = isCheckDue(plan);
  const folderWriter = plan.name.endsWith('.tar')
    ? null
    : createFolderWriter(unfinished, throttle, { previous, checksShared: checksAll, ...(link && { link }) });
  const spool = snapshot.replace(/\.part$/, `.gz${UNFINISHED_SUFFIX}`);
  const writer = folderWriter ?? createTarWriter(unfinished, spool, throttle, createdAt);
  try {
    const missing = await addProofs(writer, plan, snapshot);
    requireIntact(snapshot);
    const newest = withSnapshot(snapshot, readNewestMigrationMs);
    const { database, base } = await addDatabase(writer, folderWriter && previous, snapshot, throttle);
    removeSnapshot(snapshot);
    const manifest = await writer.finish({
      checked_at: checksAll ? createdAt.toISOString() : (previous?.manifest.checked_at ?? createdAt.toISOString()),
      app_version: APP_VERSION,
      created_at: createdAt.toISOString(),
      newest_migration: newest,
      database,
      missing_proofs: missing,
    });
    await rethrowAsWriteError(async () => {
      if (!folderWriter) return verifyArchive(unfinished, throttle);
      await folderWriter.readBack();
      const known = folderWriter.isWritten(DATABASE_ENTRY) ? {} : { knownBase: base };
      return unpackDatabase(unfinished, manifest, throttle, known);
    });
    renameAndSyncFolder(unfinished, path);
    return manifest;
  } catch (error) {
    writer.abort();
    throw error;
  } finally {
    removeSnapshot(snapshot);
  }
}
