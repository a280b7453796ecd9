import { describe, expect, it } from 'vitest';
import type { OpenErasure, OwnErasure } from '#shared/api/erasures.ts';
import type { OwnNotice, SecurityEntry } from '#shared/api/security-log.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import {
  ADMIN_PASSWORD,
  buildAdmin,
  buildRecord,
  buildSession,
  buildTestUser,
  cheapHash,
  ownPassword,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { storedUsers } from '#server/testing/rows.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

/** Requests to delete the own account, and the decisions of the office (R-ACCESS-85 to R-ACCESS-88). */

const PASSWORD = 'rahasia-1';
const OWN = '/api/auth/erasure';
type Caller = { token: string };

async function buildOffice() {
  const test = await buildTestApp();
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi', email: 'dewi@kantor.id' })];
  const budi = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id', passwordHash: cheapHash(PASSWORD) });
  return { test, ratna, dewi, budi };
}
const ask = (test: TestApp, { token }: Caller, body: object = {}, password = PASSWORD) =>
  test.call('POST', OWN, { token, body: { current_password: password, ...body } });
const read = (test: TestApp, { token }: Caller) => test.call('GET', OWN, { token });
const withdraw = (test: TestApp, { token }: Caller) => test.call('DELETE', OWN, { token });
const listOf = async (test: TestApp, { token }: Caller) =>
  (await test.call('GET', '/api/admin/erasures?state=open', { token })).body.data as OpenErasure[];
const decide = (test: TestApp, { token }: Caller, id: string, body: object) =>
  test.call('POST', `/api/admin/users/${id}/erasure`, { token, body: { ...ownPassword, ...body } });
const versionOf = async (test: TestApp, caller: Caller) =>
  ((await read(test, caller)).body.data as OwnErasure).updated_at;
const hasAccount = (test: TestApp, { id }: { id: string }) => storedUsers(test).some((user) => user.id === id);
const logOf = async (test: TestApp, { token }: Caller) =>
  ((await test.call('GET', '/api/auth/security-log', { token })).body.data as SecurityEntry[]).map(
    ({ event, by_name, how }) => [event, by_name, how],
  );
const noticesOf = async (test: TestApp, { token }: Caller) =>
  (await test.call('GET', '/api/auth/notices', { token })).body.data as OwnNotice[];
const auditOf = async (test: TestApp, { token }: Caller) =>
  (
    (await test.call('GET', '/api/admin/audit?action=user.erasure', { token })).body.data as unknown as {
      data: object[];
    }
  ).data;

/** Budi has asked; a decision needs the version of the request. */
async function buildAskedOffice() {
  const office = await buildOffice();
  expect((await ask(office.test, office.budi, { reason: 'Saya pindah' })).status).toBe(201);
  const updatedAt = await versionOf(office.test, office.budi);
  const approve = (admin: Caller, body: object = {}) =>
    decide(office.test, admin, office.budi.id, { result: 'approved', updated_at: updatedAt, ...body });
  const reject = (admin: Caller, body: object = {}) =>
    decide(office.test, admin, office.budi.id, {
      result: 'rejected',
      reason: 'Masih ada tagihan',
      updated_at: updatedAt,
      ...body,
    });
  return { ...office, updatedAt, approve, reject };
}

