import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSecretSealing } from '#server/accounts/second-factor/factor-check.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { chooseNameConstraints } from '#server/operations/tls/host-names.ts';
import { makeAuthority } from '#server/operations/tls/certificates.ts';
import { buildHostNetwork } from '#server/testing/network/host-network.ts';
import { runProgram } from '#server/testing/program/run-program.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { version1Authority } from '#server/testing/version-1-authority.ts';
import type { Check, Finding } from './check.ts';
import { runChecks, usualChecks } from './checks.ts';
import { thisComputer } from './server-computer.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { storeInstallationState } from '#server/db/data-folder/installation-state.ts';

function settingsOf(dataDir: string, environment: Record<string, string> = {}): Settings {
  const result = readSettings({ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', ...environment });
  if (!result.ok) throw new Error(result.problems.join());
  return result.settings;
}

/** A data folder with a database, as a server leaves it; `change` may damage it. */
function buildDataDir(change: (sqlite: Sqlite, dataDir: string) => void = () => undefined): string {
  const dataDir = tempDataDir();
  for (const name of ['', 'proofs', 'backups']) mkdirSync(join(dataDir, name), { recursive: true, mode: 0o700 });
  const { sqlite } = openTestDatabase(join(dataDir, 'pbb.sqlite'));
  change(sqlite, dataDir);
  sqlite.close();
  chmodSync(join(dataDir, 'pbb.sqlite'), 0o600);
  return dataDir;
}

const RECORD = `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status, proof_file,
  created_at, updated_at) select ?, id, 'Budi', 'Jalan', 'PBB', '1', 2025, 1, 'lunas', ?, ?, ? from users`;
function addRecord(sqlite: Sqlite, proof: string | null, at = Date.now()): void {
  sqlite.exec(
    `insert or ignore into users (id, name, email, password_hash, created_at, updated_at) values ('b', 'Budi', 'b@c.id', '', 1, 1)`,
  );
  sqlite.prepare(RECORD).run(`r-${proof}`, proof, at, at);
}

const FOLDER_CHECKS = new Set(['missing-folder', 'permissions', 'running-server', 'database', 'disk-space']);
const folderChecks = usualChecks.filter(({ id }) => FOLDER_CHECKS.has(id));
const environmentChecks = usualChecks.filter(({ id }) => !FOLDER_CHECKS.has(id));

async function collectFindings(
  checks: readonly Check[],
  dataDir: string,
  environment: Record<string, string> = {},
  isRunning = false,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const settings = settingsOf(dataDir, environment);
  const installation = { settings, isRunning, computer: thisComputer, listeners: null };
  for await (const finding of runChecks(checks, installation)) found.push(finding);
  return found;
}
const listProblems = (found: Finding[]): string[] =>
  found.flatMap(({ what, advice }) => (advice === undefined ? [] : [`${what}. ${advice}`]));
const findDataProblems = async (dataDir: string): Promise<string[]> =>
  listProblems(await collectFindings(folderChecks, dataDir));
const findEnvironmentProblems = async (dataDir: string, environment: Record<string, string>): Promise<string[]> =>
  listProblems(await collectFindings(environmentChecks, dataDir, environment));

describe('the check of the second factors', () => {
  const checks = usualChecks.filter(({ id }) => id === 'second-factors');
  const withFactor = (secret: string, confirmedAt: number | null = 1) =>
    buildDataDir((sqlite, dataDir) => {
      writeFileSync(join(dataDir, 'secret'), 'b'.repeat(40), { mode: 0o600 });
      addRecord(sqlite, null);
      const sealed = createSecretSealing(secret).seal('JBSWY3DPEHPK3PXP', 'b');
      sqlite
        .prepare('insert into second_factors (user_id, secret, made_at, confirmed_at) values (?, ?, 1, ?)')
        .run('b', sealed, confirmedAt);
    });

  it('finds no problem while the key of the computer opens them, and says nothing where there are none', async () => {
    expect(await collectFindings(checks, withFactor('b'.repeat(40)))).toEqual([
      { what: 'kunci kode kedua cocok (1 akun)' },
    ]);
    expect(await collectFindings(checks, withFactor('a'.repeat(40), null))).toEqual([]);
    expect(await collectFindings(checks, tempDataDir())).toEqual([]);
  });

  it('names the accounts whose codes are all wrong since another key is used', async () => {
    const problem =
      /^kode kedua dibuat dengan kunci lain, .*: b@c\.id\. Pasang kembali berkas "secret" .*reset-second-factor/;
    expect(listProblems(await collectFindings(checks, withFactor('a'.repeat(40))))).toEqual([
      expect.stringMatching(problem),
    ]);
    const setting = { JWT_SECRET: 'a'.repeat(40) };
    expect(listProblems(await collectFindings(checks, withFactor('b'.repeat(40)), setting))).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});

describe('the checks of the data folder', () => {
  it('finds no problem in an intact data folder, nor in a missing one', async () => {
    expect(await findDataProblems(buildDataDir((sqlite) => addRecord(sqlite, null)))).toEqual([]);
    expect(await findDataProblems(tempDataDir())).toEqual([]);
  });

  const damages: [string, (sqlite: Sqlite, dataDir: string) => void, string][] = [
    [
      'a missing image',
      (sqlite) => addRecord(sqlite, 'b7e23ec2-9af2-4b1d-8d3e-1a2b3c4d5e6f.png'),
      '1 dari 1 foto dan dokumen hilang: b7e23ec2-9af2-4b1d-8d3e-1a2b3c4d5e6f.png',
    ],
    [
      'a missing file of a message',
      (sqlite, dataDir) => {
        sqlite.exec(`insert into attachments (id, uploader_id, from_admin, name, file, thumb_file, type, bytes, created_at)
          values ('a', 'b', 0, 'surat.pdf', 'c7e23ec2-9af2-4b1d-8d3e-1a2b3c4d5e6f.pdf', 'ada.webp', 'application/pdf', 1, 1)`);
        writeFileSync(join(dataDir, 'proofs', 'ada.webp'), 'x');
      },
      '1 dari 2 foto dan dokumen hilang: c7e23ec2-9af2-4b1d-8d3e-1a2b3c4d5e6f.pdf',
    ],
    [
      'a record dated in the future',
      (sqlite) => addRecord(sqlite, null, Date.now() + DAY_MS),
      'lebih baru daripada jam komputer',
    ],
    [
      'a database of a newer version',
      (sqlite) => void sqlite.exec("insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)"),
      'versi PBB Kita yang lebih baru',
    ],
    [
      'a dangling reference',
      (sqlite) => {
        addRecord(sqlite, null);
        sqlite.pragma('foreign_keys = OFF');
        sqlite.exec('delete from users');
      },
      'hubungan antardata terputus',
    ],
    [
      'a file that other users can read',
      (_sqlite, dataDir) => writeFileSync(join(dataDir, 'secret'), 'x', { mode: 0o644 }),
      ': secret.',
    ],
  ];
  it.each(damages)('finds %s', async (_name, change, words) => {
    const found = await findDataProblems(buildDataDir(change));
    expect(found).toEqual([expect.stringContaining(words)]);
  });

  it('finds a file in a subfolder that the server cannot use, such as one of root', async () => {
    const dataDir = buildDataDir((_sqlite, folder) => {
      const file = join(folder, 'backups', 'pbb-kita-20260101-120000.tar');
      writeFileSync(file, 'x', { mode: 0o600 });
      // Only root can change the owner of a file; otherwise the test removes all permissions.
      if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
      else chmodSync(file, 0);
    });
    expect(await findDataProblems(dataDir)).toEqual([
      expect.stringContaining(': backups/pbb-kita-20260101-120000.tar. '),
    ]);
  });

  it('finds a file that is no database, and a broken database', async () => {
    const none = buildDataDir();
    writeFileSync(join(none, 'pbb.sqlite'), 'not a database at all '.repeat(100));
    expect(await findDataProblems(none)).toEqual([
      expect.stringMatching(/^database ".*" tidak dapat dipakai \(SQLITE_NOTADB\)\. Yang diterima server: .*"restore"/),
    ]);
    const broken = buildDataDir();
    const file = join(broken, 'pbb.sqlite');
    writeFileSync(file, Buffer.alloc(4096, 7), { flag: 'r+', flush: true });
    expect(await findDataProblems(broken)).toHaveLength(1);
  });

  it('changes nothing, not even the files that a crash left behind', async () => {
    const describeFiles = (dataDir: string): unknown[] =>
      readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => {
        const { size, mtimeMs, mode } = statSync(join(dataDir, name));
        return [name, size, mtimeMs, mode];
      });
    const clean = buildDataDir();
    const crashed = buildDataDir();
    // An open connection leaves the same files as a crash.
    const { sqlite } = openDatabase(join(crashed, 'pbb.sqlite'));
    onTestFinished(() => void sqlite.close());
    addRecord(sqlite, null);
    for (const dataDir of [clean, crashed]) {
      const before = describeFiles(dataDir);
      expect(await findDataProblems(dataDir)).toEqual([]);
      expect(describeFiles(dataDir)).toEqual(before);
    }
  });
});

describe('the other usual checks', () => {
  it('finds a port in use and a foreign host address', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = String(typeof address === 'object' && address ? address.port : 0);
    expect(await findEnvironmentProblems(tempDataDir(), { PORT: port })).toEqual([
      expect.stringContaining(`porta ${port} dipakai program lain`),
    ]);
    expect(await findEnvironmentProblems(tempDataDir(), { HOST: '203.0.113.1', PORT: '4567' })).toEqual([
      expect.stringContaining('EADDRNOTAVAIL'),
    ]);
  });

  it('knows a server of this program that has lost its database', async () => {
    const busy = createHttpServer((_request, response) => {
      response.writeHead(503).end(JSON.stringify({ success: false, message: 'Server sedang sibuk. Coba lagi.' }));
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    onTestFinished(() => void busy.close());
    const address = busy.address();
    const port = String(typeof address === 'object' && address ? address.port : 0);
    expect(await findEnvironmentProblems(tempDataDir(), { PORT: port })).toEqual([
      expect.stringContaining(`porta ${port} dipakai server PBB Kita dari folder data lain`),
    ]);
  });

  it('finds an old backup and a failed one, and ignores a damaged status file', async () => {
    const old = buildDataDir((_sqlite, dataDir) => {
      writeFileSync(join(dataDir, 'backups', 'pbb-kita-20250101-120000.tar'), 'x');
    });
    expect(await findEnvironmentProblems(old, {})).toEqual([
      expect.stringContaining('hari lalu. Buat cadangan sekarang'),
    ]);
    // Without a later change the backup is not too old.
    const still = Date.parse('2025-01-01T05:30:00Z') / 1000;
    utimesSync(join(old, 'pbb.sqlite'), still, still);
    expect(await findEnvironmentProblems(old, {})).toEqual([]);
    expect(await findEnvironmentProblems(buildDataDir(), {})).toEqual([]);

    const failing = buildDataDir((_sqlite, dataDir) => {
      const failure = { at: '2026-06-10T05:00:00.000Z', message: 'Disk penuh. Kosongkan.' };
      writeFileSync(join(dataDir, 'backups', 'status.json'), JSON.stringify({ failure }));
    });
    expect(await findEnvironmentProblems(failing, {})).toEqual([
      'pencadangan terakhir gagal (2026-06-10T05:00:00.000Z). Disk penuh. Kosongkan.',
    ]);
    for (const text of ['', '{', '[]', '{"failure":7}', '{"failure":null}']) {
      writeFileSync(join(failing, 'backups', 'status.json'), text);
      expect(await findEnvironmentProblems(failing, {})).toEqual([]);
    }
  });

  it('does not count a backup dated in the future as the last one', async () => {
    const at = (name: string) => (_sqlite: Sqlite, dataDir: string) => {
      for (const stamp of ['20250101-120000', name]) {
        writeFileSync(join(dataDir, 'backups', `pbb-kita-${stamp}.tar`), 'x');
      }
    };
    expect(await findEnvironmentProblems(buildDataDir(at('20981231-120000')), {})).toEqual([
      expect.stringContaining('1 cadangan bertanggal masa depan, misalnya pbb-kita-20981231-120000.tar'),
      expect.stringMatching(/^cadangan terakhir \d+ hari lalu\. Buat cadangan sekarang/),
    ]);
  });

  it('judges the last backup by operating time too, so that a clock that was set raises no alarm and hides none', async () => {
    const buildWith = (stamp: string, ageMs: number): string =>
      buildDataDir((_sqlite, dataDir) => {
        const name = `pbb-kita-${stamp}.tar`;
        writeFileSync(join(dataDir, 'backups', name), 'x');
        const firstSeenMs = { [`backups/${name}`]: 0 };
        storeInstallationState(dataDir, { marks: null, operatingMs: ageMs, writtenAtMs: 0, firstSeenMs });
      });
    expect(await findEnvironmentProblems(buildWith('20250101-120000', HOUR_MS), {})).toEqual([]);
    expect(await findEnvironmentProblems(buildWith('20981231-120000', HOUR_MS), {})).toEqual([
      expect.stringContaining('1 cadangan bertanggal masa depan'),
    ]);
    expect(await findEnvironmentProblems(buildWith('20981231-120000', 4 * DAY_MS), {})).toEqual([
      expect.stringContaining('1 cadangan bertanggal masa depan'),
      expect.stringMatching(/^cadangan terakhir 4 hari lalu\. Buat cadangan sekarang/),
    ]);
  });

  it('names the copies of old data, which are no problem', async () => {
    const dataDir = buildDataDir((_sqlite, folder) => {
      mkdirSync(join(folder, 'backups', 'sebelum-pemulihan-20260601-120000'), { recursive: true });
      mkdirSync(join(folder, 'disisihkan', '2026-06-10'), { recursive: true });
    });
    const { stdout } = await runProgram(['doctor', '--data', dataDir]);
    expect(stdout).toMatch(/^ok {6}salinan data lama, .*: sebelum-pemulihan-20260601-120000, disisihkan\/2026-06-10$/m);
  });

  it('finds problems of the second folder and of the certificate', async () => {
    const dataDir = buildDataDir();
    expect(await findEnvironmentProblems(dataDir, { BACKUP_SECOND_DIR: join(dataDir, 'usb') })).toEqual([
      expect.stringMatching(/tidak ada\. Pasang disk USB/),
    ]);
    expect(await findEnvironmentProblems(dataDir, { BACKUP_SECOND_DIR: dataDir })).toEqual([
      expect.stringContaining('pada disk yang sama dengan data'),
    ]);
    const status = { failure: null, second: { last_at: null, failure: 'Disk dari "usb" penuh. Kosongkan.' } };
    writeFileSync(join(dataDir, 'backups', 'status.json'), JSON.stringify(status));
    expect(await findEnvironmentProblems(dataDir, { BACKUP_SECOND_DIR: dataDir })).toEqual([
      expect.stringContaining('pada disk yang sama'),
      'cadangan terakhir tidak tersalin ke folder kedua. Disk dari "usb" penuh. Kosongkan.',
    ]);
    expect(await findEnvironmentProblems(dataDir, {})).toEqual([]);
    const files = { TLS_CERT: join(dataDir, 'a.pem'), TLS_KEY: join(dataDir, 'b.pem'), TLS_PORT: '0' };
    expect(await findEnvironmentProblems(dataDir, files)).toEqual([
      expect.stringContaining('sertifikat https tidak dapat dipakai'),
    ]);
    expect(await findEnvironmentProblems(dataDir, { TLS: 'on', TLS_PORT: '0' })).toEqual([]);
  });

  it('says of an authority of version 1.0.0 that it is wide, which is no problem, and nothing of a new one', async () => {
    const dataDir = buildDataDir();
    const narrow = makeAuthority('kantor', chooseNameConstraints(buildHostNetwork('kantor')), Date.now());
    mkdirSync(join(dataDir, 'tls'));
    const findingsFor = async (cert: string): Promise<Finding[]> => {
      writeFileSync(join(dataDir, 'tls', 'ca.crt'), cert, { mode: 0o600 });
      const found = await collectFindings(environmentChecks, dataDir, { TLS: 'on', TLS_PORT: '0' });
      return found.filter(({ what }) => what.startsWith('sertifikat induk'));
    };
    expect(await findingsFor(version1Authority.cert)).toEqual([
      { what: expect.stringMatching(/menjamin lebih banyak daripada yang perlu; tetap dapat dipakai.*help panduan/) },
    ]);
    for (const cert of [narrow.cert, 'rusak', '']) expect(await findingsFor(cert), cert).toEqual([]);
  });
});

describe('doctor', () => {
  it('prints a line for each check, and exits with 0 only without problems', async () => {
    const dataDir = tempDataDir();
    const server = startServerProcess({ DATA_DIR: dataDir });
    const { port } = await server.ready();
    const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir };
    const [well, bad] = await Promise.all([
      runProgram(['doctor'], { env }),
      runProgram(['doctor', '--data', dataDir], { env: { PORT: 'abc', APP_TIMEZONE: 'x' } }),
    ]);
    expect(well).toMatchObject({ code: 0, stderr: '' });
    const lines = well.stdout.trimEnd().split('\n');
    expect(lines.slice(1, -1).filter((line) => !line.startsWith('ok      '))).toEqual([
      'catatan belum ada cadangan. Server membuat yang pertama sendiri; untuk membuatnya sekarang: backup.',
      'catatan semua cadangan ada di komputer ini saja. Sangat dianjurkan: pasang disk kedua dan isi BACKUP_SECOND_DIR, untuk salinan cadangan dan salinan berjalan.',
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        `ok      setelan dapat dipakai (tanpa berkas setelan.env); folder data: ${dataDir}`,
        'ok      server sedang berjalan pada folder data ini',
        `ok      porta ${port} dipakai server PBB Kita yang sedang berjalan`,
        'Semua baik.',
      ]),
    );
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('PERIKSA PORT: nilai "abc" tidak dapat dipakai; ');
    expect(bad.stdout).toContain('PERIKSA APP_TIMEZONE: nilai "x" tidak dapat dipakai; ');
  });
});

it('notes that a new installation has no backup yet, which is neither a problem nor a passed check', async () => {
  const dataDir = buildDataDir();
  const noteOf = async (environment: Record<string, string> = {}) =>
    (await collectFindings(environmentChecks, dataDir, environment)).find(({ what }) => what.startsWith('belum ada'));
  expect(await noteOf()).toEqual({
    what: 'belum ada cadangan',
    hint: 'Server membuat yang pertama sendiri; untuk membuatnya sekarang: backup.',
  });
  expect(await noteOf({ BACKUP_EVERY_HOURS: '0' })).toMatchObject({ hint: 'Buat yang pertama: backup.' });
});

it('counts the write-ahead log to the size of the database', async () => {
  const dataDir = buildDataDir();
  const file = join(dataDir, 'pbb.sqlite');
  const { sqlite } = openDatabase(file);
  onTestFinished(() => void sqlite.close());
  addRecord(sqlite, null);
  const bytes = [file, `${file}-wal`].reduce((sum, path) => sum + statSync(path).size, 0);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  const found = await collectFindings(folderChecks, dataDir, {}, true);
  expect(found.map(({ what }) => what)).toContain(`database utuh (${formatBytes(bytes)})`);
});
