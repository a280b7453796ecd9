import { constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { idFileIn, readFolderId } from '#server/db/postgres/office-files.ts';
import type { SchemaComparison } from '#server/db/migrations/journal.ts';
import type { PostgresAddress } from '#server/db/postgres/address.ts';
import type { HostReport, PostgresState } from '#server/db/postgres/inspect.ts';
import { hasAccess } from '#server/files/access.ts';
import { programResources } from '#server/files/program-resources.ts';
import { outsideStatusFile, readOutside } from '#server/operations/backups/outside-backups.ts';
import { hasMark, hostOfMark } from '#server/operations/installation/process-mark.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { OUTSIDE_BACKUP_MAX_AGE_MS } from '#shared/limits.ts';
import { formatAge } from './check-backups.ts';
import { checkUploads, findingOfSchemaVersion, inspectDatabase } from './check-database.ts';
import { filesFolder } from './check-folder.ts';
import type { Finding, Installation } from './check.ts';

const VERSION_MIN = 15;
/** Beside its pool a process has connections for its bus, for leading and for long reads. */
const OTHER_CONNECTIONS = 6;
/** Computers that set their clocks by the network differ by less. */
const CLOCK_DIFFERENCE_MAX_MS = 2000;
const LISTED_PROCESSES_MAX = 3;

type Answer = { at: string; state: PostgresState };
const isAnswer = (report: HostReport): report is Answer => 'state' in report;

async function inspect({ settings: { postgres }, computer }: Installation): Promise<HostReport[]> {
  if (!postgres) return [];
  // An office on a file needs none of this code.
  const { inspectHosts } = await import('#server/db/postgres/inspect.ts');
  return inspectHosts(postgres.address, programResources(), computer.now);
}

/** The servers of `DATABASE_URL`: which of them take writes, and whether they keep what they are told (docs/requirements.md R-RUN-28). */
export async function* checkPostgres(installation: Installation): AsyncGenerator<Finding> {
  const { dataDir, postgres } = installation.settings;
  if (existsSync(join(dataDir, 'pbb.sqlite'))) {
    yield {
      what: 'di folder data ada pbb.sqlite, padahal DATABASE_URL diisi',
      advice: 'Kosongkan DATABASE_URL, atau pakai folder data lain untuk server yang memakai PostgreSQL.',
    };
  }
  const reports = await inspect(installation);
  const answers = reports.filter(isAnswer);
  const primaries = answers.filter(({ state }) => !state.isStandby);
  for (const report of reports)
    yield isAnswer(report) ? describeServer(report, primaries.length > 0) : describeSilence(report, postgres);
  const [primary] = primaries;
  if (!primary) {
    yield {
      what: 'tidak ada PostgreSQL yang menerima tulisan',
      advice: 'Nyalakan server utamanya, atau jadikan salah satu standby sebagai yang utama.',
    };
    return;
  }
  if (new Set(primaries.map(({ state }) => state.startedAt)).size > 1) {
    yield {
      what: `lebih dari satu PostgreSQL menerima tulisan: ${primaries.map(({ at }) => at).join(', ')}`,
      advice: 'Hentikan segera yang bukan utama: isinya sudah berbeda. Jadikan lagi standby dari yang utama.',
    };
  }
  yield* checkEncoding(primary, postgres?.address.user ?? '');
  yield describeSchema(primary.state.schema);
  yield {
    what: `kunci notifikasi ${primary.state.hasPushKeys ? 'ada di database' : 'belum ada; dibuat saat server dinyalakan'}`,
  };
  yield* checkRights(primary);
  yield* checkDurability(primary, reports.length);
  yield checkConnections(primary, postgres?.pool ?? 0);
  for (const { at, state } of answers) yield checkClocks(at, state.clockAheadMs);
}

function describeSilence(
  { at, problem, reason }: Exclude<HostReport, Answer>,
  postgres: { address: PostgresAddress } | null,
): Finding {
  const user = postgres?.address.user ?? '';
  const isEncrypted = postgres?.address.ssl !== 'disable';
  switch (problem) {
    case 'silent':
      return {
        what: `PostgreSQL di ${at} tidak dapat dihubungi`,
        advice: 'Periksa apakah server itu berjalan, listen_addresses di sana, dan firewall.',
      };
    case 'password':
      return {
        what: `"${user}" tidak diterima oleh PostgreSQL di ${at}`,
        advice: 'Perbaiki nama atau sandi di DATABASE_URL, atau pg_hba.conf di sana.',
      };
    case 'rule':
      return isEncrypted
        ? {
            what: `pg_hba.conf di ${at} menolak "${user}" dari komputer ini`,
            advice: 'Tambahkan baris untuk komputer ini di sana, lalu muat ulang PostgreSQL.',
          }
        : {
            what: `pg_hba.conf di ${at} menolak "${user}" dari komputer ini tanpa enkripsi`,
            advice: 'Tambahkan ?sslmode=require di DATABASE_URL, atau baris untuk komputer ini di pg_hba.conf.',
          };
    case 'no encryption':
      return {
        what: `PostgreSQL di ${at} tidak memakai enkripsi`,
        advice: 'Nyalakan ssl = on di sana, atau pakai sslmode=disable di DATABASE_URL.',
      };
    case 'certificate':
      return {
        what: `sertifikat PostgreSQL di ${at} tidak dipercaya`,
        advice: 'Pakai sertifikat dari penerbit yang dipercaya komputer ini, atau sslmode=require di DATABASE_URL.',
      };
    case 'no database':
      return { what: `database ${at} tidak ada`, advice: 'Buat dulu: createdb --owner=PEMILIK NAMA.' };
    default:
      return { what: `PostgreSQL di ${at} tidak dapat diperiksa`, advice: `Pesannya: ${reason}.` };
  }
}

type Described = Pick<PostgresState, 'version' | 'majorVersion' | 'isStandby' | 'isFollowing' | 'databaseBytes'>;

/** @param hasPrimary without one no standby can follow, and none may be made anew */
export function describeServer({ at, state }: { at: string; state: Described }, hasPrimary: boolean): Finding {
  const { version, majorVersion, isStandby, isFollowing, databaseBytes } = state;
  const what = `PostgreSQL ${version} di ${at} ${isStandby ? 'adalah standby' : `menerima tulisan (${formatBytes(databaseBytes)})`}`;
  if (majorVersion < VERSION_MIN)
    return { what, advice: `Terlalu lama: pasang PostgreSQL ${VERSION_MIN} atau lebih baru.` };
  if (isStandby && !isFollowing && hasPrimary)
    return {
      what: `${what}, tetapi tidak tersambung ke server utamanya`,
      advice: 'Sambungkan lagi, atau buat ulang dari server utama (patronictl reinit, atau pg_basebackup).',
    };
  return { what };
}

/** A server refuses any other one. */
function* checkEncoding({ at, state: { encoding } }: Answer, user: string): Generator<Finding> {
  if (encoding === 'UTF8') return;
  yield {
    what: `database ${at} memakai encoding ${encoding}, padahal harus UTF8`,
    advice: `Buat yang baru: createdb --owner=${user} --encoding=UTF8 --template=template0 NAMA.`,
  };
}

function describeSchema(schema: SchemaComparison): Finding {
  if (schema === 'empty') return { what: 'database masih kosong; tabelnya dibuat saat server dinyalakan' };
  if (schema === 'older') return { what: 'database dari versi lama; diperbarui saat server dinyalakan' };
  return findingOfSchemaVersion(schema);
}

function* checkRights({ state }: Answer): Generator<Finding> {
  const lacking = [
    ...(state.mayCreateTables ? [] : ['membuat tabel di skema public']),
    ...(state.hasTrigrams ? [] : ['memasang ekstensi pg_trgm']),
  ];
  yield lacking.length === 0
    ? { what: 'hak di database cukup' }
    : {
        what: `hak di database kurang: ${lacking.join(', ')}`,
        advice: 'Jadikan pengguna di DATABASE_URL pemilik database itu, dan pasang paket contrib PostgreSQL.',
      };
}

/**
 * Which connected standbys a change waits for. An owner of a database is not told their states, only their names.
 * @param setting as in `db1`, `FIRST 2 (db1, db2)` or `ANY 1 (*)`
 */
export function findSynchronous(setting: string, standbys: readonly string[]): { needed: number; connected: string[] } {
  const [, count = '1', list = setting] = /^\s*(?:(?:first|any)\s+)?(\d+)\s*\((.*)\)\s*$/i.exec(setting) ?? [];
  const names = new Set(
    list.split(',').map((name) =>
      name
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .toLowerCase(),
    ),
  );
  const isNamed = (standby: string): boolean => names.has('*') || names.has(standby.toLowerCase());
  return { needed: Number(count), connected: standbys.filter(isNamed) };
}

/** Whether the database still has what it acknowledged, after a failure of power or of a server. */
function* checkDurability({ state: { settings, standbys } }: Answer, hostCount: number): Generator<Finding> {
  const unsafe = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter(
    (name) => settings[name] === 'off',
  );
  if (unsafe.length > 0) {
    yield {
      what: `PostgreSQL dapat kehilangan data bila listrik mati: ${unsafe.map((name) => `${name}=off`).join(', ')}`,
      advice: 'Hapus setelan itu dari postgresql.conf, lalu muat ulang PostgreSQL.',
    };
  }
  const names = settings.synchronous_standby_names;
  if (names !== '') {
    const { needed, connected } = findSynchronous(names, standbys);
    yield connected.length >= needed
      ? { what: `standby sinkron: synchronous_standby_names=${names}; tersambung: ${connected.join(', ')}` }
      : {
          what: `standby sinkron (${names}) tidak tersambung, jadi setiap perubahan tertahan`,
          advice: 'Nyalakan standby itu, atau kosongkan synchronous_standby_names sampai ia berjalan lagi.',
        };
  } else if (standbys.length > 0 || hostCount > 1) {
    yield {
      what: 'synchronous_standby_names kosong: perubahan terakhir hilang bila server utama rusak',
      advice: 'Isi dengan nama standby, atau synchronous_mode: true di Patroni.',
    };
  } else {
    yield {
      what: 'PostgreSQL tidak mempunyai standby',
      hint: 'Bila server itu rusak, kantor berhenti sampai cadangan dipulihkan.',
    };
  }
}

/** Whether all processes get their connections, and one that starts while another ends. */
function checkConnections({ state: { connectionsMax, processMarks } }: Answer, pool: number): Finding {
  const each = pool + OTHER_CONNECTIONS;
  const enoughFor = Math.floor(connectionsMax / each);
  const what = `sambungan: ${connectionsMax}, cukup untuk ${enoughFor} proses dengan DATABASE_POOL=${pool}`;
  return enoughFor > processMarks.length
    ? { what }
    : { what, advice: 'Naikkan max_connections di PostgreSQL, atau kecilkan DATABASE_POOL.' };
}

function checkClocks(at: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_MAX_MS) return { what: `jam ${at} sama dengan jam komputer ini` };
  return {
    what: `jam ${at} ${aheadMs > 0 ? 'lebih cepat' : 'lebih lambat'} ${seconds} detik daripada jam komputer ini`,
    advice: 'Nyalakan penyetelan jam otomatis di semua komputer (chrony atau systemd-timesyncd).',
  };
}

