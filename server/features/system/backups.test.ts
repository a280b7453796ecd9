import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import type { BackupsData, SystemInfo } from '#shared/api/system.ts';
import { verifyArchive } from '#server/operations/backups/archive/create-archive.ts';
import type { BackupOutcome } from '#server/operations/backups/backup-job.ts';
import { createThrottle } from '#server/operations/backups/throttle.ts';
import { startInProcess, type StartBackup } from '#server/operations/backups/worker.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { readDiskSpace } from '#server/files/disk-space.ts';
import {
  buildAdmin,
  buildTestUser,
  buildSession,
  cheapHash,
  ownPassword,
  type SignedInUser,
  buildRecord,
} from '#server/testing/factories.ts';
import { changeUser, removeUser } from '#server/testing/rows.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type Answer, type TestApp } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { APP_VERSION } from '#server/process/version.ts';

const PASSWORD = 'kata-sandi-ibu';
const own = { current_password: PASSWORD };
const NAME = 'pbb-kita-20260610-120000-manual';
const MISSING = { success: false, message: 'Halaman tidak ditemukan' };

/** The real app with a database file, as on a server. */
async function buildAppOnDisk(start: StartBackup = startInProcess, secondDir: string | null = null) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-system-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const places = dataPathsIn(dataDir);
  for (const folder of [places.proofsDir, places.backupsDir]) mkdirSync(folder);
  const settings = { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir, runningCopy: false };
  const test = await buildTestApp({
    database: openTestDatabase(places.databaseFile),
    proofsDir: places.proofsDir,
    readDiskSpace: () => readDiskSpace(dataDir),
    backups: { paths: { ...places, dataDir }, settings, start },
    network: () => ({
      addresses: ['http://192.168.1.10:3000'],
      secureAddresses: ['https://192.168.1.10:3443'],
      hasLocalAuthority: true,
    }),
  });
  const admin = buildAdmin(test, { passwordHash: cheapHash(PASSWORD) });
  return { ...test, ...places, admin };
}

const dataOf = ({ body }: Answer) => body.data;
const requestLink = (
  test: TestApp,
  { token }: Pick<SignedInUser, 'token'>,
  password: unknown = PASSWORD,
  name = NAME,
) => test.call('POST', `/api/admin/backups/${name}/download`, { token, body: { password } });

async function makeBackup(test: Awaited<ReturnType<typeof buildAppOnDisk>>): Promise<void> {
  expect((await test.call('POST', '/api/admin/backups', { token: test.admin.token })).status).toBe(200);
  await test.backups.waitUntilIdle();
}
async function createLink(test: Awaited<ReturnType<typeof buildAppOnDisk>>, session = test.admin): Promise<string> {
  const answer = await requestLink(test, session);
  expect(answer).toMatchObject({ status: 200, body: { message: 'Tautan unduhan siap' } });
  const { url }: { url: string } = dataOf(answer);
  return url;
}

describe('the access to system page and backups', () => {
  it.each([
    ['GET', '/api/admin/system'],
    ['GET', '/api/admin/backups'],
    ['POST', '/api/admin/backups'],
    ['POST', `/api/admin/backups/${NAME}/download`],
  ])('%s %s answers 401 without a session and 403 to a user, before any look-up', async (method, url) => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test);
    const body = method === 'POST' ? { password: 1 } : undefined;
    expect((await test.call(method, url, { body })).status).toBe(401);
    expect(await test.call(method, url, { token, body })).toMatchObject({
      status: 403,
      body: { success: false, message: 'Anda tidak memiliki akses' },
    });
  });
});

