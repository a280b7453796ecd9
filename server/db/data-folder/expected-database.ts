import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '#shared/durations.ts';
import { openForInspection } from '../sqlite/open.ts';
import type { Sqlite } from '../sqlite/connect.ts';
import { listReferencedFiles } from '../referenced-files.ts';
import { DataFolderError, dataPathsIn, toDatabaseError } from './data-folder.ts';
import { readDatabaseMarks } from '../sqlite/database-metrics.ts';
import { findMoveLine } from './moved-folder.ts';
import { readInstallationState, STATE_FILE } from './installation-state.ts';

/**
 * Whether the database belongs to the rest of its data folder. Without this check a start in a folder whose database was
 * moved away would found a new installation there, and a start with an older copy would go on from that copy.
 */
export type DatabaseProblem = {
  /** `replaced`: the folder has no usable database, so only a new one can be made. `moved`: PostgreSQL has the office now. */
  kind: 'replaced' | 'older' | 'moved';
  /** The line to show. */
  line: string;
};

const SQLITE_HEADER = 'SQLite format 3\0';
/** Proofs, files of messages, and the logo. */
const UPLOADED_FILE = /^[0-9a-f-]{36}\.(jpg|png|gif|webp|pdf|list)$/;
const BACKUP = /^(pbb-kita-\d{8}-\d{6}(-manual)?(\.tar)?|sebelum-.*)$/;
/** A request that a crash interrupted began this long before its image was written, at most. */
const NEWER_MIN_MS = HOUR_MS;

/** Reads only. The caller must hold the lock of the data folder, or no server may run. */
export function findDatabaseProblem(dataDir: string): DatabaseProblem | null {
  const moveLine = findMoveLine(dataDir);
  if (moveLine !== null) return { kind: 'moved', line: moveLine };
  const { databaseFile } = dataPathsIn(dataDir);
  const size = statSync(databaseFile, { throwIfNoEntry: false })?.size;
  // SQLite would delete the write-ahead log of a database that is missing or empty: it must not be opened.
  if (size === undefined || size === 0) {
    const logTraces = writeAheadLogBytes(databaseFile) > 0 ? ['pbb.sqlite-wal'] : [];
    return missingProblem(dataDir, size === undefined ? 'tidak ada' : 'kosong', logTraces);
  }
  if (!hasSqliteHeader(databaseFile)) return foreignProblem(databaseFile);
  try {
    const { sqlite } = openForInspection(databaseFile);
    try {
      return findContentProblem(dataDir, sqlite);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw toDatabaseError(databaseFile, error);
  }
}

/** @throws DataFolderError when the database does not belong to the rest of the folder */
export function requireExpectedDatabase(dataDir: string): void {
  const problem = findDatabaseProblem(dataDir);
  if (problem) throw new DataFolderError(problem.line);
}

function hasSqliteHeader(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(SQLITE_HEADER.length);
    readSync(handle, bytes, 0, bytes.length, 0);
    return bytes.toString('latin1') === SQLITE_HEADER;
  } finally {
    closeSync(handle);
  }
}

function findContentProblem(dataDir: string, sqlite: Sqlite): DatabaseProblem | null {
  const tables = sqlite.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
  // A crash in the middle of the very first start leaves a database without tables. Its write-ahead log was read, too.
  if (tables.length === 0) return missingProblem(dataDir, 'kosong', []);
  if (!tables.includes('__drizzle_migrations')) return foreignProblem(sqlite.name);
  const reason = findNewerContent(dataDir, sqlite);
  if (reason === null) return null;
  return {
    kind: 'older',
    line: `DATA_DIR: database di folder data "${dataDir}" lebih lama daripada isi lain folder itu (${reason}); yang diterima: pbb.sqlite yang terbaru dikembalikan ke sana, cadangan dipulihkan dengan perintah "restore", atau database lama ini dipakai dengan perintah "accept"`,
  };
}