describe('the own request to delete the account', () => {
  it('needs the own password, and not more than five wrong ones are looked at', async () => {
    const { test, budi, ratna } = await buildOffice();
    const other = buildSession(test, budi.id);
    expect(await read(test, budi)).toMatchObject({ status: 404 });
    expect(await withdraw(test, budi)).toMatchObject({ status: 404 });
    expect(await test.call('POST', OWN, { token: budi.token, body: {} })).toMatchObject({
      status: 422,
      body: { message: 'Masukkan password Anda' },
    });
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(await ask(test, wrong % 2 === 0 ? budi : other, {}, 'salah')).toMatchObject({
        status: 422,
        body: { message: 'Password salah' },
      });
    expect((await ask(test, other)).status).toBe(429);
    expect(await listOf(test, ratna)).toEqual([]);
    expect((await test.call('POST', OWN, { body: { current_password: PASSWORD } })).status).toBe(401);
  });

  it('stays open until its deadline by the clock of the computer, and cannot be made twice', async () => {
    const { test, budi } = await buildOffice();
    const dueAt = new Date(test.clock.now() + 72 * HOUR_MS).toISOString();
    const asked = await ask(test, budi, { reason: '  Saya pindah  ' });
    expect(asked).toMatchObject({
      status: 201,
      body: { data: { state: 'open', reason: 'Saya pindah', due_at: dueAt } },
    });
    expect(await ask(test, budi)).toMatchObject({ status: 409, body: { message: 'Permintaan Anda masih menunggu' } });
    expect(await read(test, budi)).toMatchObject({ status: 200, body: { data: asked.body.data } });
    expect((await ask(test, budi, { reason: 'x'.repeat(501) })).status).toBe(422);
  });

  it('gets the deadline that the server was given', async () => {
    const test = await buildTestApp({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true, erasureHours: 24 },
    });
    const budi = buildTestUser(test, { passwordHash: cheapHash(PASSWORD) });
    const terms = await test.call('GET', `${OWN}/terms`, { token: budi.token });
    expect(terms.body.data).toEqual({ deadline_hours: 24, archive_months: 12, has_asked: false });
    expect((await test.call('GET', `${OWN}/terms`)).status).toBe(401);
    const { body } = await ask(test, budi);
    expect(body.data).toMatchObject({ due_at: new Date(test.clock.now() + DAY_MS).toISOString() });
  });

  it('stands in the own log and above every page at each entry until it is withdrawn, also for a stranger who asked', async () => {
    const { test, budi } = await buildAskedOffice();
    const line = {
      kind: 'erasure.asked',
      text: 'Anda meminta akun dihapus, 10 Jun 2026 12.00. Kantor memutuskan paling lambat 13 Jun 2026 12.00. Bukan Anda yang meminta? Batalkan, lalu ganti password Anda.',
      actions: ['withdraw'],
    };
    const entered = buildSession(test, budi.id);
    expect(await noticesOf(test, entered)).toMatchObject([line]);
    const [shown] = await noticesOf(test, entered);
    const seen = await test.call('POST', `/api/auth/notices/${shown?.id}/seen`, { token: entered.token });
    expect(seen.status).toBe(404);
    expect(await withdraw(test, entered)).toMatchObject({ status: 200, body: { data: { state: 'withdrawn' } } });
    expect(await noticesOf(test, entered)).toEqual([]);
    expect(await logOf(test, budi)).toEqual([
      ['erasure.withdrawn', 'Budi', null],
      ['erasure.asked', 'Budi', 'password'],
    ]);
    expect((await withdraw(test, budi)).status).toBe(404);
    expect(await ask(test, budi)).toMatchObject({ status: 201, body: { data: { reason: null } } });
  });

  it('can be withdrawn when somebody used up the changes of the account', async () => {
    const { test, budi } = await buildAskedOffice();
    const rename = (name: string) => test.call('PUT', '/api/auth/user', { token: budi.token, body: { name } });
    let status = 200;
    for (let change = 0; status === 200; change += 1) status = (await rename(`Budi ${change}`)).status;
    expect(status).toBe(429);
    expect((await withdraw(test, budi)).status).toBe(200);
  });

  it('reaches the admins and its account, and no other user', async () => {
    const { test, ratna, budi } = await buildOffice();
    const siti = buildTestUser(test);
    const [admins, own, others] = await Promise.all([ratna, budi, siti].map((user) => openTab(test, user)));
    await ask(test, budi);
    expect(await admins?.next('erasure:changed')).toEqual({});
    expect(await own?.next('erasure:changed')).toEqual({});
    await withdraw(test, budi);
    await admins?.next('erasure:changed');
    if (others) await waitForPendingEvents(test, others);
    expect(others?.payloadsOf('erasure:changed')).toEqual([]);
  });

  it('stays open when the office deactivates the account, and a session ends', async () => {
    const { test, ratna, budi, approve } = await buildAskedOffice();
    await test.call('PUT', `/api/admin/users/${budi.id}/toggle-status`, { token: ratna.token });
    expect(await listOf(test, ratna)).toMatchObject([{ user: { id: budi.id, is_active: false } }]);
    expect((await withdraw(test, budi)).status).toBe(401);
    expect((await approve(ratna, { checked: 'counter' })).status).toBe(200);
    expect(hasAccount(test, budi)).toBe(false);
  });
});