describe('GET /api/admin/system', () => {
  it('answers version, sizes, disk space and last backup', async () => {
    const test = await buildAppOnDisk();
    writeFileSync(join(test.proofsDir, 'a.jpg'), 'x'.repeat(1000));
    writeFileSync(join(test.proofsDir, 'b.jpg'), 'x'.repeat(234));
    const info: SystemInfo = dataOf(await test.call('GET', '/api/admin/system', { token: test.admin.token }));
    expect(info).toMatchObject({
      version: `v${APP_VERSION}`,
      started_at: '2026-06-10T05:00:00.000Z',
      proofs: { count: 2, size_bytes: 1234 },
      connected: { residents: 0, administrators: 0, sockets: 0 },
      addresses: ['http://192.168.1.10:3000'],
      secure_addresses: ['https://192.168.1.10:3443'],
      has_local_authority: true,
      backup: { every_hours: 2, last: null, failure: null, running: null, second_folder: null, total_bytes: 0 },
    });
    expect(info.database.size_bytes).toBeGreaterThan(50_000);
    expect(info.disk?.total_bytes).toBeGreaterThan(info.disk?.free_bytes ?? 0);
    // Measured at most once a minute.
    writeFileSync(join(test.proofsDir, 'c.jpg'), 'x');
    const again = async (): Promise<SystemInfo> =>
      dataOf(await test.call('GET', '/api/admin/system', { token: test.admin.token }));
    expect((await again()).proofs.count).toBe(2);
    test.clock.advance(60_000);
    expect((await again()).proofs.count).toBe(3);
  });
});

it('GET /api/admin/system names the server of PostgreSQL that takes writes, and none for a file', async () => {
  const test = await buildTestApp();
  const info: SystemInfo = dataOf(await test.call('GET', '/api/admin/system', { token: buildAdmin(test).token }));
  expect(info.database.primary).toBe(testServer === '' ? undefined : new URL(testServer).host);
});

describe('the number of connected accounts', () => {
  it('counts accounts, not tabs', async () => {
    const test = await buildAppOnDisk();
    const budi = buildTestUser(test);
    for (const user of [budi, budi, buildTestUser(test), test.admin]) await openTab(test, user);
    const info: SystemInfo = dataOf(await test.call('GET', '/api/admin/system', { token: test.admin.token }));
    expect(info.connected).toEqual({ residents: 2, administrators: 1, sockets: 4 });
  });
});