/** @returns why the folder is newer than its database; null when it is not */
function findNewerContent(dataDir: string, sqlite: Sqlite): string | null {
  const state = readInstallationState(dataDir);
  if (!state) return findNewerProofs(dataDir, sqlite);
  if (state.marks === null) return null;
  const marks = readDatabaseMarks(sqlite);
  const isOlder = marks.messages < state.marks.messages || marks.auditEntries < state.marks.auditEntries;
  if (!isOlder) return null;
  const lost = [
    [state.marks.messages - marks.messages, 'pesan'],
    [state.marks.auditEntries - marks.auditEntries, 'perubahan'],
  ] as const;
  const texts = lost.filter(([missing]) => missing > 0).map(([missing, what]) => `${missing} ${what}`);
  return `${texts.join(' dan ')} terakhir tidak ada di dalamnya`;
}

/**
 * For folders of version 1.0.0, which has no state file: images that no record names and that are newer than everything
 * in the database. What a crash leaves is no newer than the session of its upload. A folder that was copied without the
 * times of its files says nothing: there the images that records name are newer too.
 */
function findNewerProofs(dataDir: string, sqlite: Sqlite): string | null {
  const { proofsDir } = dataPathsIn(dataDir);
  const proofs = listNames(proofsDir).filter((name) => UPLOADED_FILE.test(name));
  if (proofs.length === 0) return null;
  const named = new Set(listReferencedFiles(sqlite));
  const newestMs = sqlite
    .prepare<[], number>(
      `select max(
        (select coalesce(max(created_at), 0) from users),
        (select coalesce(max(updated_at), 0) from tax_records),
        (select coalesce(max(last_seen_at), 0) from sessions),
        coalesce((select created_at from messages order by id desc limit 1), 0),
        coalesce((select at from audit_entries order by id desc limit 1), 0))`,
    )
    .pluck()
    .get();
  const isNewer = (name: string): boolean =>
    (statSync(join(proofsDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > (newestMs ?? 0) + NEWER_MIN_MS;
  const newer = proofs.filter((name) => !named.has(name)).filter(isNewer);
  if (newer.length === 0 || proofs.some((name) => named.has(name) && isNewer(name))) return null;
  return `${newer.length} foto atau dokumen lebih baru daripada data terakhirnya`;
}

const listNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function missingProblem(dataDir: string, what: string, logTraces: readonly string[]): DatabaseProblem | null {
  const traces = [...listTraces(dataDir), ...logTraces];
  if (traces.length === 0) return null;
  return {
    kind: 'replaced',
    line: `DATA_DIR: database "${dataPathsIn(dataDir).databaseFile}" ${what}, padahal di folder itu ada ${traces.join(', ')}; yang diterima: pbb.sqlite dikembalikan ke sana, cadangan dipulihkan dengan perintah "restore", atau kantor baru dimulai dari kosong dengan perintah "accept"`,
  };
}

/** Whether the folder has neither a database nor traces of one, so that a start would begin an empty office. */
export function isUnused(dataDir: string): boolean {
  const { databaseFile } = dataPathsIn(dataDir);
  const size = statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 && writeAheadLogBytes(databaseFile) === 0 && listTraces(dataDir).length === 0;
}

const foreignProblem = (databaseFile: string): DatabaseProblem => ({
  kind: 'replaced',
  line: `DATA_DIR: database "${databaseFile}" tidak dapat dipakai (SQLITE_NOTADB); yang diterima: berkas database PBB Kita dikembalikan ke sana, cadangan dipulihkan dengan perintah "restore", atau kantor baru dimulai dari kosong dengan perintah "accept"`,
});

const writeAheadLogBytes = (databaseFile: string): number =>
  statSync(`${databaseFile}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** The files that an earlier installation has left in the folder. The first start writes all of it after the database. */
function listTraces(dataDir: string): string[] {
  const { proofsDir, backupsDir } = dataPathsIn(dataDir);
  const proofs = listNames(proofsDir).filter((name) => UPLOADED_FILE.test(name)).length;
  const backups = listNames(backupsDir).filter((name) => BACKUP.test(name)).length;
  return [
    ...(proofs > 0 ? [`${proofs} foto atau dokumen`] : []),
    ...(backups > 0 ? [`${backups} cadangan`] : []),
    ...['secret', STATE_FILE].filter((name) => existsSync(join(dataDir, name))),
  ];
}
