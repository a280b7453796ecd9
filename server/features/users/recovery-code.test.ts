import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { buildAdmin, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { askForCode, complete, makeCodeFor } from '#server/testing/recovery.ts';
import { changeUser, storedUsers } from '#server/testing/rows.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const OLD_CODE = { status: 422, body: { message: 'Kode tidak berlaku. Minta kode baru di kantor.' } };
const NOT_PROVEN = 'Nomor HP akun ini baru atau dipakai beberapa akun. Minta datang ke loket.';
const PHONE = '+6281234567890';

async function buildOffice() {
  const test = await buildTestApp();
  return { test, ratna: buildAdmin(test), dewi: buildAdmin(test, { name: 'Dewi' }), budi: buildTestUser(test) };
}
const auditOf = ({ database }: TestApp) =>
  database.sqlite.prepare('select action, changes, is_notice from audit_entries order by id').all();

describe('a code of the office', () => {
  it('a code of the office is shown once with its address and end, and the audit says how the person was checked', async () => {
    const { test, ratna, budi } = await buildOffice();
    const answer = await askForCode(test, ratna, budi.id, { note: 'KTP dilihat' });
    expect(answer).toMatchObject({ status: 201, body: { message: 'Kode masuk dibuat' } });
    const { code, url, expires_at } = answer.body.data as Record<string, string>;
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect([url, expires_at]).toEqual([`/pulih#${code}`, new Date(test.clock.now() + DAY_MS).toISOString()]);
    const changes = JSON.stringify([
      { field: 'checked', from: null, to: 'counter' },
      { field: 'recovery_note', from: null, to: 'KTP dilihat' },
    ]);
    expect(auditOf(test)).toEqual([{ action: 'user.recovery_code', changes, is_notice: 0 }]);
    const log = await test.call('GET', '/api/auth/notices', { token: budi.token });
    expect(log.body.data).toMatchObject([
      {
        text: 'Kantor membuat kode masuk untuk akun Anda, 10 Jun 2026 12.00 (diperiksa di loket). Bukan Anda yang meminta? Hubungi kantor.',
      },
    ]);
  });

  it('a code of the office is refused to others, for unknown, own, inactive and e-mail-less accounts, and without a way of checking', async () => {
    const { test, ratna, budi } = await buildOffice();
    const inactive = buildTestUser(test, { isActive: false });
    const withCard = buildTestUser(test, { email: 'w-12345678@tanpa-email.invalid' });
    expect(await askForCode(test, budi, ratna.id)).toMatchObject({ status: 403 });
    const refused = async (id: string, status: number, message: string, body = {}) =>
      expect(await askForCode(test, ratna, id, body)).toMatchObject({ status, body: { message } });
    await refused('x', 404, 'User tidak ditemukan');
    await refused(ratna.id, 409, 'Password Anda sendiri diganti di Akun Saya');
    await refused(inactive.id, 409, 'Akun ini tidak aktif. Aktifkan dulu.');
    await refused(withCard.id, 409, 'Akun ini memakai kartu. Buat kartu baru.');
    await refused(budi.id, 422, 'Pilih cara memeriksa orangnya', { checked: 'x' });
    expect(auditOf(test)).toEqual([]);
  });

  it.each<[string, (office: Awaited<ReturnType<typeof buildOffice>>) => unknown]>([
    ['a newer one', ({ test, ratna, budi }) => makeCodeFor(test, ratna, budi.id)],
    [
      'its withdrawal',
      ({ test, dewi, budi }) => test.call('DELETE', `/api/admin/users/${budi.id}/recovery-code`, { token: dewi.token }),
    ],
    [
      'a new password from the office',
      ({ test, dewi, budi }) =>
        test.call('PUT', `/api/admin/users/${budi.id}/password`, {
          token: dewi.token,
          body: { password: 'rahasia-lain' },
        }),
    ],
    [
      'deactivation, also when it is undone',
      async ({ test, dewi, budi }) => {
        for (let round = 0; round < 2; round += 1)
          await test.call('PUT', `/api/admin/users/${budi.id}/toggle-status`, { token: dewi.token, body: {} });
      },
    ],
    [
      'promotion',
      ({ test, dewi, budi }) =>
        test.call('PUT', `/api/admin/users/${budi.id}`, {
          token: dewi.token,
          body: { is_admin: true, ...ownPassword },
        }),
    ],
    [
      'the loss of the role of its maker',
      ({ test, ratna, dewi }) =>
        test.call('PUT', `/api/admin/users/${ratna.id}`, {
          token: dewi.token,
          body: { is_admin: false, ...ownPassword },
        }),
    ],
    [
      'the deletion of its maker',
      ({ test, ratna, dewi }) =>
        test.call('DELETE', `/api/admin/users/${ratna.id}`, { token: dewi.token, body: ownPassword }),
    ],
    ['24 hours of operating time', ({ test }) => test.clock.advance(DAY_MS)],
  ])('ends with %s', async (_what, end) => {
    const office = await buildOffice();
    const { test, ratna, budi } = office;
    const code = await makeCodeFor(test, ratna, budi.id);
    await end(office);
    expect(await complete(test, code)).toMatchObject(OLD_CODE);
  });

  it('lives for 24 hours of operating time, whatever the clock of the computer says', async () => {
    const { test, ratna, budi } = await buildOffice();
    const code = await makeCodeFor(test, ratna, budi.id);
    test.clock.advance(DAY_MS - 1);
    test.clock.jump(-400 * DAY_MS);
    expect((await complete(test, code)).status).toBe(200);
  });

  it('that is not there cannot be ended', async () => {
    const { test, ratna, budi } = await buildOffice();
    const path = `/api/admin/users/${budi.id}/recovery-code`;
    expect(await test.call('DELETE', path, { token: ratna.token })).toMatchObject({
      status: 404,
      body: { message: 'Tidak ada kode yang masih berlaku' },
    });
    await makeCodeFor(test, ratna, budi.id);
    expect((await test.call('DELETE', path, { token: ratna.token })).status).toBe(200);
    expect(auditOf(test)).toHaveLength(2);
  });

  it('a code of the office has a beginning of its own among the open ones, so that each try costs one hash', async () => {
    const { test, ratna } = await buildOffice();
    const codes: string[] = [];
    for (let round = 0; round < 12; round += 1) codes.push(await makeCodeFor(test, ratna, buildTestUser(test).id));
    expect(new Set(codes.map((code) => code.slice(0, 2))).size).toBe(12);
  });
});

describe('a check by phone', () => {
  const byPhone = { checked: 'phone' };
  async function buildOwner(overrides = {}) {
    const office = await buildOffice();
    const owner = buildTestUser(office.test, { phone: PHONE, phoneSince: 0, ...overrides });
    office.test.clock.advance(7 * DAY_MS);
    // The session of the admin ends after a week without use.
    return { ...office, ratna: buildAdmin(office.test), owner };
  }

  it('a check by phone is refused for a number that the account has had for less than 7 days, or has not', async () => {
    const { test, ratna, owner, budi } = await buildOwner({ phoneSince: 1 });
    const refusal = { status: 409, body: { message: NOT_PROVEN } };
    expect(await askForCode(test, ratna, owner.id, byPhone)).toMatchObject(refusal);
    expect(await askForCode(test, ratna, budi.id, byPhone)).toMatchObject(refusal);
    test.clock.advance(1);
    expect((await askForCode(test, ratna, owner.id, byPhone)).status).toBe(201);
  });

  it('a check by phone is refused for a number that another account has, or had within 7 days', async () => {
    const { test, ratna, owner } = await buildOwner();
    const other = buildTestUser(test, {
      phone: PHONE,
      phoneSince: test.context.operatingNow(),
      email: 'w-1@tanpa-email.invalid',
    });
    const refusal = { status: 409, body: { message: NOT_PROVEN } };
    expect(await askForCode(test, ratna, owner.id, byPhone)).toMatchObject(refusal);
    const body = { phone: null };
    const change = await test.call('PUT', `/api/admin/users/${other.id}`, { token: ratna.token, body });
    expect(change.status).toBe(200);
    test.clock.advance(7 * DAY_MS - 1);
    const later = buildAdmin(test);
    expect(await askForCode(test, later, owner.id, byPhone)).toMatchObject(refusal);
    test.clock.advance(1);
    expect((await askForCode(test, later, owner.id, byPhone)).status).toBe(201);
  });

  it('a check by phone is not opened by a clerk, who cannot give a number to an account with an e-mail address', async () => {
    const { test, ratna, budi } = await buildOffice();
    const body = { phone: '081299990000' };
    expect(await test.call('PUT', `/api/admin/users/${budi.id}`, { token: ratna.token, body })).toMatchObject({
      status: 409,
      body: { message: 'Nomor HP akun ini diatur pemiliknya sendiri' },
    });
  });
});

describe('the number of an account without an e-mail address', () => {
  it('the number of an account without an e-mail address is set by the office, in its own log, and its address stays when it is sent back', async () => {
    const { test, ratna } = await buildOffice();
    const email = 'w-12345678@tanpa-email.invalid';
    const owner = buildTestUser(test, { email });
    const put = (body: object) => test.call('PUT', `/api/admin/users/${owner.id}`, { token: ratna.token, body });
    expect(await put({ email, phone: '0812 3456 7890', phone_consent: true })).toMatchObject({
      status: 200,
      body: { data: { email, has_email: false, phone: PHONE, phone_consent: true } },
    });
    expect(await put({ email: 'w-99999999@tanpa-email.invalid' })).toMatchObject({
      status: 422,
      body: { message: 'Email harus valid' },
    });
    expect(await put({ is_admin: true, ...ownPassword })).toMatchObject({
      status: 409,
      body: { message: 'Isi email dulu.' },
    });
    expect(await put({ phone: '123' })).toMatchObject({ status: 422, body: { message: 'Nomor HP tidak valid' } });
    const log = await test.call('GET', '/api/auth/security-log', { token: owner.token });
    expect(log.body.data).toMatchObject([{ event: 'phone.changed', by_name: 'Petugas' }]);
    expect(JSON.stringify(auditOf(test))).not.toContain('3456');
  });
});

describe('the account of an admin', () => {
  it('needs the own password of another, seasoned admin, and all others are told', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const others = await openTab(test, buildAdmin(test));
    const make = (body: object) => askForCode(test, ratna, dewi.id, body);
    expect(await make({})).toMatchObject({ status: 422, body: { message: 'Masukkan password Anda' } });
    const wrong = { current_password: 'salah' };
    expect(await make(wrong)).toMatchObject({ status: 422, body: { message: 'Password salah' } });
    expect((await make(ownPassword)).status).toBe(201);
    await waitForPendingEvents(test, others);
    expect(others.payloadsOf('notice:new')).toEqual([{ actor_id: ratna.id }]);
    const notices = await test.call('GET', '/api/admin/notices', { token: dewi.token });
    expect(notices.body.data).toMatchObject([
      { kind: 'user.recovery_code', text: `Ibu Ratna membuat kode masuk untuk admin Dewi (${dewi.email})` },
    ]);
  });

  it('closes to the own password of an account after five wrong ones, from whichever session and address', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const make = (current_password: string) => askForCode(test, ratna, dewi.id, { current_password });
    for (let round = 0; round < 5; round += 1) expect((await make('salah')).status).toBe(422);
    expect((await make(ownPassword.current_password)).status).toBe(429);
    expect((await make('salah')).status).toBe(429);
  });

  it.each([
    ['account', { adminSince: 1 }],
    ['password', { passwordChangedAt: 1 }],
  ])(
    'the account of an admin is closed to one whose %s is younger than 24 hours, with the time from which it is not',
    async (_what, since) => {
      const { test, ratna, dewi, budi } = await buildOffice();
      const [[column = '']] = [Object.keys(since)];
      changeUser(test, ratna.id, { [column]: test.clock.now() - DAY_MS + HOUR_MS });
      expect(await askForCode(test, ratna, dewi.id, ownPassword)).toMatchObject({
        status: 403,
        body: { message: 'Anda baru dapat melakukan ini mulai 10 Juni 2026 pukul 13.00.' },
      });
      const reset = { password: 'rahasia-lain', ...ownPassword };
      const path = `/api/admin/users/${dewi.id}/password`;
      expect((await test.call('PUT', path, { token: ratna.token, body: reset })).status).toBe(403);
      expect((await askForCode(test, ratna, budi.id)).status).toBe(201);
    },
  );

  it('counts as one for 24 hours of operating time after the role is gone', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const body = { is_admin: false, ...ownPassword };
    await test.call('PUT', `/api/admin/users/${dewi.id}`, { token: ratna.token, body });
    expect(storedUsers(test).find(({ id }) => id === dewi.id)?.isAdmin).toBe(false);
    test.clock.jump(3 * DAY_MS);
    expect((await askForCode(test, ratna, dewi.id)).status).toBe(422);
    const reset = { password: 'rahasia-lain' };
    const path = `/api/admin/users/${dewi.id}/password`;
    expect((await test.call('PUT', path, { token: ratna.token, body: reset })).status).toBe(422);
    test.clock.advance(DAY_MS);
    expect((await askForCode(test, ratna, dewi.id)).status).toBe(201);
  });
});