describe('backups', () => {
  it('appear on request and in a list, newest first', async () => {
    const test = await buildAppOnDisk();
    const { token } = test.admin;
    await makeBackup(test);
    test.clock.advance(3_600_000);
    await makeBackup(test);
    const answer = await test.call('GET', '/api/admin/backups', { token });
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Daftar cadangan' } });
    const { status, backups }: BackupsData = dataOf(answer);
    const [newest, first] = backups;
    expect([newest?.name, first]).toEqual([
      'pbb-kita-20260610-130000-manual',
      { name: NAME, kind: 'manual', created_at: '2026-06-10T05:00:00.000Z', size_bytes: expect.any(Number) },
    ]);
    expect(status).toEqual({
      now: '2026-06-10T06:00:00.000Z',
      engine: 'sqlite',
      every_hours: 2,
      next_at: '2026-06-10T08:00:00.000Z',
      last: newest,
      last_age_ms: 0,
      failure: null,
      running: null,
      second_folder: null,
      running_copy: null,
      total_bytes: (newest?.size_bytes ?? 0) + (first?.size_bytes ?? 0),
    });
  });

  it('with a time in the future are listed, but do not count as the last backup', async () => {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    writeFileSync(join(test.backupsDir, 'pbb-kita-20260611-120000.tar'), 'x');
    const { status, backups }: BackupsData = dataOf(
      await test.call('GET', '/api/admin/backups', { token: test.admin.token }),
    );
    expect(backups.map(({ name }) => name)).toEqual(['pbb-kita-20260611-120000.tar', NAME]);
    expect(status.last?.name).toBe(NAME);
  });

  it('run one at a time and show their progress', async () => {
    const finished = Promise.withResolvers<BackupOutcome>();
    const test = await buildAppOnDisk((_job, onPercent) => {
      setImmediate(() => onPercent(42));
      return { outcome: finished.promise, stop: async () => finished.resolve({ result: 'busy' }) };
    });
    const { token } = test.admin;
    const first = await test.call('POST', '/api/admin/backups', { token });
    expect(first).toMatchObject({ status: 200, body: { message: 'Pencadangan dimulai' } });
    const started: BackupsData = dataOf(first);
    expect(started.status.running?.started_at).toBe('2026-06-10T05:00:00.000Z');
    expect(await test.call('POST', '/api/admin/backups', { token })).toMatchObject({
      status: 409,
      body: { success: false, message: 'Pencadangan sedang berjalan' },
    });
    const { status }: BackupsData = dataOf(await test.call('GET', '/api/admin/backups', { token }));
    expect(status.running).toEqual({ started_at: '2026-06-10T05:00:00.000Z', percent: 42 });
  });

  it('that fail show a message, also for the second folder', async () => {
    const test = await buildAppOnDisk(startInProcess, '/nowhere/usb');
    test.expectErrorLog(/Database rusak/);
    test.expectErrorLog(/Folder \\"\/nowhere\/usb\\" tidak ada/);
    await makeBackup(test);
    test.clock.advance(1000);
    test.database.sqlite.pragma('foreign_keys = OFF');
    test.database.sqlite.exec("insert into sessions values ('x', 'nobody', 1, 1, 1, null, null, 'password')");
    await makeBackup(test);
    const { status }: BackupsData = dataOf(await test.call('GET', '/api/admin/backups', { token: test.admin.token }));
    expect(status.failure).toEqual({
      at: '2026-06-10T05:00:01.000Z',
      message: expect.stringMatching(/^Database rusak .*\. Hentikan server, lalu pulihkan cadangan terakhir/),
    });
    expect(status.second_folder).toEqual({
      path: '/nowhere/usb',
      last_at: null,
      failure: expect.stringMatching(/^Folder "\/nowhere\/usb" tidak ada\. Pasang disk USB/),
    });
  });
});

