import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import { accountNumberOf } from '#shared/domain/users/no-email.ts';
import type { AdminAccountAnswer } from '#shared/api/users.ts';
import { activate, giveCard, makeAssisted, makeCardFor, OTHER_PIN, PIN } from '#server/testing/cards.ts';
import { cellsOf, nopOf } from '#server/testing/dhkp.ts';
import { buildAdmin, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { buildLinkApp } from '#server/testing/linked-objects.ts';
import { askForCode } from '#server/testing/recovery.ts';
import { storedUsers } from '#server/testing/rows.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

const ADDRESS = /^w-\d{8}@tanpa-email\.invalid$/;

async function buildAssisted(body: object = {}) {
  const test = await buildTestApp();
  const ratna = buildAdmin(test);
  const user = (await makeAssisted(test, ratna, body)).body.data as AdminAccountAnswer;
  const path = `/api/admin/users/${user.id}`;
  const change = (fields: object) => test.call('PUT', path, { token: ratna.token, body: fields });
  return { test, ratna, user, path, change };
}

describe('an account without an e-mail address', () => {
  it('begins with an address that nobody can own, without a password and without a card', async () => {
    const { test, ratna, user } = await buildAssisted({ phone: '0812-3456-7890', phone_consent: true });
    expect(user).toMatchObject({
      name: 'Mbah Karto',
      email: expect.stringMatching(ADDRESS),
      has_email: false,
      has_password: false,
      phone: '+6281234567890',
      phone_consent: true,
      card: null,
    });
    const body = { email: user.email, password: 'rahasia-1' };
    expect((await test.call('POST', '/api/auth/login', { body })).status).toBe(422);
    const { token } = await giveCard(test, ratna, user.id);
    expect((await test.call('GET', '/api/auth/user', { token })).body.data).toMatchObject({ has_email: false });
  });

  it('comes with the objects of its owner, or not at all', async () => {
    const { test, admin, importList, assessmentOf, linked, recordsOf } = await buildLinkApp();
    await importList([
      cellsOf(1, { amount: '40000' }),
      cellsOf(2, { amount: '50000' }),
      cellsOf(3, { amount: '60000' }),
    ]);
    const ids = [(await assessmentOf(nopOf(1))).id, (await assessmentOf(nopOf(2))).id];
    await linked(nopOf(3));
    const before = storedUsers(test).length;
    const refused = await makeAssisted(test, admin, { assessment_ids: [...ids, (await assessmentOf(nopOf(3))).id] });
    expect(refused).toMatchObject({ status: 409, body: { message: 'Objek ini sudah terhubung dengan Budi Santoso' } });
    expect(storedUsers(test)).toHaveLength(before);
    const made = await makeAssisted(test, admin, { assessment_ids: [...ids, ...ids] });
    expect(made.status).toBe(201);
    const owner = made.body.data as AdminAccountAnswer;
    expect((await assessmentOf(nopOf(1))).account).toMatchObject({ id: owner.id, name: 'Mbah Karto' });
    const { token } = await giveCard(test, admin, owner.id);
    const holder = { ...buildTestUser(test), token };
    expect((await recordsOf(holder)).map(({ spt_number: nop }) => nop).toSorted()).toEqual([nopOf(1), nopOf(2)]);
  });

  it('refuses a number that is none, and more than 20 objects', async () => {
    const test = await buildTestApp();
    const ratna = buildAdmin(test);
    expect((await makeAssisted(test, ratna, { phone: '123' })).body.message).toBe('Nomor HP tidak valid');
    const many = Array.from({ length: 21 }, (_, index) => String(index));
    expect((await makeAssisted(test, ratna, { assessment_ids: many })).body.message).toBe(
      'Paling banyak 20 objek sekaligus',
    );
    expect((await makeAssisted(test, ratna, { assessment_ids: ['x'] })).status).toBe(404);
  });

  it('gets its number from an admin, which stands in its own log, and no password or code from anybody', async () => {
    const { test, ratna, user, path, change } = await buildAssisted();
    expect((await change({ phone: '0812-3456-7890' })).body.data).toMatchObject({ phone: '+6281234567890' });
    test.clock.advance(6 * DAY_MS);
    const refusal = { status: 409, body: { message: 'Akun ini memakai kartu. Buat kartu baru.' } };
    const reset = { token: ratna.token, body: { password: 'rahasia-1' } };
    expect(await test.call('PUT', `${path}/password`, reset)).toMatchObject(refusal);
    expect(await askForCode(test, ratna, user.id)).toMatchObject(refusal);
    const { token } = await giveCard(test, ratna, user.id);
    const log = await test.call('GET', '/api/auth/security-log', { token });
    expect((log.body.data as { event: string }[]).map(({ event }) => event)).toContain('phone.changed');
  });

  it('takes its address nowhere else, and gets a real one from an admin, after which it may become one', async () => {
    const { test, user, change } = await buildAssisted();
    const admin = { is_admin: true, ...ownPassword };
    expect(await change(admin)).toMatchObject({ status: 409, body: { message: 'Isi email dulu.' } });
    expect((await change({ name: 'Mbah Karto Wiryo', email: user.email })).status).toBe(200);
    expect((await change({ email: 'w-00000000@tanpa-email.invalid' })).body.message).toBe('Email harus valid');
    const fields = { password: 'rahasia-1', password_confirmation: 'rahasia-1' };
    const registration = { body: { name: 'Palsu', email: 'w-11111111@tanpa-email.invalid', ...fields } };
    expect((await test.call('POST', '/api/auth/register', registration)).body.message).toBe('Email harus valid');
    expect((await change({ email: 'karto@contoh.id' })).body.data).toMatchObject({ has_email: true });
    expect((await change(admin)).status).toBe(200);
  });

  it('appears in a search for its number as it is written, its name, and its phone number', async () => {
    const { test, ratna, user } = await buildAssisted({ phone: '0812-3456-7890' });
    buildTestUser(test);
    const number = accountNumberOf(user.email) ?? '';
    expect(number).toMatch(/^\d{4}-\d{4}$/);
    for (const term of [number, number.replace('-', ''), 'karto', '081234567890', '+62 812 3456 7890']) {
      const search = encodeURIComponent(term);
      for (const path of [`users?search=${search}`, `users?search=${search}&is_active=1`]) {
        const found = await test.call('GET', `/api/admin/${path}`, { token: ratna.token });
        expect(found.body.data, path).toMatchObject({ total: 1, data: [{ id: user.id, has_email: false }] });
      }
    }
  });
});

describe('own acts of a person without a password', () => {
  async function buildHolder() {
    const built = await buildAssisted();
    const { test, ratna, user } = built;
    const holder = await giveCard(test, ratna, user.id);
    const own = (method: string, path: string, body: object) =>
      test.call(method, `/api/auth/${path}`, { token: holder.token, body });
    return { ...built, ...holder, own };
  }

  it('take the PIN in place of the password', async () => {
    const { own } = await buildHolder();
    const phone = '0812-3456-7890';
    expect((await own('PUT', 'user', { phone })).body.errors).toEqual({ pin: ['Masukkan PIN Anda'] });
    expect((await own('PUT', 'user', { phone, pin: OTHER_PIN })).body.errors).toEqual({ pin: ['PIN salah'] });
    expect((await own('PUT', 'user', { phone, current_password: PIN })).status).toBe(422);
    expect((await own('PUT', 'user', { phone, pin: PIN })).body.data).toMatchObject({ phone: '+6281234567890' });
    const log = await own('GET', 'security-log', {});
    expect((log.body.data as object[])[0]).toMatchObject({ event: 'phone.changed', how: 'pin' });
  });

  it('meet a lock after five wrong PINs in 15 minutes, so that a stolen session guesses no more than a stranger', async () => {
    const { test, own } = await buildHolder();
    const change = (pin: string) => own('PUT', 'user', { phone: '0812-3456-7890', pin });
    for (let round = 0; round < 5; round += 1) expect((await change(OTHER_PIN)).status).toBe(422);
    for (const pin of [PIN, OTHER_PIN]) expect((await change(pin)).status).toBe(429);
    test.clock.advance(DAY_MS / 96);
    expect((await change(OTHER_PIN)).status).toBe(422);
    test.clock.advance(DAY_MS / 96);
    // The lock has doubled.
    expect((await change(PIN)).status).toBe(429);
  });

  it('give the account an address and then a password of its own, with the PIN; from then on the password counts', async () => {
    const { test, own, code, activation, ratna, user } = await buildHolder();
    const fresh = { password: 'rahasia-baru', password_confirmation: 'rahasia-baru' };
    expect(await own('PUT', 'password', { ...fresh, pin: PIN })).toMatchObject({
      status: 409,
      body: { message: 'Isi email dulu.' },
    });
    expect((await own('PUT', 'user', { email: 'karto@contoh.id', pin: PIN })).status).toBe(200);
    expect((await own('PUT', 'password', fresh)).body.errors).toEqual({
      current_password: ['Password lama wajib diisi'],
    });
    expect((await own('PUT', 'password', { ...fresh, pin: OTHER_PIN })).body.errors).toEqual({ pin: ['PIN salah'] });
    expect((await own('PUT', 'password', { ...fresh, pin: PIN })).status).toBe(200);
    const login = { body: { email: 'karto@contoh.id', password: fresh.password } };
    expect((await test.call('POST', '/api/auth/login', login)).status).toBe(200);
    expect((await own('PUT', 'user', { phone: '0812-3456-7890', pin: PIN })).body.errors).toEqual({
      current_password: ['Masukkan password Anda'],
    });
    expect((await activate(test, { code, activation })).status).toBe(401);
    expect((await makeCardFor(test, ratna, user.id)).code).not.toBe(code);
  });
});
