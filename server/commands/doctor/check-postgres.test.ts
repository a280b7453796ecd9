import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { openBus } from '#server/db/postgres/bus.ts';
import { openAddress } from '#server/db/postgres/open-address.ts';
import { markProcess } from '#server/operations/installation/process-mark.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { cheapHash } from '#server/testing/factories.ts';
import { testResources } from '#server/testing/open-test-database.ts';
import { issueTestCertificate } from '#server/testing/network/test-certificates.ts';
import { openPostgresForTest } from '#server/testing/postgres/open-postgres.ts';
import { startRefusingHost } from '#server/testing/postgres/refusing-host.ts';
import { holdServerSettings } from '#server/testing/postgres/server-settings.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import { HOUR_MS } from '#shared/durations.ts';
import { checkAdmins } from './check-accounts.ts';
import { checkPublicCertificate } from './check-certificates.ts';
import { checkPush } from './check-network.ts';
import {
  checkOutsideBackups,
  checkPostgres,
  checkSharedFiles,
  describeServer,
  findSynchronous,
} from './check-postgres.ts';
import type { Finding, Installation } from './check.ts';
import { checkSecret } from './check-settings.ts';
import { runChecks, usualChecks } from './checks.ts';
import { thisComputer } from './server-computer.ts';

const SECRET = 'kunci-rahasia-yang-panjangnya-cukup-0123456789';
beforeEach(holdServerSettings);

const HOST = testServer.replace(/^.*@/, '');
/** The server of the tests does not wait for its disk. */
const UNSAFE = /^PostgreSQL dapat kehilangan data bila listrik mati: fsync=off, full_page_writes=off/;

function settingsOf(url: string, dataDir = tempDataDir(), more: Record<string, string> = {}): Settings {
  mkdirSync(dataDir, { recursive: true });
  const result = readSettings({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    JWT_SECRET: SECRET,
    DATABASE_POOL: '4',
    ...more,
  });
  if (!result.ok) throw new Error(result.problems.join());
  return result.settings;
}

const installationOf = (settings: Settings, now = Date.now): Installation => ({
  settings,
  isRunning: false,
  computer: { ...thisComputer, now, resolve: async () => ['36.67.10.20'], fetchStatus: async () => 200 },
  listeners: null,
});

async function collect(findings: AsyncIterable<Finding> | Iterable<Finding>): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of findings) found.push(finding);
  return found;
}
const texts = (found: Finding[]): string[] =>
  found.map(({ what, advice }) => (advice === undefined ? what : `PERIKSA ${what}. ${advice}`));

/** A migrated database, and its address. */
function openOffice(): { url: string; name: string } {
  const { sqlite, address } = openPostgresForTest();
  onTestFinished(() => void sqlite.close());
  return { url: `${testServer}/${address.database}`, name: address.database };
}

let made = 0;