describe('the link for a download', () => {
  it('needs the own password, with the limit of the login', async () => {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    const wrong = { success: false, message: 'Password salah', errors: { password: ['Password salah'] } };
    expect(await requestLink(test, test.admin, 'salah')).toMatchObject({ status: 422, body: wrong });
    for (const given of ['', undefined, 7]) {
      const empty = await test.call('POST', `/api/admin/backups/${NAME}/download`, {
        token: test.admin.token,
        body: { password: given },
      });
      expect(empty).toMatchObject({ status: 422, body: { errors: { password: ['Password wajib diisi'] } } });
    }
    for (let count = 0; count < 9; count += 1) expect((await requestLink(test, test.admin, 'salah')).status).toBe(422);
    const blocked = await requestLink(test, test.admin);
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([429, '900']);
    test.clock.advance(15 * 60_000);
    expect((await requestLink(test, test.admin)).status).toBe(200);
  });

  it('shares one count of wrong passwords with the login and the change of the own password', async () => {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    const { email, token } = test.admin;
    const attempts = {
      login: (password: string) => test.call('POST', '/api/auth/login', { body: { email, password } }),
      change: (current_password: string) =>
        test.call('PUT', '/api/auth/password', {
          token,
          body: { current_password, password: 'rahasia-2', password_confirmation: 'rahasia-2' },
        }),
      download: (password: string) => requestLink(test, test.admin, password),
    };
    const fail = async (attempt: keyof typeof attempts, times: number, status: number): Promise<void> => {
      for (let round = 0; round < times; round += 1) expect((await attempts[attempt]('salah')).status).toBe(status);
    };
    await fail('login', 4, 401);
    await fail('change', 3, 422);
    await fail('download', 3, 422);
    for (const password of ['salah', PASSWORD]) {
      for (const attempt of Object.values(attempts)) expect((await attempt(password)).status).toBe(429);
    }
  });

  it.each(['pbb-kita-20200101-000000.tar', 'status.json', '..%2F..%2Fsecret', '..%2Fpbb.sqlite', 'x'.repeat(100)])(
    'does not exist for %s',
    async (name) => {
      const test = await buildAppOnDisk();
      await makeBackup(test);
      expect(await requestLink(test, test.admin, PASSWORD, name)).toMatchObject({
        status: 404,
        body: { success: false, message: 'Cadangan tidak ditemukan' },
      });
    },
  );

  it('answers the whole archive as one file without a header, and no cache may keep it', async () => {
    const test = await buildAppOnDisk();
    for (const name of ['a.png', 'b.png']) writeFileSync(join(test.proofsDir, name), name.repeat(50_000));
    const addFile = test.database.sqlite.prepare(
      `insert into attachments (id, uploader_id, from_admin, name, file, thumb_file, type, bytes, created_at)
       values ('x', ?, 1, 'struk', 'a.png', 'b.png', 'image/png', 1, 1)`,
    );
    addFile.run(test.admin.id);
    await makeBackup(test);
    const answer = await test.call('GET', await createLink(test));
    expect(answer.status).toBe(200);
    const file = join(test.backupsDir, '../unduhan.tar');
    writeFileSync(file, answer.raw);
    const { entries } = await verifyArchive(file, createThrottle(false));
    expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['proofs/a.png', 'proofs/b.png']));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="${NAME}.tar"`,
      'content-length': String(answer.raw.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('answers an archive of an earlier version as it is', async () => {
    const test = await buildAppOnDisk();
    const old = 'pbb-kita-20260610-110000.tar';
    writeFileSync(join(test.backupsDir, old), 'arsip lama');
    const answer = await requestLink(test, test.admin, PASSWORD, old);
    const { url }: { url: string } = dataOf(answer);
    const download = await test.call('GET', url);
    expect([download.status, download.raw.toString()]).toEqual([200, 'arsip lama']);
    expect(download.headers['content-disposition']).toBe(`attachment; filename="${old}"`);
  });

  it('makes an audit entry when it is used; so does the start of a backup', async () => {
    const test = await buildAppOnDisk();
    const { id, token } = test.admin;
    const entries = async (): Promise<AuditEntry[]> =>
      dataOf(await test.call('GET', '/api/admin/audit', { token }))['data'];
    await makeBackup(test);
    const url = await createLink(test);
    expect((await entries()).map(({ action }) => action)).toEqual(['backup.started']);
    await test.call('GET', url);
    await test.call('GET', `${url}x`);
    expect(await entries()).toMatchObject([
      { action: 'backup.downloaded', actor: { id }, subject: { id: NAME, label: NAME }, changes: [] },
      { action: 'backup.started', actor: { id }, subject: { label: 'semua data' }, changes: [] },
    ]);
  });

  it('works when no audit entry can be stored', async () => {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    const url = await createLink(test);
    test.expectErrorLog(/what was done was not written down/);
    test.database.sqlite.exec(
      "create trigger full before insert on audit_entries begin select raise(abort, 'full'); end",
    );
    expect((await test.call('GET', url)).status).toBe(200);
  });

  it('works for ten minutes', async () => {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    const url = await createLink(test);
    test.clock.advance(10 * 60_000 - 1);
    expect((await test.call('GET', url)).status).toBe(200);
    test.clock.advance(1);
    expect(await test.call('GET', url)).toMatchObject({ status: 404, body: MISSING });
  });

  it('stops working with its session, the role of the admin or the account', async () => {
    const endings: ((test: TestApp, admin: SignedInUser) => unknown)[] = [
      (test, { token }) => test.call('POST', '/api/auth/logout', { token }),
      (test, { id }) => changeUser(test, id, { isAdmin: false }),
      (test, { id }) => changeUser(test, id, { isActive: false }),
      (test, { id }) => removeUser(test, id),
    ];
    for (const endAccess of endings) {
      const test = await buildAppOnDisk();
      await makeBackup(test);
      const other = buildSession(test, test.admin.id);
      const url = await createLink(test);
      await endAccess(test, test.admin);
      expect(await test.call('GET', url)).toMatchObject({ status: 404, body: MISSING });
      // A header of another session does not open it.
      expect((await test.call('GET', url, { token: other.token })).status).toBe(404);
    }
  });

  it('cannot be forged or changed', async () => {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    const url = await createLink(test);
    const ticket = url.slice(url.lastIndexOf('/') + 1);
    const [content = '', signature = ''] = ticket.split('.');
    const text = Buffer.from(content, 'base64url').toString();
    const forged = [
      `${Buffer.from(text.replace('12', '13')).toString('base64url')}.${signature}`,
      `${Buffer.from(text.replace(/\d+$/, '9999999999999')).toString('base64url')}.${signature}`,
      `${content}.${signature.slice(0, -2)}`,
      `${content}.`,
      content,
      '.',
      'x'.repeat(200),
      '%00',
    ];
    for (const given of forged) {
      expect((await test.call('GET', `/api/admin/backup-files/${given}`)).status, given).toBe(404);
    }
    // Signed with the same secret, but for another purpose.
    const { token } = test.admin;
    expect((await test.call('GET', `/api/admin/backup-files/${token.slice(0, 200)}`)).status).toBe(404);
    rmSync(join(test.backupsDir, NAME), { recursive: true });
    expect((await test.call('GET', url)).status).toBe(404);
  });

  it('allows an aborted download to be repeated', async () => {
    const test = await buildAppOnDisk();
    writeFileSync(join(test.proofsDir, 'besar.png'), Buffer.alloc(30_000_000, 7));
    buildRecord(test, test.admin.id, { proofFile: 'besar.png' });
    await makeBackup(test);
    const address = await test.server.listen({ port: 0, host: '127.0.0.1' });
    const url = `${address}${await createLink(test)}`;
    const brokenOff = new Promise<void>((resolve, reject) => {
      const sent = request(url, (answer) => {
        answer.once('data', () => answer.destroy());
        answer.once('close', resolve);
      });
      sent.once('error', reject);
      sent.end();
    });
    await withTimeout('the download to be broken off', brokenOff);
    // No keep-alive: an open connection would delay the end of the server.
    const whole = new Promise<{ length: number; announced: number }>((resolve, reject) => {
      const sent = request(url, { agent: false, headers: { connection: 'close' } }, (answer) => {
        let length = 0;
        answer.on('data', (chunk: Buffer) => {
          length += chunk.length;
        });
        answer.once('end', () => resolve({ length, announced: Number(answer.headers['content-length']) }));
      });
      sent.once('error', reject);
      sent.end();
    });
    const { length, announced } = await withTimeout('the whole file', whole);
    expect(length).toBe(announced);
    expect(length).toBeGreaterThan(30_000_000);
  });
});

describe('the download by a new admin', () => {
  const HOUR = 3_600_000;
  const FROM_NOON = 'Cadangan baru dapat Anda unduh mulai 11 Juni 2026 pukul 12.00';

  async function buildAdmins() {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    const passwordHash = cheapHash(PASSWORD);
    const signIn = async (email: string): Promise<{ token: string }> => {
      const answer = await test.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
      return dataOf(answer);
    };
    const asAdmin = (method: string, url: string, body?: unknown) =>
      test.call(method, url, { token: test.admin.token, ...(body === undefined ? {} : { body }) });
    return { test, passwordHash, signIn, asAdmin };
  }
  type Admins = Awaited<ReturnType<typeof buildAdmins>>;

  it.each<[string, (admins: Admins) => Promise<string>]>([
    [
      'whom a stolen password has made',
      async ({ asAdmin }) => {
        const body = { name: 'Baru', email: 'baru@contoh.id', password: PASSWORD, is_admin: true, ...own };
        expect((await asAdmin('POST', '/api/admin/users', body)).status).toBe(201);
        return body.email;
      },
    ],
    [
      'whom it has promoted',
      async ({ test, passwordHash, asAdmin }) => {
        const old = buildTestUser(test, { passwordHash });
        expect((await asAdmin('PUT', `/api/admin/users/${old.id}`, { is_admin: true, ...own })).status).toBe(200);
        return old.email;
      },
    ],
    [
      'whom it has activated again',
      async ({ test, passwordHash, asAdmin }) => {
        const old = buildAdmin(test, { passwordHash, isActive: false });
        expect((await asAdmin('PUT', `/api/admin/users/${old.id}/toggle-status`, own)).status).toBe(200);
        return old.email;
      },
    ],
    [
      'to whom it has given a new password',
      async ({ test, asAdmin }) => {
        const old = buildAdmin(test);
        const answer = await asAdmin('PUT', `/api/admin/users/${old.id}/password`, { password: PASSWORD, ...own });
        expect(answer.status).toBe(200);
        return old.email;
      },
    ],
  ])('%s is refused for 24 hours, also after the other admins are gone', async (_what, prepare) => {
    const admins = await buildAdmins();
    const { test, signIn } = admins;
    const thief = await signIn(await prepare(admins));
    const refused = await requestLink(test, thief);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain(FROM_NOON);
    // The admin of before may.
    expect((await requestLink(test, test.admin)).status).toBe(200);
    const last = buildAdmin(test);
    const demotion = { is_admin: false, ...ownPassword };
    const demoted = await test.call('PUT', `/api/admin/users/${test.admin.id}`, { token: last.token, body: demotion });
    expect(demoted.status).toBe(200);
    removeUser(test, last.id);
    const refusedAlone = await requestLink(test, thief);
    expect(refusedAlone.status).toBe(403);
    // No other admin could.
    expect(refusedAlone.body.message).not.toContain('lain dapat mengunduhnya sekarang');
    test.clock.advance(24 * HOUR - 1);
    expect((await requestLink(test, thief)).status).toBe(403);
    test.clock.advance(1);
    expect((await requestLink(test, thief)).status).toBe(200);
  });

  it('succeeds at once for the only admin, whose password is new', async () => {
    const { test, asAdmin } = await buildAdmins();
    const body = { current_password: PASSWORD, password: PASSWORD, password_confirmation: PASSWORD };
    expect((await asAdmin('PUT', '/api/auth/password', body)).status).toBe(200);
    expect((await requestLink(test, test.admin)).status).toBe(200);
  });

  it('waits 24 hours at most although the clock was years ahead', async () => {
    const { test, passwordHash } = await buildAdmins();
    const late = buildAdmin(test, { passwordHash, adminSince: test.clock.now() + 9000 * HOUR });
    const refused = await requestLink(test, late);
    expect([refused.status, refused.body.message.includes(FROM_NOON)]).toEqual([403, true]);
    test.clock.advance(24 * HOUR);
    expect((await requestLink(test, late)).status).toBe(200);
  });
});

describe('a download', () => {
  it('becomes a notice to all other admins, at once and until each has seen it', async () => {
    const test = await buildAppOnDisk();
    await makeBackup(test);
    const [wati, budi] = [buildAdmin(test, { name: 'Wati' }), buildTestUser(test)];
    const [adminTab, userTab] = [await openTab(test, wati), await openTab(test, budi)];
    const noticesOf = async ({ token }: { token: string }): Promise<unknown> =>
      dataOf(await test.call('GET', '/api/admin/notices', { token }));
    await test.call('GET', await createLink(test));
    expect(await adminTab.next('notice:new')).toEqual({ actor_id: test.admin.id });
    await waitForPendingEvents(test, userTab);
    expect(userTab.payloadsOf('notice:new')).toEqual([]);
    const text = `${test.admin.name} mengunduh cadangan semua data: ${NAME}`;
    expect(await noticesOf(wati)).toMatchObject([{ kind: 'backup.downloaded', text }]);
    expect(await noticesOf(test.admin)).toEqual([]);
  });
});
