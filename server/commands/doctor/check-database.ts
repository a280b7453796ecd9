import { existsSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolderError } from '#server/db/data-folder/data-folder.ts';
import { findDatabaseProblem, type DatabaseProblem } from '#server/db/data-folder/expected-database.ts';
import { countDanglingReferences } from '#server/db/dangling-references.ts';
import { inspectFreePages } from '#server/db/sqlite/deleted-texts.ts';
import { withoutParameters, type ConnectionOrTransaction } from '#server/db/engine.ts';
import type { SchemaComparison } from '#server/db/migrations/journal.ts';
import { compareSchemaVersion } from '#server/db/migrations/migrate.ts';
import type { PostgresAddress } from '#server/db/postgres/address.ts';
import { isLost } from '#server/db/postgres/lost.ts';
import { findRefusal } from '#server/db/postgres/refusals.ts';
import { openForReading } from '#server/db/source.ts';
import { openForInspection, type DatabaseHandle } from '#server/db/sqlite/open.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { errorCode } from '#server/files/atomic.ts';
import { programResources } from '#server/files/program-resources.ts';
import { UPLOAD_NAME_PATTERN } from '#server/uploads/upload-names.ts';
import { listUploadNames } from '#server/uploads/upload-queries.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { CLOCK_TOLERANCE_MS, type Finding, type Installation } from './check.ts';

/** An upload takes seconds: an older image without a record is a leftover. */
const UPLOAD_MAX_MS = 60 * 60 * 1000;
const LISTED_NAMES_MAX = 3;

export async function* checkDatabase({ settings: { dataDir }, isRunning }: Installation): AsyncGenerator<Finding> {
  const problem = isRunning ? null : findReadableProblem(dataDir);
  if (problem) {
    const [what = '', advice = ''] = problem.line.replace(/^DATA_DIR: /, '').split('; yang diterima: ');
    yield { what, advice: advice === '' ? 'Jalankan server dengan DATABASE_URL.' : `Yang diterima server: ${advice}.` };
    if (problem.kind === 'replaced') return;
  }
  const file = join(dataDir, 'pbb.sqlite');
  if (existsSync(file)) yield* checkContent(file, dataDir);
  else yield { what: 'database belum ada; dibuat saat server dinyalakan' };
}

/** Finds the reason for which the server would refuse this folder. A database that cannot be read is reported by its own check. */
function findReadableProblem(dataDir: string): DatabaseProblem | null {
  try {
    return findDatabaseProblem(dataDir);
  } catch (error) {
    if (error instanceof DataFolderError) return null;
    throw error;
  }
}

/** While a server runs, most of a young database stands in the write-ahead log beside the file. */
const databaseBytes = (file: string): number =>
  [file, `${file}-wal`].reduce((bytes, path) => bytes + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);

async function* checkContent(file: string, dataDir: string): AsyncGenerator<Finding> {
  const restore = 'Hentikan server, simpan salinan folder data, lalu kembalikan cadangan terakhir: restore NAMA';
  let database: DatabaseHandle | undefined;
  try {
    database = openForInspection(file);
    const { sqlite } = database;
    const quickCheckRows = sqlite.pragma('quick_check(3)', { simple: false }) as { quick_check: string }[];
    const broken = quickCheckRows.map(({ quick_check: text }) => text).filter((text) => text !== 'ok');
    yield broken.length === 0
      ? { what: `database utuh (${formatBytes(databaseBytes(file))})` }
      : { what: `database rusak: ${broken.join('; ')}`, advice: restore };
    if (broken.length > 0) return;
    const age = compareSchemaVersion(sqlite, programResources());
    yield findingOfSchemaVersion(age);
    if (age !== 'same') return;
    const dangling = countDanglingReferences(sqlite);
    yield dangling === 0
      ? { what: 'hubungan antardata utuh' }
      : { what: `${dangling} hubungan antardata terputus`, advice: restore };
    for (const finding of [checkFreePages(sqlite), checkFutureDates(sqlite)]) if (finding) yield finding;
    yield await checkUploads(database.orm, join(dataDir, 'proofs'));
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (!code.startsWith('SQLITE_')) throw error;
    const isForeign = /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code);
    yield {
      what: `database tidak dapat dibaca (${code})`,
      advice: isForeign ? 'Jalankan sebagai pengguna yang menjalankan server.' : restore,
    };
  } finally {
    database?.sqlite.close();
  }
}

