import { constants, existsSync, readdirSync, statfsSync, statSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '#server/files/atomic.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { countDanglingReferences } from '#server/db/dangling-references.ts';
import { openForInspection, type ConnectionOrTransaction, type DatabaseHandle, type Sqlite } from '#server/db/open.ts';
import { DataFolderError } from '#server/db/data-folder/data-folder.ts';
import { findDatabaseProblem, type DatabaseProblem } from '#server/db/data-folder/expected-database.ts';
import { inspectFreePages } from '#server/db/deleted-texts.ts';
import { compareSchemaVersion } from '#server/db/migrations/migrate.ts';
import { UPLOAD_NAME_PATTERN } from '#server/uploads/upload-names.ts';
import { listUploadNames } from '#server/uploads/upload-queries.ts';
import { hasAccess } from '#server/files/access.ts';
import { programResources } from '#server/files/program-resources.ts';
import type { Settings } from '#server/settings.ts';
import { checkWindowsAccess } from './check-windows-access.ts';
import { CLOCK_TOLERANCE_MS, type Finding } from './finding.ts';

const FREE_MIN_BYTES = 1_000_000_000;
/** A backup needs the size of the data once more; an upgrade copies the database. */
const FREE_MIN_FACTOR = 2;
/** An upload takes seconds: an older image without a record is a leftover. */
const UPLOAD_MAX_MS = 60 * 60 * 1000;
const LISTED_NAMES_MAX = 3;

/** Checks the data folder, the database and the images in it. */
export async function* checkData({ dataDir }: Settings, isRunning: boolean): AsyncGenerator<Finding> {
  if (!existsSync(dataDir)) {
    yield checkMissingDataDir(dataDir);
    return;
  }
  yield* checkPermissions(dataDir);
  yield {
    what: isRunning
      ? 'server sedang berjalan pada folder data ini'
      : 'tidak ada server yang berjalan pada folder data ini',
  };
  yield* checkDatabaseOf(dataDir, isRunning);
  yield await checkDiskSpace(dataDir);
}

async function* checkDatabaseOf(dataDir: string, isRunning: boolean): AsyncGenerator<Finding> {
  const problem = isRunning ? null : findReadableProblem(dataDir);
  if (problem) {
    const [what = '', todo = ''] = problem.line.replace(/^DATA_DIR: /, '').split('; yang diterima: ');
    yield { what, todo: `Yang diterima server: ${todo}.` };
    if (problem.kind === 'replaced') return;
  }
  const file = join(dataDir, 'pbb.sqlite');
  if (existsSync(file)) yield* checkDatabase(file, dataDir);
  else yield { what: 'database belum ada; dibuat saat server dinyalakan' };
}

/** Why the server would refuse this folder. A database that cannot be read is reported by its own check. */
function findReadableProblem(dataDir: string): DatabaseProblem | null {
  try {
    return findDatabaseProblem(dataDir);
  } catch (error) {
    if (error instanceof DataFolderError) return null;
    throw error;
  }
}

function checkMissingDataDir(dataDir: string): Finding {
  let parent = dirname(dataDir);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  const what = 'folder data belum ada; dibuat saat server dinyalakan';
  if (mayWrite(parent)) return { what };
  return { what: `${what}, tetapi "${parent}" tidak dapat ditulis`, todo: 'Pilih folder lain dengan DATA_DIR.' };
}

const mayWrite = (path: string): boolean => hasAccess(path, constants.R_OK | constants.W_OK);

/** Checks that the server can write all files, that they have one owner, and that other users cannot read them. */
function* checkPermissions(dataDir: string): Generator<Finding> {
  const entries = ['', ...readdirSync(dataDir), ...listNamesBelow(dataDir)].flatMap((name) => {
    const path = join(dataDir, name);
    // Files of SQLite (-wal, -shm) may disappear while a server runs.
    const about = statOrUndefined(path);
    return about ? [{ name: name || 'folder data', path, about }] : [];
  });
  const namesOf = (isWrong: (entry: (typeof entries)[number]) => boolean): string => {
    const names = entries.filter((entry) => isWrong(entry)).map(({ name }) => name);
    const more = names.length - LISTED_NAMES_MAX;
    return `${names.slice(0, LISTED_NAMES_MAX).join(', ')}${more > 0 ? `, dan ${more} lagi` : ''}`;
  };

  const locked = namesOf(({ path }) => existsSync(path) && !mayWrite(path));
  yield locked === ''
    ? { what: 'folder data dapat ditulis' }
    : {
        what: `tidak dapat ditulis oleh pengguna ini: ${locked}`,
        todo: 'Jalankan sebagai pengguna yang menjalankan server, atau perbaiki pemilik dan hak berkas itu.',
      };
  // Windows has access lists in place of owners and modes.
  if (process.platform === 'win32') {
    yield checkWindowsAccess(dataDir);
    return;
  }
  const owner = entries[0]?.about.uid;
  const foreign = namesOf(({ about }) => about.uid !== owner);
  // Files in a closed folder need no check: other users cannot reach them.
  const open = namesOf(({ name, about }) => !name.includes('/') && about.isFile() && (about.mode & 0o077) !== 0);
  if (foreign !== '') {
    yield {
      what: `pemiliknya bukan pemilik folder data: ${foreign}`,
      todo: `Sebagai root: chown -R --reference="${dataDir}" "${dataDir}"`,
    };
  }
  if (open !== '') {
    yield { what: `dapat dibaca pengguna lain di komputer ini: ${open}`, todo: `Jalankan: chmod -R go= "${dataDir}"` };
  }
  if (foreign === '' && open === '') yield { what: 'berkas hanya terbuka bagi pemiliknya' };
}

/** The subfolders that the server writes. */
const DATA_SUBFOLDERS = ['backups', 'proofs', 'logs', 'tls', 'tls/acme'];

function listNamesBelow(dataDir: string): string[] {
  return DATA_SUBFOLDERS.flatMap((folder) => {
    try {
      return readdirSync(join(dataDir, folder)).map((name) => `${folder}/${name}`);
    } catch {
      // The folder does not exist, or it is closed; the caller reports a closed folder itself.
      return [];
    }
  });
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** While a server runs, most of a young database stands in the write-ahead log beside the file. */
const databaseBytes = (file: string): number =>
  [file, `${file}-wal`].reduce((bytes, path) => bytes + (statOrUndefined(path)?.size ?? 0), 0);

async function* checkDatabase(file: string, dataDir: string): AsyncGenerator<Finding> {
  const restore = 'Hentikan server, simpan salinan folder data, lalu kembalikan cadangan terakhir: restore FILE';
  let database: DatabaseHandle | undefined;
  try {
    database = openForInspection(file);
    const { sqlite } = database;
    const quickCheckRows = sqlite.pragma('quick_check(3)', { simple: false }) as { quick_check: string }[];
    const broken = quickCheckRows.map(({ quick_check: text }) => text).filter((text) => text !== 'ok');
    yield broken.length === 0
      ? { what: `database utuh (${formatBytes(databaseBytes(file))})` }
      : { what: `database rusak: ${broken.join('; ')}`, todo: restore };
    if (broken.length > 0) return;
    const age = compareSchemaVersion(sqlite, programResources());
    yield findingOfSchemaVersion(age);
    if (age !== 'same') return;
    const dangling = countDanglingReferences(sqlite);
    yield dangling === 0
      ? { what: 'hubungan antardata utuh' }
      : { what: `${dangling} hubungan antardata terputus`, todo: restore };
    yield* checkFreePages(sqlite);
    yield* checkFutureDates(sqlite);
    yield await checkProofs(database.orm, join(dataDir, 'proofs'));
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (!code.startsWith('SQLITE_')) throw error;
    const isForeign = /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code);
    yield {
      what: `database tidak dapat dibaca (${code})`,
      todo: isForeign ? 'Jalankan sebagai pengguna yang menjalankan server.' : restore,
    };
  } finally {
    database?.sqlite.close();
  }
}

function findingOfSchemaVersion(age: ReturnType<typeof compareSchemaVersion>): Finding {
  switch (age) {
    case 'same':
      return { what: 'database sesuai dengan versi program ini' };
    case 'newer':
      return {
        what: 'database dibuat oleh versi PBB Kita yang lebih baru',
        todo: 'Pasang versi program yang sama atau lebih baru.',
      };
    default:
      return { what: 'database dari versi lama; diperbarui (sesudah disalin) saat server dinyalakan' };
  }
}

/** Version 1.0.0 did not overwrite what it deleted. */
function* checkFreePages(sqlite: Sqlite): Generator<Finding> {
  switch (inspectFreePages(sqlite)) {
    case 'clean':
      return;
    case 'rewritten at the next start':
      yield { what: 'sisa teks yang dihapus di versi lama dibersihkan dari database saat server dinyalakan' };
      return;
    case 'kept':
      yield {
        what: 'database masih memuat sisa teks yang dihapus di versi lama',
        todo: 'Sediakan ruang disk tiga kali besar database lalu jalankan ulang server; di atas 1 GB: buat cadangan, lalu pulihkan cadangan itu (restore).',
      };
  }
}

/** A wrong clock in the past shows as data that is dated in the future. */
function* checkFutureDates(sqlite: Sqlite): Generator<Finding> {
  const newest = (source: string): number =>
    (sqlite.prepare(`select max(created_at) as at from ${source}`).get() as { at: number | null }).at ?? 0;
  const last = Math.max(newest('tax_records'), newest('(select created_at from messages order by id desc limit 100)'));
  if (last <= Date.now() + CLOCK_TOLERANCE_MS) return;
  yield {
    what: `ada data bertanggal ${new Date(last).toISOString()}, lebih baru daripada jam komputer ini`,
    todo: 'Perbaiki tanggal dan jam komputer, dan nyalakan penyetelan jam otomatis.',
  };
}

async function checkProofs(orm: ConnectionOrTransaction, folder: string): Promise<Finding> {
  const named = new Set(listUploadNames(orm));
  const stored = new Set(await readdir(folder).catch(() => []));
  const missing = [...named].filter((name) => !stored.has(name));
  if (missing.length > 0) {
    const some = missing.slice(0, LISTED_NAMES_MAX).join(', ');
    return {
      what: `${missing.length} dari ${named.size} foto dan dokumen hilang: ${some}${missing.length > LISTED_NAMES_MAX ? ', …' : ''}`,
      todo: `Salin kembali dari cadangan ke "${folder}".`,
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

async function checkDiskSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const files = ['pbb.sqlite', 'pbb.sqlite-wal'].map((name) => join(dataDir, name));
  const proofs = (await readdir(join(dataDir, 'proofs')).catch(() => [])).map((name) => join(dataDir, 'proofs', name));
  let used = 0;
  for (const file of [...files, ...proofs]) used += (await stat(file).catch(() => null))?.size ?? 0;
  const wanted = Math.max(FREE_MIN_BYTES, used * FREE_MIN_FACTOR);
  const what = `ruang disk: ${formatBytes(free)} kosong; data ${formatBytes(used)}`;
  return free >= wanted
    ? { what }
    : { what, todo: `Sisakan paling sedikit ${formatBytes(wanted)}: kosongkan disk, atau pindahkan folder data.` };
}