describe('the list of the office', () => {
  it('shows each open request with its deadline and what the account has, the nearest deadline first', async () => {
    const { test, ratna, budi } = await buildAskedOffice();
    const siti = buildTestUser(test, { passwordHash: cheapHash(PASSWORD) });
    buildRecord(test, budi.id);
    buildRecord(test, budi.id, { status: 'lunas' });
    test.clock.advance(HOUR_MS);
    await ask(test, siti);
    await test.call('POST', '/api/tax-records/claims', { token: siti.token, body: { nop: '351518001200000010' } });
    const at = (ms: number) => new Date(ms).toISOString();
    const now = test.clock.now();
    expect(await listOf(test, ratna)).toMatchObject([
      {
        user: { id: budi.id, name: 'Budi', email: 'budi@contoh.id', has_email: true, is_admin: false, is_active: true },
        reason: 'Saya pindah',
        created_at: at(now - HOUR_MS),
        due_at: at(now + 71 * HOUR_MS),
        approvable_at: at(now + 23 * HOUR_MS),
        records: 2,
        unpaid: 1,
        open_claims: 0,
      },
      { user: { id: siti.id }, records: 0, unpaid: 0, open_claims: 1 },
    ]);
    expect((await test.call('GET', '/api/admin/erasures?state=lain', { token: ratna.token })).body.data).toEqual([]);
  });

  it('and the decisions are for admins alone', async () => {
    const { test, budi, ratna } = await buildAskedOffice();
    const siti = buildTestUser(test);
    const body = { result: 'approved', checked: 'counter', updated_at: await versionOf(test, budi) };
    for (const caller of [siti, budi]) {
      expect((await test.call('GET', '/api/admin/erasures', { token: caller.token })).status).toBe(403);
      expect((await decide(test, caller, budi.id, body)).status).toBe(403);
    }
    expect((await test.call('GET', '/api/admin/erasures')).status).toBe(401);
    expect(await decide(test, ratna, siti.id, body)).toMatchObject({ status: 404 });
    expect(await decide(test, ratna, 'tidak-ada', body)).toMatchObject({ status: 404 });
    expect(await read(test, siti)).toMatchObject({ status: 404 });
  });
});

describe('a rejection', () => {
  it('needs the own password and a reason, which the account reads in the chat, in the own log and at its request', async () => {
    const { test, ratna, budi, reject } = await buildAskedOffice();
    for (const reason of [undefined, '', 'ya', 'x'.repeat(501)])
      expect(await reject(ratna, { reason })).toMatchObject({
        status: 422,
        body: { message: 'Alasan harus 3 sampai 500 karakter' },
      });
    expect(await reject(ratna, { current_password: 'salah' })).toMatchObject({ status: 422 });
    expect(await reject(ratna, { current_password: undefined })).toMatchObject({
      status: 422,
      body: { message: 'Masukkan password Anda' },
    });
    const tab = await openTab(test, budi);
    expect(await reject(ratna)).toMatchObject({
      status: 200,
      body: { message: 'Permintaan ditolak', data: { state: 'rejected', reason: 'Masih ada tagihan' } },
    });
    expect(await tab.next('erasure:changed')).toEqual({});
    expect(await tab.next('message:new')).toMatchObject({
      content: 'Permintaan hapus akun Anda ditolak kantor: Masih ada tagihan',
    });
    expect((await read(test, budi)).body.data).toMatchObject({ state: 'rejected', reason: 'Masih ada tagihan' });
    expect(await noticesOf(test, budi)).toMatchObject([
      {
        text: 'Kantor menolak permintaan hapus akun Anda, 10 Jun 2026 12.00. Bukan Anda yang meminta? Hubungi kantor.',
        actions: [],
      },
    ]);
    expect((await logOf(test, budi))[0]).toEqual(['erasure.rejected', 'Petugas', null]);
    expect(await auditOf(test, ratna)).toMatchObject([
      {
        actor: { id: ratna.id },
        subject: { id: budi.id },
        changes: [
          { field: 'erasure', from: 'open', to: 'rejected' },
          { field: 'reason', from: null, to: 'Masih ada tagihan' },
        ],
      },
      { actor: { id: budi.id }, changes: [{ field: 'erasure', from: null, to: 'open' }] },
    ]);
    expect(await listOf(test, ratna)).toEqual([]);
    expect(hasAccount(test, budi)).toBe(true);
    expect((await ask(test, budi)).status).toBe(201);
  });

  it('of a request that its owner has withdrawn, or asked anew, changes nothing', async () => {
    const { test, ratna, budi, reject, approve } = await buildAskedOffice();
    await withdraw(test, budi);
    expect((await reject(ratna)).status).toBe(409);
    expect(await reject(ratna, { updated_at: await versionOf(test, budi) })).toMatchObject({ status: 404 });
    await ask(test, budi);
    expect((await reject(ratna)).status).toBe(409);
    expect((await approve(ratna, { checked: 'counter' })).status).toBe(409);
    expect((await reject(ratna, { updated_at: undefined })).status).toBe(422);
    expect((await read(test, budi)).body.data).toMatchObject({ state: 'open' });
  });
});