export function findingOfSchemaVersion(age: SchemaComparison): Finding {
  switch (age) {
    case 'same':
      return { what: 'database sesuai dengan versi program ini' };
    case 'newer':
      return {
        what: 'database dibuat oleh versi PBB Kita yang lebih baru',
        advice: 'Pasang versi program yang sama atau lebih baru.',
      };
    default:
      return { what: 'database dari versi lama; diperbarui (sesudah disalin) saat server dinyalakan' };
  }
}

/** Version 1.0.0 did not overwrite what it deleted. */
function checkFreePages(sqlite: Sqlite): Finding | null {
  switch (inspectFreePages(sqlite)) {
    case 'clean':
      return null;
    case 'rewritten at the next start':
      return { what: 'sisa teks yang dihapus di versi lama dibersihkan dari database saat server dinyalakan' };
    case 'kept':
      return {
        what: 'database masih memuat sisa teks yang dihapus di versi lama',
        advice:
          'Sediakan ruang disk tiga kali besar database lalu jalankan ulang server; di atas 1 GB: buat cadangan, lalu pulihkan cadangan itu (restore).',
      };
  }
}

/** A wrong clock in the past shows as data that is dated in the future. */
function checkFutureDates(sqlite: Sqlite): Finding | null {
  const newest = (source: string): number =>
    (sqlite.prepare(`select max(created_at) as at from ${source}`).get() as { at: number | null }).at ?? 0;
  const last = Math.max(newest('tax_records'), newest('(select created_at from messages order by id desc limit 100)'));
  if (last <= Date.now() + CLOCK_TOLERANCE_MS) return null;
  return {
    what: `ada data bertanggal ${new Date(last).toISOString()}, lebih baru daripada jam komputer ini`,
    advice: 'Perbaiki tanggal dan jam komputer, dan nyalakan penyetelan jam otomatis.',
  };
}

/** Whether each photo and document that the database names is in the folder. */
export async function checkUploads(orm: ConnectionOrTransaction, folder: string): Promise<Finding> {
  const named = new Set(await listUploadNames(orm));
  const stored = new Set(await readdir(folder).catch(() => []));
  const missing = [...named].filter((name) => !stored.has(name));
  if (missing.length > 0) {
    const some = missing.slice(0, LISTED_NAMES_MAX).join(', ');
    return {
      what: `${missing.length} dari ${named.size} foto dan dokumen hilang: ${some}${missing.length > LISTED_NAMES_MAX ? ', …' : ''}`,
      advice: `Salin kembali dari cadangan ke "${folder}".`,
    };
  }
  let leftovers = 0;
  for (const name of stored) {
    if (named.has(name) || !UPLOAD_NAME_PATTERN.test(name)) continue;
    const about = await stat(join(folder, name)).catch(() => null);
    if (about && Date.now() - about.mtimeMs > UPLOAD_MAX_MS) leftovers += 1;
  }
  return {
    what: `foto dan dokumen lengkap (${named.size})${leftovers > 0 ? `; ${leftovers} sisa dibersihkan saat server dinyalakan lagi` : ''}`,
  };
}

/** Runs checks on the database. One that is missing or cannot be read is reported by its own check. */
export async function* inspectDatabase(
  { settings: { dataDir, postgres } }: Installation,
  check: (orm: ConnectionOrTransaction) => AsyncIterable<Finding>,
): AsyncGenerator<Finding> {
  if (postgres) {
    yield* inspectPostgres(postgres.address, check);
    return;
  }
  const file = join(dataDir, 'pbb.sqlite');
  if (!existsSync(file)) return;
  let database: DatabaseHandle | undefined;
  try {
    database = openForInspection(file);
    yield* check(database.orm);
  } catch (error) {
    if (!errorCode(error)?.startsWith('SQLITE_')) throw error;
  } finally {
    database?.sqlite.close();
  }
}

/** Of PostgreSQL: a lost or refused connection, refused rights, or tables of another version. */
const isReportedElsewhere = (error: unknown): boolean =>
  isLost(error) || findRefusal(error) !== null || errorCode(error)?.startsWith('42') === true;

async function* inspectPostgres(
  address: PostgresAddress,
  check: (orm: ConnectionOrTransaction) => AsyncIterable<Finding>,
): AsyncGenerator<Finding> {
  const { orm, close } = await openForReading({ address }, { cacheKiB: 0 });
  try {
    yield* check(orm);
  } catch (error) {
    if (!isReportedElsewhere(withoutParameters(error))) throw error;
  } finally {
    await close();
  }
}