/** The folder of photos and documents, and whether the other processes use the same one. */
export async function* checkSharedFiles(installation: Installation): AsyncGenerator<Finding> {
  const folder = filesFolder(installation.settings);
  const what = `folder berkas "${folder}"`;
  if (!existsSync(folder)) {
    yield { what: `${what} belum ada`, advice: 'Sambungkan folder bersama itu, atau perbaiki FILES_DIR.' };
    return;
  }
  yield hasAccess(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    ? { what: `${what} dapat ditulis` }
    : { what: `${what} tidak dapat ditulis`, advice: 'Perbaiki haknya untuk pengguna yang menjalankan server.' };
  const marks = (await inspect(installation)).find((report) => isAnswer(report) && !report.state.isStandby);
  if (marks && isAnswer(marks)) {
    yield* checkOwnFolder(folder, marks.state.officeId);
    yield describeProcesses(marks.state.processMarks, folder);
  }
  yield* inspectDatabase(installation, async function* (orm) {
    yield await checkUploads(orm, join(folder, 'proofs'));
  });
}

/** A server refuses another folder, and uploads once it is lost (docs/requirements.md R-RUN-29). */
function* checkOwnFolder(folder: string, officeId: string | null): Generator<Finding> {
  const proofsDir = join(folder, 'proofs');
  if (officeId === null || tryToReadId(proofsDir) === officeId) return;
  yield {
    what: `folder berkas "${folder}" bukan folder kantor ini: server yang berjalan menolak unggahan, dan tidak dapat dimulai lagi`,
    advice: `Sambungkan folder bersama itu (mount), atau perbaiki FILES_DIR. Folder pengganti: salin foto kembali, lalu tulis ${officeId} di "${idFileIn(proofsDir)}".`,
  };
}

/** @returns null also for a file that cannot be read */
function tryToReadId(proofsDir: string): string | null {
  try {
    return readFolderId(proofsDir);
  } catch {
    return null;
  }
}

function describeProcesses(marks: readonly string[], folder: string): Finding {
  if (marks.length === 0) return { what: 'tidak ada proses PBB Kita yang tersambung ke database ini' };
  const elsewhere = marks.filter((mark) => !hasMark(folder, mark));
  if (elsewhere.length === 0) return { what: `proses yang tersambung: ${marks.length}, semuanya memakai folder itu` };
  const hosts = [...new Set(elsewhere.map(hostOfMark))];
  const some = hosts.slice(0, LISTED_PROCESSES_MAX).join(', ') + (hosts.length > LISTED_PROCESSES_MAX ? ', …' : '');
  return {
    what: `${elsewhere.length} dari ${marks.length} proses memakai folder berkas lain (komputer: ${some})`,
    advice:
      'Foto yang diunggah di sana tidak terlihat di sini. Samakan FILES_DIR: folder bersama yang tersambung di semua komputer; lalu jalankan ulang proses itu.',
  };
}

/** The backup that the operator makes with the tools of PostgreSQL (docs/requirements.md R-RUN-28). */
export function checkOutsideBackups({ settings, computer }: Installation): Finding {
  const file = outsideStatusFile(filesFolder(settings));
  const { last, lastAgeMs, failure } = readOutside(file, computer.now());
  if (failure) return { what: `pencadangan terakhir gagal (${failure.at})`, advice: failure.message };
  if (!last || lastAgeMs === null) {
    return {
      what: `belum ada cadangan PostgreSQL yang tercatat di "${file}"`,
      advice:
        'Pasang pencadangan setiap hari dengan pg_dump atau pgBackRest; lihat panduan, bab Beberapa server dengan PostgreSQL.',
    };
  }
  const what = `cadangan PostgreSQL terakhir ${formatAge(lastAgeMs)} (${formatBytes(last.sizeBytes)})`;
  return lastAgeMs <= OUTSIDE_BACKUP_MAX_AGE_MS
    ? { what }
    : { what, advice: 'Lebih dari 26 jam: periksa pencadangan di server PostgreSQL.' };
}