describe('an approval', () => {
  it('deletes the account and ends its sockets and sessions, after 24 hours of operating time', async () => {
    const { test, ratna, budi, approve } = await buildAskedOffice();
    buildRecord(test, budi.id);
    const early = {
      status: 409,
      body: { message: 'Baru dapat disetujui mulai 11 Juni 2026 pukul 12.00, kecuali diperiksa di loket.' },
    };
    expect(await approve(ratna)).toMatchObject(early);
    expect(await approve(ratna, { checked: 'phone' })).toMatchObject(early);
    expect((await approve(ratna, { checked: 'apa' })).status).toBe(422);
    test.clock.advance(DAY_MS);
    const admin = buildSession(test, ratna.id);
    const tab = await openTab(test, budi);
    expect(await approve(admin)).toMatchObject({
      status: 200,
      body: { message: 'Akun berhasil dihapus', data: { state: 'approved' } },
    });
    expect(await tab.ended()).toBe('io server disconnect');
    expect(hasAccount(test, budi)).toBe(false);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(401);
    const login = { email: 'budi@contoh.id', password: PASSWORD };
    expect((await test.call('POST', '/api/auth/login', { body: login })).status).toBe(401);
    const kept = ['erasure_requests', 'tax_records', 'security_log', 'sessions'].map((table) =>
      test.database.sqlite.prepare(`select count(*) from ${table} where user_id = ?`).pluck().get(budi.id),
    );
    expect(kept).toEqual([0, 0, 0, 0]);
    expect(await auditOf(test, admin)).toMatchObject([
      { subject: { label: 'Budi (budi@contoh.id)' }, changes: [{ field: 'erasure', from: 'open', to: 'approved' }] },
      {},
    ]);
  });

  it('comes at once for a person at the counter, with the own password of the admin', async () => {
    const { test, ratna, budi, approve } = await buildAskedOffice();
    const counter = { checked: 'counter' };
    expect(await approve(ratna, { ...counter, current_password: 'salah' })).toMatchObject({
      status: 422,
      body: { message: 'Password salah' },
    });
    expect(hasAccount(test, budi)).toBe(true);
    const tab = await openTab(test, ratna);
    expect((await approve(ratna, counter)).status).toBe(200);
    expect(await tab.next('erasure:changed')).toEqual({});
    expect(hasAccount(test, budi)).toBe(false);
  });

  it('and a rejection at once leave one of the two', async () => {
    const { test, ratna, dewi, budi, approve, reject } = await buildAskedOffice();
    const [approved, rejected] = await Promise.all([approve(ratna, { checked: 'counter' }), reject(dewi)]);
    expect([approved, rejected].filter(({ status }) => status === 200)).toHaveLength(1);
    expect([404, 409]).toContain([approved, rejected].find(({ status }) => status !== 200)?.status);
    expect(hasAccount(test, budi)).toBe(rejected.status === 200);
  });

  it('does not follow from a clock that is set', async () => {
    const { test, ratna, approve } = await buildAskedOffice();
    test.clock.jump(2 * DAY_MS);
    expect((await approve(ratna)).status).toBe(409);
  });
});

describe('the request of an admin', () => {
  const askAsAdmin = (test: TestApp, admin: SignedInUser) => ask(test, admin, {}, ADMIN_PASSWORD);
  const body = async (test: TestApp, admin: SignedInUser) => ({
    result: 'approved',
    checked: 'counter',
    updated_at: await versionOf(test, admin),
  });

  it('needs the decision of another, seasoned admin, and all others are told', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const wati = buildAdmin(test, { name: 'Wati', email: 'wati@kantor.id' });
    const young = buildAdmin(test, { name: 'Joko', email: 'joko@kantor.id', adminSince: test.clock.now() });
    expect((await askAsAdmin(test, dewi)).status).toBe(201);
    const decision = await body(test, dewi);
    expect(await decide(test, dewi, dewi.id, decision)).toMatchObject({
      status: 409,
      body: { message: 'Permintaan sendiri diputuskan administrator lain.' },
    });
    expect(await decide(test, young, dewi.id, decision)).toMatchObject({ status: 403 });
    expect((await decide(test, ratna, dewi.id, decision)).status).toBe(200);
    expect(hasAccount(test, dewi)).toBe(false);
    const lines = (await test.call('GET', '/api/admin/notices', { token: wati.token })).body.data as { text: string }[];
    expect(lines.map(({ text }) => text)).toEqual(['Ibu Ratna menghapus akun admin Dewi (dewi@kantor.id)']);
  });

  it('leads to no message in a conversation when the office rejects it', async () => {
    const { test, ratna, dewi } = await buildOffice();
    await askAsAdmin(test, dewi);
    const rejection = { ...(await body(test, dewi)), result: 'rejected', reason: 'Serahkan tugas dulu' };
    expect((await decide(test, ratna, dewi.id, rejection)).status).toBe(200);
    expect((await read(test, dewi)).body.data).toMatchObject({ state: 'rejected', reason: 'Serahkan tugas dulu' });
    expect(test.database.sqlite.prepare('select count(*) from messages').pluck().get()).toBe(0);
  });
});