/** A database of its own, brought to the version of this program. */
async function migrateOffice(): Promise<{ url: string; name: string }> {
  const name = `pbb_doctor_${process.pid}_${(made += 1)}`;
  runSync('postgres', `create database ${name}`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  const url = `${testServer}/${name}`;
  const { postgres } = settingsOf(url);
  if (!postgres) throw new Error('the settings name no PostgreSQL');
  const { connections } = await openAddress(postgres.address, { pool: 1, resources: testResources, waitMs: 0 });
  await connections.end();
  return { url, name };
}

it('names the server that takes writes, and all that is well with it', async () => {
  const { url, name } = await migrateOffice();
  const lines = texts(await collect(checkPostgres(installationOf(settingsOf(url)))));
  const at = `${HOST}/${name}`;
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^PostgreSQL \\S+ di ${at} menerima tulisan \\(`)),
    'database sesuai dengan versi program ini',
    'kunci notifikasi belum ada; dibuat saat server dinyalakan',
    'hak di database cukup',
    expect.stringMatching(/^PERIKSA PostgreSQL dapat kehilangan data bila listrik mati: fsync=off/),
    'PostgreSQL tidak mempunyai standby',
    expect.stringMatching(/^sambungan: \d+, cukup untuk \d+ proses dengan DATABASE_POOL=4$/),
    `jam ${at} sama dengan jam komputer ini`,
  ]);
  runSync(name, "insert into pbb_shared (name, text) values ('push-keys.json', 'kunci-yang-rahasia')");
  const withKeys = texts(await collect(checkPostgres(installationOf(settingsOf(url)))));
  expect(withKeys).toContain('kunci notifikasi ada di database');
  expect(withKeys.join()).not.toContain('kunci-yang-rahasia');
});

it('reads the certificate of the public names from the database, and shows no key', async () => {
  const { url, name } = await migrateOffice();
  const read = async (address: string): Promise<string[]> => {
    const settings = settingsOf(address, tempDataDir(), { TLS_DOMAIN: 'pbb.desa.id' });
    return texts(await collect(checkPublicCertificate(installationOf(settings))));
  };
  expect(await read(url)).toEqual(['sertifikat untuk pbb.desa.id belum ada; diminta begitu server berjalan']);
  const { key, cert } = issueTestCertificate(['pbb.desa.id']).pair;
  runSync(name, `insert into pbb_shared (name, text) values ('acme/certificate.pem', '${key}${cert}')`);
  expect(await read(url)).toEqual([expect.stringMatching(/^sertifikat publik berlaku sampai \d{4}-\d\d-\d\d$/)]);
  const [silent, ...none] = await read(`postgres://postgres:sandi-pg@127.0.0.1:1/${name}`);
  expect([silent, none]).toEqual([
    expect.stringMatching(/^PERIKSA sertifikat publik tidak dapat diperiksa: database tidak menjawab\./),
    [],
  ]);
});

it('says of each host that does not answer what to do, and never the password', async () => {
  const { name } = openOffice();
  const problemsOf = async (address: string): Promise<string[]> => {
    const found = await collect(checkPostgres(installationOf(settingsOf(address))));
    return texts(found).filter((line) => line.startsWith('PERIKSA') && !UNSAFE.test(line.slice('PERIKSA '.length)));
  };
  const cases: [string, RegExp[]][] = [
    [
      `postgres://postgres:sandi-pg@127.0.0.1:1,${HOST}/${name}`,
      [/^PERIKSA PostgreSQL di 127\.0\.0\.1:1\/\S+ tidak dapat dihubungi\./, /synchronous_standby_names kosong/],
    ],
    [
      `postgres://orang_lain:sandi-pg@${HOST}/${name}`,
      [/^PERIKSA "orang_lain" tidak diterima oleh PostgreSQL di /, /tidak ada PostgreSQL yang menerima tulisan/],
    ],
    [
      `postgres://postgres:sandi-pg@${HOST}/tidak_ada`,
      [/^PERIKSA database \S+\/tidak_ada tidak ada\./, /tidak ada PostgreSQL yang menerima tulisan/],
    ],
  ];
  const { port } = await startRefusingHost();
  cases.push(
    [
      `postgres://postgres:sandi-pg@${HOST}/${name}?sslmode=require`,
      [
        /^PERIKSA PostgreSQL di \S+ tidak memakai enkripsi\. Nyalakan ssl = on di sana, /,
        /tidak ada PostgreSQL yang menerima tulisan/,
      ],
    ],
    [
      `postgres://postgres:sandi-pg@127.0.0.1:${port}/${name}`,
      [
        /^PERIKSA pg_hba\.conf di \S+ menolak "postgres" dari komputer ini tanpa enkripsi\. Tambahkan \?sslmode=require /,
        /tidak ada PostgreSQL yang menerima tulisan/,
      ],
    ],
  );
  for (const [address, expected] of cases) {
    const problems = await problemsOf(address);
    expect(problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
    expect(problems.join('\n')).not.toContain('sandi-pg');
  }
});

it('finds an empty database, an older and a newer one, and a role without rights', async () => {
  const { url, name } = await migrateOffice();
  const role = `pbb_lemah_${process.pid}`;
  const empty = `pbb_doctor_${process.pid}`;
  runSync('postgres', `create database ${empty}`);
  onTestFinished(() => void runSync('postgres', `drop database ${empty} with (force)`));
  const linesOf = async (address: string): Promise<string[]> =>
    texts(await collect(checkPostgres(installationOf(settingsOf(address)))));
  expect(await linesOf(`${testServer}/${empty}`)).toContain(
    'database masih kosong; tabelnya dibuat saat server dinyalakan',
  );
  runSync('postgres', `create role ${role} login`);
  onTestFinished(() => void runSync('postgres', `drop role ${role}`));
  expect(await linesOf(`postgres://${role}@${HOST}/${empty}`)).toContainEqual(
    expect.stringMatching(
      /^PERIKSA hak di database kurang: membuat tabel di skema public, memasang ekstensi pg_trgm\. Jadikan/,
    ),
  );
  const newest = 'select max(created_at) from __drizzle_migrations';
  const setNewest = (at: string): void =>
    void runSync(name, `update __drizzle_migrations set created_at = ${at} where created_at = (${newest})`);
  setNewest('99999999999999');
  expect(await linesOf(url)).toContainEqual(expect.stringMatching(/^PERIKSA database dibuat oleh versi .* lebih baru/));
  setNewest('1');
  expect(await linesOf(url)).toContain('database dari versi lama; diperbarui saat server dinyalakan');
});

it('finds a database in another encoding', async () => {
  const name = `pbb_latin_${process.pid}`;
  runSync('postgres', `create database ${name} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  expect(texts(await collect(checkPostgres(installationOf(settingsOf(`${testServer}/${name}`)))))).toContain(
    `PERIKSA database ${HOST}/${name} memakai encoding LATIN1, padahal harus UTF8. Buat yang baru: createdb --owner=postgres --encoding=UTF8 --template=template0 NAMA.`,
  );
});

it('finds clocks that differ, and a file of SQLite beside the setting', async () => {
  const { url } = openOffice();
  const settings = settingsOf(url);
  writeFileSync(join(settings.dataDir, 'pbb.sqlite'), '');
  const ahead = installationOf(settings, () => Date.now() - HOUR_MS);
  const lines = texts(await collect(checkPostgres(ahead)));
  expect(lines[0]).toMatch(/^PERIKSA di folder data ada pbb\.sqlite, padahal DATABASE_URL diisi\./);
  expect(lines.at(-1)).toMatch(/^PERIKSA jam \S+ lebih cepat 3600 detik daripada jam komputer ini\./);
});

it('finds a process that keeps its files in another folder', async () => {
  const { url } = openOffice();
  const settings = settingsOf(url);
  const { postgres, dataDir } = settings;
  if (!postgres) throw new Error('the settings name no PostgreSQL');
  const join_ = async (mark: string): Promise<void> => {
    const bus = await openBus(postgres.address, { received() {}, missed() {}, leads() {} }, mark);
    onTestFinished(bus.close);
  };
  const lines = async (): Promise<string[]> => texts(await collect(checkSharedFiles(installationOf(settings))));
  expect((await lines())[1]).toBe('tidak ada proses PBB Kita yang tersambung ke database ini');
  await join_(markProcess(dataDir, '/srv/satu'));
  await join_(markProcess(dataDir, '/srv/dua'));
  expect(await lines()).toEqual([
    `folder berkas "${dataDir}" dapat ditulis`,
    'proses yang tersambung: 2, semuanya memakai folder itu',
    'foto dan dokumen lengkap (0)',
  ]);
  await join_(markProcess(tempDataDir(), '/srv/tiga'));
  // One whose folder was lost since its start shows too.
  await join_('../../etc/passwd.x');
  expect((await lines())[1]).toMatch(/^PERIKSA 2 dari 4 proses memakai folder berkas lain \(komputer: /);
});

it('finds a folder of files that is not that of the database', async () => {
  const { url, name } = await migrateOffice();
  const settings = settingsOf(url);
  const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const lines = async (): Promise<string[]> => texts(await collect(checkSharedFiles(installationOf(settings))));
  expect((await lines()).join()).not.toContain('bukan folder kantor ini');
  runSync(name, `insert into pbb_shared (name, text) values ('id-kantor.txt', '${id}')`);
  const file = join(settings.dataDir, 'proofs', 'id-kantor.txt');
  expect((await lines())[1]).toBe(
    `PERIKSA folder berkas "${settings.dataDir}" bukan folder kantor ini: server yang berjalan menolak unggahan, dan tidak dapat dimulai lagi. Sambungkan folder bersama itu (mount), atau perbaiki FILES_DIR. Folder pengganti: salin foto kembali, lalu tulis ${id} di "${file}".`,
  );
  mkdirSync(join(settings.dataDir, 'proofs'));
  writeFileSync(file, `${id}\n`);
  expect((await lines()).join()).not.toContain('bukan folder kantor ini');
});

it('finds a standby that does not follow the server that takes writes', () => {
  const state = { version: '15.18', majorVersion: 15, isStandby: true, isFollowing: false, databaseBytes: 0 };
  const lineOf = (more: Partial<typeof state>, hasPrimary = true): string | undefined =>
    texts([describeServer({ at: 'db2:5432/pbb', state: { ...state, ...more } }, hasPrimary)])[0];
  expect(lineOf({})).toMatch(
    /^PERIKSA PostgreSQL 15\.18 di db2:5432\/pbb adalah standby, tetapi tidak tersambung ke server utamanya\. /,
  );
  const well = 'PostgreSQL 15.18 di db2:5432/pbb adalah standby';
  expect([lineOf({ isFollowing: true }), lineOf({}, false)]).toEqual([well, well]);
});

it('counts only connected standbys that a change waits for', () => {
  const cases: [string, string[], number, string[]][] = [
    ['db1', ['db1', 'db3'], 1, ['db1']],
    ['db1', ['db3'], 1, []],
    ['"Db1"', ['db1'], 1, ['db1']],
    ['ANY 1 (db1, db2)', ['db2', 'db3'], 1, ['db2']],
    ['FIRST 2 (db1, "db2")', ['db2'], 2, ['db2']],
    ['2 (db1, db2)', ['db1', 'db2'], 2, ['db1', 'db2']],
    ['*', ['db7'], 1, ['db7']],
  ];
  for (const [setting, standbys, needed, connected] of cases)
    expect(findSynchronous(setting, standbys), setting).toEqual({ needed, connected });
});

it('reads how the last backup of the operator ended', async () => {
  const settings = settingsOf(openOffice().url);
  const now = Date.parse('2026-06-10T06:00:00Z');
  const check = (status?: object): string | undefined => {
    if (status) writeFileSync(join(settings.dataDir, 'status-cadangan.json'), JSON.stringify(status));
    return texts([checkOutsideBackups(installationOf(settings, () => now))])[0];
  };
  expect(check()).toMatch(/^PERIKSA belum ada cadangan PostgreSQL yang tercatat di ".*status-cadangan\.json"\. Pasang/);
  const backup = { at: '2026-06-10T04:00:00Z', bytes: 5_000_000, ok: true, message: '' };
  expect(check(backup)).toBe('cadangan PostgreSQL terakhir 2 jam lalu (5 MB)');
  expect(check({ ...backup, at: '2026-06-09T03:59:00Z' })).toMatch(
    /^PERIKSA cadangan .* 26 jam lalu .* Lebih dari 26 jam/,
  );
  expect(check({ ...backup, ok: false, message: 'Disk cadangan penuh.' })).toBe(
    'PERIKSA pencadangan terakhir gagal (2026-06-10T04:00:00.000Z). Disk cadangan penuh.',
  );
});

it('reads accounts and push services from PostgreSQL, and checks no file of SQLite', async () => {
  const { url, name } = openOffice();
  const insert = `insert into users (id, name, email, password_hash, is_admin, is_active, created_at, updated_at)
    values ('s', 'Siti Aminah', 'siti@desa.id', '${cheapHash('admin123')}', 1, 1, 1, 1)`;
  runSync(name, insert);
  const installation = installationOf(settingsOf(url));
  expect(texts(await collect(checkAdmins(installation)))).toContainEqual(
    expect.stringMatching(/^PERIKSA password administrator mudah ditebak: siti@desa\.id\./),
  );
  expect(await collect(checkPush(installation))).toEqual([]);
  expect(checkSecret({ ...installation, settings: { ...installation.settings, jwtSecret: 'a'.repeat(40) } })).toEqual({
    what: 'JWT_SECRET mudah ditebak: orang dapat membuat sesi sendiri',
    advice: 'Ganti dengan 32 karakter acak atau lebih, sama di semua proses; semua orang lalu masuk sekali lagi.',
  });
  const lines = texts(await collect(runChecks(usualChecks, installation)));
  const ofFiles = /database belum ada|belum ada cadangan(?! PostgreSQL)|salinan berjalan|folder cadangan kedua/;
  expect(lines.filter((line) => ofFiles.test(line))).toEqual([]);
});

it('tells of accounts nothing while no host answers, or while each one refuses', async () => {
  const { port } = await startRefusingHost();
  for (const at of ['127.0.0.1:1/pbb', `127.0.0.1:${port}/pbb`, `${HOST}/postgres?sslmode=require`]) {
    const installation = installationOf(settingsOf(`postgres://postgres@${at}`));
    expect(await collect(checkAdmins(installation))).toEqual([]);
  }
});
