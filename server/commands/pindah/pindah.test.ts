import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { movedTables, NOT_MOVED } from '#server/db/move/moved-tables.ts';
import { acmeFolder, writeAcmeFile } from '#server/operations/acme/acme-files.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { COMPILE_CACHE, PROGRAM_FILE } from '#server/testing/program/program.ts';
import { type ProgramResult, runProgram } from '#server/testing/program/run-program.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/program/server-process.ts';
import { buildDataFolder, tempFolder, type TestDataFolder } from '#server/testing/program/test-data-folder.ts';

const SECRET = 'rahasia-kantor-yang-cukup-panjang-sekali';

let made = 0;

/** An empty database of its own, for the rules of docs/requirements.md R-RUN-25. */
function makeDatabase(options = ''): { name: string; url: string } {
  const name = `pbb_pindah_${process.pid}_${(made += 1)}`;
  runSync('postgres', `create database ${name} ${options}`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  return { name, url: `${testServer}/${name}` };
}

const move = (dataDir: string, args: string[], env: Record<string, string> = {}): Promise<ProgramResult> =>
  runProgram(['pindah', ...args, '--data', dataDir], { env });

async function requireDone(moved: Promise<ProgramResult>): Promise<string> {
  const { code, stdout, stderr } = await moved;
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** All rows of the tables that move, with the numbers of the rows, in their order. */
function readAll(file: string): Record<string, unknown[]> {
  const sqlite = new Database(file, { readonly: true });
  try {
    const read = (text: string): unknown[] => sqlite.prepare(text).raw().all();
    const rows = movedTables.map(({ name }) => [name, read(`select rowid, * from "${name}" order by rowid`)] as const);
    return { ...Object.fromEntries(rows), numbers: read('select name, seq from sqlite_sequence order by name') };
  } finally {
    sqlite.close();
  }
}

const TEXTS = [
  '',
  'null',
  'NULL',
  '{a,"b"}',
  String.raw`\N \\ "`,
  "d'Ivoire",
  'baris\nbaru\ttab\r',
  '漢字 😀 é',
  ' x ',
];
const NUMBERS = [0, 1, -1, Number.MAX_SAFE_INTEGER, 1_795_950_681_027];
const ROWS = 12;

/** Rows in every table, with values that a copy may confuse, with gaps, and with a number that was given to a row that is gone. */
function fillEveryTable({ sqlite }: TestDataFolder['database']): void {
  const list = <T>(text: string): T[] => sqlite.prepare<[], T>(text).all();
  for (const { name } of list<{ name: string }>("select name from sqlite_schema where type = 'trigger'"))
    sqlite.exec(`drop trigger "${name}"`);
  sqlite.pragma('foreign_keys = off');
  for (const { name: table } of movedTables) {
    sqlite.exec(`delete from "${table}"`);
    const columns = list<{ name: string; type: string; notnull: number; pk: number }>(`pragma table_info("${table}")`);
    const references = new Map(
      list<{ from: string; table: string; to: string }>(`pragma foreign_key_list("${table}")`).map((key) => [
        key.from,
        key,
      ]),
    );
    const unique = new Set(
      list<{ name: string; unique: number }>(`pragma index_list("${table}")`)
        .filter((index) => index.unique === 1)
        .flatMap((index) => list<{ name: string }>(`pragma index_info("${index.name}")`).map(({ name }) => name)),
    );
    const insert = sqlite.prepare(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`);
    for (let row = 1; row <= ROWS; row += 1) {
      const values = columns.map(({ name, type, notnull, pk }, index) => {
        const target = references.get(name);
        if (target) return `${target.table}.${target.to}.${row}`;
        // No reference of the database, but one of the office.
        if (name === 'user_id') return `users.id.${row}`;
        const isKey = pk > 0 || unique.has(name);
        if (!isKey && notnull === 0 && (row + index) % 3 === 0) return null;
        if (type.toLowerCase() === 'integer') return isKey ? row * 10 : NUMBERS[(row + index) % NUMBERS.length];
        if (type.toLowerCase() === 'real') return [0.1, 1e21, -1234.5678, 3][(row + index) % 4];
        return isKey ? `${table}.${name}.${row}` : TEXTS[(row + index) % TEXTS.length];
      });
      insert.run(...values);
    }
    // No other table refers to these.
    if (['messages', 'audit_entries', 'security_log'].includes(table))
      sqlite.exec(`delete from "${table}" where id >= 100`);
  }
  sqlite.pragma('foreign_keys = on');
}

it('moves every row there and back with its number and its place, and gives no number twice', async () => {
  const folder = buildDataFolder();
  fillEveryTable(folder.database);
  folder.close();
  const { name, url } = makeDatabase();
  const before = readAll(folder.databaseFile);
  expect(movedTables.filter((table) => before[table.name]?.length === 0)).toEqual([]);
  const there = await requireDone(move(folder.dataDir, ['--ke', url, '--tanpa-berkas']));
  expect(there).toMatch(/^Cadangan selesai dan sudah diperiksa: .*-manual$/m);
  expect(there).toMatch(/^ {2}tax_records: 12 baris$/m);
  expect(there).toMatch(/^Selesai: [\d.]+ baris, jumlah dan isinya sama\./m);
  expect(readAll(folder.databaseFile)).toEqual(before);

  const tables = runSync(
    name,
    "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const known = new Set([...movedTables.map((table) => table.name), ...NOT_MOVED, 'pbb_shared']);
  expect((tables.rows as unknown as { relname: string }[]).filter(({ relname }) => !known.has(relname))).toEqual([]);
  const last = runSync(name, "select nextval(pg_get_serial_sequence('messages', 'id')) as next");
  // The twelfth row had the number 120, and is gone.
  expect(last.rows).toEqual([{ next: 121 }]);
  expect(runSync(name, "select count(*) as off from pg_trigger where tgenabled = 'D'").rows).toEqual([{ off: 0 }]);
  expect(runSync(name, 'select count(*) as words from message_words').rows).not.toEqual([{ words: 0 }]);

  const back = join(tempFolder(), 'data');
  await requireDone(move(back, ['--dari', url, '--tanpa-berkas']));
  const numbers = (before['numbers'] as [string, number][]).map(([table, seq]) => [
    table,
    table === 'messages' ? 121 : seq,
  ]);
  const after = readAll(join(back, 'pbb.sqlite'));
  const numbersOf = ({ numbers: all }: Record<string, unknown[]>): unknown[] =>
    (all as [string, number][]).filter(([table]) => table !== '__drizzle_migrations');
  expect({ ...after, numbers: numbersOf(after) }).toEqual({ ...before, numbers: numbersOf({ numbers }) });
});

const CREDENTIALS = { email: 'a@kantor.id', password: 'rahasia-kantor' };

const start = (dataDir: string, settings: Record<string, string> = {}): ServerProcess =>
  startServerProcess({
    DATA_DIR: dataDir,
    ADMIN_EMAIL: CREDENTIALS.email,
    ADMIN_PASSWORD: CREDENTIALS.password,
    ...settings,
  });

async function stop(server: ServerProcess): Promise<void> {
  server.child.kill('SIGTERM');
  expect(await server.exit()).toBe(0);
}

async function refusalOf(server: ServerProcess): Promise<string> {
  expect(await server.exit()).toBe(1);
  return server.output.stderr;
}

async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(CREDENTIALS) });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}

async function readNames(url: string, token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/admin/users?search=Budi`, { headers });
  const { data } = (await answer.json()) as { data: { data: { name: string }[] } };
  return [answer.status, data.data.map(({ name }) => name)];
}

async function readPushKey(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/api/push/key`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { data: { public_key: string } }).data.public_key;
}

const TODAY = /\d{1,2} \p{L}+ \d{4}/u.source;

describe('a whole office', () => {
  it('moves with its files, keeps everybody signed in, and refuses to start where it was left', async () => {
    const folder = buildDataFolder();
    const proof = folder.addRecord('Rumah');
    const lost = folder.addRecord('Sawah');
    rmSync(join(folder.proofsDir, lost));
    folder.close();
    const first = start(folder.dataDir);
    const { url } = await first.ready();
    const token = await signIn(url);
    const pushKey = await readPushKey(url, token);
    await stop(first);
    const acme = { 'account.key': 'kunci akun', 'certificate.pem': 'kunci dan sertifikat', 'state.json': '{}' };
    for (const [name, text] of Object.entries(acme)) await writeAcmeFile(folder.dataDir, name, text);
    const { url: database, name: databaseName } = makeDatabase();
    const filesDir = join(tempFolder(), 'berkas');
    const moved = await move(folder.dataDir, ['--ke', database], { FILES_DIR: filesDir });
    expect(moved.code).toBe(0);
    expect(moved.stderr).toMatch(/^PERINGATAN: 1 foto atau dokumen tidak ada di .*, jadi tidak ikut: proofs\/.*\n$/);
    expect(moved.stderr).toContain(lost);
    const secret = readFileSync(join(folder.dataDir, 'secret'), 'utf8').trim();
    expect(moved.stdout).toContain(
      `Isi JWT_SECRET dengan satu-satunya baris di berkas "${join(folder.dataDir, 'secret')}"`,
    );
    expect(moved.stdout).not.toContain(secret);
    expect(readdirSync(join(filesDir, 'proofs'))).toEqual([proof]);

    const { rows } = runSync(databaseName, "select name, text from pbb_shared where name like 'acme/%' order by name");
    expect(rows).toEqual(Object.entries(acme).map(([name, text]) => ({ name: `acme/${name}`, text })));
    expect(moved.stdout + moved.stderr).not.toContain('kunci akun');

    const left = new RegExp(
      `^Kantor ini sudah dipindahkan ke PostgreSQL pada ${TODAY}\\. Untuk memakainya lagi: node .* accept\\.\\n$`,
      'u',
    );
    expect(await refusalOf(start(folder.dataDir))).toMatch(left);
    expect((await runProgram(['backup', '--data', folder.dataDir])).stderr).toMatch(left);
    const settings = { DATABASE_URL: database, FILES_DIR: filesDir, JWT_SECRET: secret };
    const there = start(folder.dataDir, settings);
    const { url: thereUrl } = await there.ready();
    expect(await readNames(thereUrl, token)).toEqual([200, ['Budi']]);
    expect(await readPushKey(thereUrl, token)).toBe(pushKey);
    expect(existsSync(join(filesDir, 'push-keys.json'))).toBe(false);
    const busy = await move(join(tempFolder(), 'data'), ['--dari', database], { FILES_DIR: filesDir });
    expect([busy.code, busy.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^--dari: server PBB Kita masih tersambung ke \S+; yang diterima: semua server dihentikan dulu\n$/,
      ),
    ]);
    await stop(there);

    const back = join(tempFolder(), 'data');
    expect((await move(back, ['--dari', database], { FILES_DIR: filesDir })).code).toBe(0);
    expect(readdirSync(join(back, 'proofs'))).toEqual([proof]);
    expect(await refusalOf(start(folder.dataDir, settings))).toMatch(
      new RegExp(`^Kantor ini sudah dipindahkan ke folder pada ${TODAY}\\.\\n$`, 'u'),
    );
    expect(readFileSync(join(back, 'push-keys.json'), 'utf8')).toBe(
      readFileSync(join(folder.dataDir, 'push-keys.json'), 'utf8'),
    );
    for (const [name, text] of Object.entries(acme)) {
      const file = join(acmeFolder(back), name);
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o077]).toEqual([text, 0]);
    }
    const again = start(back, { JWT_SECRET: secret });
    const { url: backUrl } = await again.ready();
    expect(await readNames(backUrl, token)).toEqual([200, ['Budi']]);
    expect(await readPushKey(backUrl, token)).toBe(pushKey);
    await stop(again);

    const accepted = await runProgram(['accept', '--ya', '--data', folder.dataDir]);
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('Diterima. Jalankan server.')]);
    const old = start(folder.dataDir);
    await old.ready();
    await stop(old);
  });
});

/** A folder with enough rows for a move that lasts a moment. */
function buildLargeFolder(): TestDataFolder {
  const folder = buildDataFolder();
  folder.database.sqlite
    .exec(`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 60000)
    insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
    select number, 'record.created', 'a', 'Budi', 0, 'b', 'x', '[]' from numbers`);
  folder.close();
  return folder;
}

/** Kills the command at the first line that matches. */
async function killAt(args: string[], line: RegExp): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM_FILE, 'pindah', ...args], {
    env: COMPILE_CACHE,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (line.test(output)) child.kill('SIGKILL');
  });
  const signal = await new Promise((resolve) => child.once('close', (_code, ended) => resolve(ended)));
  expect([signal, output]).toEqual(['SIGKILL', expect.stringMatching(line)]);
}

/** PostgreSQL notices the end of a killed connection within a moment. */
const untilAlone = (name: string): Promise<void> =>
  expect
    .poll(
      () =>
        runSync(
          'postgres',
          `select count(*) as others from pg_stat_activity where datname = '${name}' and application_name like 'pbb-kita%'`,
        ).rows,
    )
    .toEqual([{ others: 0 }]);

it('leaves both sides usable when it is killed, and can be repeated', async () => {
  const { dataDir, databaseFile } = buildLargeFolder();
  const before = readAll(databaseFile);
  const { name, url } = makeDatabase();
  await killAt(['--ke', url, '--data', dataDir], /audit_entries: /);
  await untilAlone(name);
  expect(
    runSync(name, 'select (select count(*) from users) as users, (select count(*) from audit_entries) as entries').rows,
  ).toEqual([{ users: 0, entries: 0 }]);
  expect(existsSync(join(dataDir, 'dipindahkan.json'))).toBe(false);
  expect(await startLine(join(tempFolder(), 'data'), { DATABASE_URL: url, JWT_SECRET: SECRET })).toMatch(
    /^DATABASE_URL: pemindahan kantor ke database itu pada .* tidak selesai; /,
  );
  expect(readAll(databaseFile)).toEqual(before);
  await requireDone(move(dataDir, ['--ke', url]));

  const back = join(tempFolder(), 'data');
  await killAt(['--dari', url, '--data', back], /audit_entries: /);
  await untilAlone(name);
  expect(existsSync(join(back, 'pbb.sqlite'))).toBe(false);
  expect(runSync(name, "select to_regclass('pbb_moved') as mark").rows).toEqual([{ mark: null }]);
  await requireDone(move(back, ['--dari', url]));
  expect(readdirSync(back).filter((file) => file.startsWith('pbb.sqlite'))).toEqual(['pbb.sqlite']);
  expect(readAll(join(back, 'pbb.sqlite'))['audit_entries']).toEqual(before['audit_entries']);
});

const KILL_IN_MOVE = new URL('../../testing/program/kill-in-move.ts', import.meta.url).href;

/** Moves, and is killed before a call near the end. */
async function moveUntil(point: string, dataDir: string, args: string[]): Promise<void> {
  const given = new URLSearchParams({ folder: dataDir, point });
  const env = { NODE_OPTIONS: `--import=${KILL_IN_MOVE}?${given.toString()}` };
  expect((await move(dataDir, [...args, '--tanpa-berkas'], env)).code).toBe('SIGKILL');
}

/** @returns the line of a refused start; null when the server runs */
async function startLine(dataDir: string, settings: Record<string, string> = {}): Promise<string | null> {
  const server = start(dataDir, settings);
  const url = await server.ready().catch(() => null);
  if (url === null) return server.output.stderr;
  await stop(server);
  return null;
}

const countUsers = (name: string): unknown => runSync(name, 'select count(*) as users from users').rows;

describe('a move that is killed near its end', () => {
  it.each([
    ['before its commit', 'commit', 0],
    ['after its commit', 'rename dipindahkan.json', 1],
  ])('to PostgreSQL, %s, leaves a folder that says what to do', async (_when, point, users) => {
    const folder = buildDataFolder();
    folder.close();
    const { name, url } = makeDatabase();
    await moveUntil(point, folder.dataDir, ['--ke', url]);
    await untilAlone(name);
    expect(countUsers(name)).toEqual([{ users }]);
    const { stdout: examined } = await runProgram(['doctor', '--data', folder.dataDir]);
    expect(examined).toMatch(/^PERIKSA Pemindahan .*selesai\. Yang diterima server: bila .* lagi\.$/m);
    expect(await startLine(folder.dataDir)).toMatch(
      /^Pemindahan kantor ini ke PostgreSQL pada .* terputus menjelang selesai; yang diterima: bila isinya sudah ada di PostgreSQL, server dengan DATABASE_URL; bila belum, perintah "accept", lalu "pindah --ke" lagi\n$/,
    );
    const there = await startLine(folder.dataDir, { DATABASE_URL: url, JWT_SECRET: SECRET });
    if (users === 1) {
      expect(there).toBeNull();
      return;
    }
    // A server would begin a new office in it.
    const unarrived =
      /: pemindahan kantor ke database itu pada .* tidak selesai; yang diterima: "pindah --ke" sekali lagi, atau database kosong\n$/;
    expect(there).toMatch(unarrived);
    expect((await move(join(tempFolder(), 'data'), ['--dari', url])).stderr).toMatch(unarrived);
    expect((await runProgram(['accept', '--ya', '--data', folder.dataDir])).code).toBe(0);
    await requireDone(move(folder.dataDir, ['--ke', url, '--tanpa-berkas']));
    expect(countUsers(name)).toEqual([{ users: 1 }]);
  });

  it.each([
    ['before the folder has its database', 'rename pbb.sqlite', false],
    ['before its commit', 'commit', false],
    ['after its commit', 'remove dipindahkan.json', true],
  ])('from PostgreSQL, %s, leaves one usable side or says what to do', async (_when, point, isCommitted) => {
    const folder = buildDataFolder();
    folder.close();
    const { name, url } = makeDatabase();
    await requireDone(move(folder.dataDir, ['--ke', url, '--tanpa-berkas']));
    const back = join(tempFolder(), 'data');
    await moveUntil(point, back, ['--dari', url]);
    await untilAlone(name);
    expect(await startLine(back)).toMatch(
      /^Pemindahan kantor ini dari PostgreSQL ke folder ini pada .* terputus menjelang selesai; yang diterima: bila database itu tertulis sudah dipindahkan ke folder, perintah "accept"; bila belum, server dengan DATABASE_URL, /,
    );
    const there = await startLine(folder.dataDir, { DATABASE_URL: url, JWT_SECRET: SECRET });
    if (!isCommitted) {
      expect(there).toBeNull();
      await requireDone(move(join(tempFolder(), 'data'), ['--dari', url, '--tanpa-berkas']));
      return;
    }
    expect(there).toMatch(/^Kantor ini sudah dipindahkan ke folder pada /);
    expect((await runProgram(['accept', '--ya', '--data', back])).code).toBe(0);
    expect(await startLine(back)).toBeNull();
  });
});

describe('a move that is not safe', () => {
  async function refusal(dataDir: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    const { code, stdout, stderr } = await move(dataDir, args, env);
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  }

  it('refuses an address that is none in one line without the password, and makes nothing', async () => {
    const dataDir = join(tempFolder(), 'data');
    const lines = await Promise.all(
      ['postgres://x:rahasia@@', 'mysql://x:rahasia@y/z', 'rahasia'].flatMap((url) =>
        ['--ke', '--dari'].map((option) => refusal(dataDir, [option, url])),
      ),
    );
    for (const line of lines)
      expect(line).toMatch(
        /^--(ke|dari): alamat itu tidak dapat dipakai; yang diterima: postgres:\/\/nama:sandi@komputer:5432\/database\n$/,
      );
    const unreachable = await refusal(dataDir, ['--dari', 'postgres://x:rahasia@127.0.0.1:1/y']);
    expect(unreachable).toMatch(/^--dari: 127\.0\.0\.1:1\/y tidak dapat dihubungi; yang diterima: .*\n$/);
    expect(unreachable).not.toContain('rahasia');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('refuses a running server, another version, and sides that are not empty', async () => {
    const folder = buildDataFolder();
    folder.close();
    const { dataDir, databaseFile } = folder;
    const { name, url } = makeDatabase();
    const server = start(dataDir);
    await server.ready();
    expect(await refusal(dataDir, ['--ke', url])).toMatch(
      /^Server masih berjalan dengan folder data ".*"\. Hentikan server dulu, lalu ulangi\.\n$/,
    );
    await stop(server);

    const change = (text: string): void => {
      const sqlite = new Database(databaseFile);
      sqlite.exec(text);
      sqlite.close();
    };
    const newest = 'select max(created_at) from __drizzle_migrations';
    change(`update __drizzle_migrations set created_at = created_at + 1 where created_at = (${newest})`);
    expect(await refusal(dataDir, ['--ke', url])).toMatch(/^Folder data ini dari program yang lebih baru\./);
    change(`update __drizzle_migrations set created_at = created_at - 2 where created_at = (${newest})`);
    expect(await refusal(dataDir, ['--ke', url])).toMatch(
      /^Folder data ini dari program yang lebih lama\. Jalankan server sekali/,
    );
    change(`update __drizzle_migrations set created_at = created_at + 1 where created_at = (${newest})`);
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([]);
    expect(await refusal(join(tempFolder(), 'data'), ['--dari', url])).toMatch(/^--dari: di \S+ tidak ada kantor; /);

    await requireDone(move(dataDir, ['--ke', url]));
    const other = buildDataFolder();
    other.close();
    expect(await refusal(other.dataDir, ['--ke', url])).toMatch(
      /^--ke: di \S+ sudah ada data kantor; yang diterima: database kosong\n$/,
    );
    for (const filled of [dataDir, other.dataDir])
      expect(await refusal(filled, ['--dari', url])).toMatch(
        /^DATA_DIR: di folder ".*" sudah ada database; yang diterima: folder data yang kosong/,
      );
    runSync(name, 'update __drizzle_migrations set created_at = created_at - 1');
    expect(await refusal(join(tempFolder(), 'data'), ['--dari', url])).toMatch(
      /dari program yang lebih lama; yang diterima: server dijalankan sekali/,
    );
  });

  it('refuses a database in another encoding before the backup', async () => {
    const folder = buildDataFolder();
    folder.close();
    const { url } = makeDatabase("encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
    expect(await refusal(folder.dataDir, ['--ke', url])).toMatch(
      /^--ke: database \S+ memakai encoding LATIN1; yang diterima: database baru dengan UTF8, dari createdb .*\n$/,
    );
    expect(readdirSync(join(folder.dataDir, 'backups'))).toEqual([]);
  });

  it('names the place of a fraction among whole numbers, and moves nothing', async () => {
    const folder = buildDataFolder();
    fillEveryTable(folder.database);
    folder.close();
    const { dataDir, databaseFile } = folder;
    const setTime = (value: number): void => {
      const sqlite = new Database(databaseFile);
      sqlite.prepare('update quick_replies set updated_at = ? where rowid = 2').run(value);
      sqlite.close();
    };
    const { url } = makeDatabase();
    setTime(1.5);
    const { code, stderr } = await move(dataDir, ['--ke', url, '--tanpa-berkas']);
    expect([code, stderr]).toEqual([
      1,
      'Kolom updated_at di tabel quick_replies, baris 2, bukan bilangan bulat, sehingga tidak dapat disalin. Tidak ada yang dipindahkan.\n',
    ]);
    setTime(1);
    await requireDone(move(dataDir, ['--ke', url, '--tanpa-berkas']));
  });

  it('starts an office on PostgreSQL beside a database in the folder only after a move', async () => {
    const folder = buildDataFolder();
    folder.close();
    const { url } = makeDatabase();
    const refused = start(folder.dataDir, { DATABASE_URL: url, JWT_SECRET: SECRET });
    expect(await refusalOf(refused)).toMatch(/ada database kantor ini; yang diterima: .*"pindah --ke"/);
  });
});
