import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { changeUser, storedUsers } from '#server/testing/rows.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createPasswordCheck } from './password-check.ts';
import { createAuthService } from './service.ts';
import { createSessions } from './sessions.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const registration = {
  name: ' Budi Santoso ',
  email: ' Budi@Contoh.ID ',
  password: 'rahasia-1',
  password_confirmation: 'rahasia-1',
};
const SESSION_ENDED = { success: false, message: 'Sesi Anda telah berakhir. Silakan login kembali.' };
const WRONG_LOGIN = { success: false, message: 'Email atau password salah' };

const register = (test: TestApp, body: unknown) => test.call('POST', '/api/auth/register', { body });
const login = (test: TestApp, email: string, password: string) =>
  test.call('POST', '/api/auth/login', { body: { email, password } });
const tokenOf = (answer: { body: { data: { token: string } } }): string => answer.body.data.token;

describe('POST /api/auth/register', () => {
  it('creates an active user who is not an admin, and signs the user in', async () => {
    const test = await buildTestApp();
    const answer = await register(test, registration);
    expect(answer.status).toBe(201);
    const at = '2026-06-10T05:00:00.000Z';
    const { token, user } = answer.body.data as { token: string; user: { id: string } };
    expect(answer.body).toEqual({
      success: true,
      message: 'Registrasi berhasil',
      data: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        device_token: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
        user: {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          _id: user.id,
          name: 'Budi Santoso',
          email: 'budi@contoh.id',
          has_email: true,
          is_admin: false,
          is_active: true,
          role: 'user',
          created_at: at,
          createdAt: at,
          updated_at: at,
          updatedAt: at,
        },
      },
    });
    const ownUser = await test.call('GET', '/api/auth/user', { token });
    expect(ownUser).toMatchObject({ status: 200, body: { success: true, data: user } });
    expect(JSON.stringify([ownUser.body, answer.body])).not.toContain('argon2');
  });

  it('ignores unknown fields, as is_admin', async () => {
    const test = await buildTestApp();
    const extra = { is_admin: true, is_active: false, role: 'admin', id: 'x', _id: 'x', created_at: '2001-01-01' };
    const answer = await register(test, { ...registration, ...extra, email_verified: true, password_hash: 'x' });
    const [row] = storedUsers(test);
    expect(row).toMatchObject({ isAdmin: false, isActive: true, createdAt: test.clock.now() });
    expect(row?.id).not.toBe('x');
    expect((await test.call('GET', '/api/auth/user', { token: tokenOf(answer as never) })).status).toBe(200);
  });

  it.each([
    [
      {},
      {
        name: 'Nama wajib diisi',
        email: 'Email wajib diisi',
        password: 'Password wajib diisi',
        password_confirmation: 'Konfirmasi password wajib diisi',
      },
    ],
    [{ ...registration, name: '  ' }, { name: 'Nama wajib diisi' }],
    [{ ...registration, name: 7 }, { name: 'Nama wajib diisi' }],
    [{ ...registration, email: 'budi@' }, { email: 'Email harus valid' }],
    [{ ...registration, email: ' ' }, { email: 'Email wajib diisi' }],
    [{ ...registration, email: `${'a'.repeat(250)}@b.id` }, { email: 'Email harus valid' }],
    [
      { ...registration, password: 'pendek1', password_confirmation: 'pendek1' },
      { password: 'Password minimal 8 karakter' },
    ],
    [{ ...registration, password_confirmation: '' }, { password_confirmation: 'Konfirmasi password wajib diisi' }],
    [{ ...registration, password_confirmation: 'rahasia-2' }, { password_confirmation: 'Password harus sama' }],
    [
      { ...registration, password: 'x'.repeat(201), password_confirmation: 'x'.repeat(201) },
      { password: 'Password maksimal 200 karakter' },
    ],
  ])('answers 422 with the texts of R-AUTH-6 for %j', async (body, messageByField) => {
    const test = await buildTestApp();
    const answer = await register(test, body);
    expect(answer.status).toBe(422);
    const errors = Object.fromEntries(Object.entries(messageByField).map(([field, text]) => [field, [text]]));
    expect(answer.body).toMatchObject({ success: false, message: Object.values(messageByField)[0], errors });
    expect(Object.keys(answer.body)).toEqual(['success', 'message', 'errors']);
    expect(storedUsers(test)).toHaveLength(0);
  });

  it.each([
    ['\u200B\u3164', 'Nama wajib diisi'],
    ['\0\u202E', 'Nama wajib diisi'],
    ['A d m i n', 'Nama ini milik petugas kantor. Isi nama lengkap Anda.'],
    ['\u0410dministrator', 'Nama ini milik petugas kantor. Isi nama lengkap Anda.'],
  ])('refuses the name %j', async (name, message) => {
    const test = await buildTestApp();
    const answer = await register(test, { ...registration, name });
    expect(answer).toMatchObject({ status: 422, body: { message, errors: { name: [message] } } });
    const { token } = buildTestUser(test);
    expect(await test.call('PUT', '/api/auth/user', { token, body: { name } })).toMatchObject({
      status: 422,
      body: { message },
    });
  });

  it('stores a name without invisible characters', async () => {
    const test = await buildTestApp();
    await register(test, { ...registration, name: 'Budi\u202E\0 Santoso\uD800' });
    expect(storedUsers(test)[0]?.name).toBe('Budi Santoso');
    const { token } = buildAdmin(test);
    expect((await test.call('PUT', '/api/auth/user', { token, body: { name: 'Administrator' } })).status).toBe(200);
  });

  it('refuses a known e-mail address in any letter case', async () => {
    const test = await buildTestApp();
    await register(test, registration);
    const answer = await register(test, { ...registration, email: 'BUDI@contoh.id' });
    const message = 'Email sudah terdaftar';
    expect(answer).toMatchObject({ status: 422, body: { success: false, message, errors: { email: [message] } } });
  });

  it('creates one account when many requests register the same address at once', async () => {
    const test = await buildTestApp();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => register(test, { ...registration, name: `Budi ${at}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(new Set(others.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
      new Set(['422 Email sudah terdaftar']),
    );
    expect(storedUsers(test)).toHaveLength(1);
  });
});

describe('POST /api/auth/login', () => {
  it('ignores letter case and blanks around the e-mail address, but not in the password', async () => {
    const test = await buildTestApp();
    const password = ' Rahasia 1 ';
    await register(test, { ...registration, password, password_confirmation: password });
    const right = await login(test, '\tBUDI@contoh.id ', password);
    expect(right).toMatchObject({
      status: 200,
      body: { success: true, message: 'Login berhasil', data: { user: { name: 'Budi Santoso', role: 'user' } } },
    });
    for (const wrong of ['Rahasia 1', ' Rahasia 1', ' rahasia 1 ', `${password}\n`]) {
      expect(await login(test, 'budi@contoh.id', wrong)).toMatchObject({ status: 401, body: WRONG_LOGIN });
    }
  });

  it('starts a new session at every login', async () => {
    const test = await buildTestApp();
    await register(test, registration);
    const [one, two] = await Promise.all([1, 2].map(() => login(test, 'budi@contoh.id', 'rahasia-1')));
    expect(tokenOf(one as never)).not.toBe(tokenOf(two as never));
    await test.call('POST', '/api/auth/logout', { token: tokenOf(one as never) });
    expect((await test.call('GET', '/api/auth/user', { token: tokenOf(one as never) })).status).toBe(401);
    expect((await test.call('GET', '/api/auth/user', { token: tokenOf(two as never) })).status).toBe(200);
  });

  it.each([
    [{}, 'Email wajib diisi', { email: ['Email wajib diisi'], password: ['Password wajib diisi'] }],
    [{ email: 'budi', password: '' }, 'Email harus valid', { email: ['Email harus valid'] }],
    [{ email: 'budi@contoh.id', password: '' }, 'Password wajib diisi', { password: ['Password wajib diisi'] }],
    [{ email: ['a'], password: { $ne: 1 } }, 'Email wajib diisi', { password: ['Password wajib diisi'] }],
  ])('answers 422 for %j', async (body, message, errors) => {
    const test = await buildTestApp();
    const answer = await test.call('POST', '/api/auth/login', { body });
    expect(answer).toMatchObject({ status: 422, body: { success: false, message, errors } });
  });

  it('answers 403 for an inactive account only with its right password', async () => {
    const test = await buildTestApp();
    buildTestUser(test, { email: 'diam@contoh.id', passwordHash: cheapHash('rahasia-1'), isActive: false });
    expect(await login(test, 'diam@contoh.id', 'salah-sekali')).toMatchObject({ status: 401, body: WRONG_LOGIN });
    const right = await login(test, 'diam@contoh.id', 'rahasia-1');
    expect(right.status).toBe(403);
    expect(right.body).toEqual({
      success: false,
      message: 'Akun Anda tidak aktif. Silakan hubungi administrator.',
    });
  });

  itOnSqlite('answers 401 when the password is changed while it is checked', async () => {
    const test = await buildTestApp();
    const context = { ...test.context, rateLimits: false };
    const auth = createAuthService(context, createSessions(test.server.jwt, context), createPasswordCheck(context));
    const user = buildTestUser(test, { passwordHash: cheapHash('rahasia-1') });
    const body = { email: user.email, password: 'rahasia-1' };
    const pending = auth.login(body, { userAgent: undefined, address: '127.0.0.1' });
    changeUser(test, user.id, { passwordHash: 'another' });
    await expect(pending).rejects.toThrow('Email atau password salah');
  });
});

describe('calls that need a session', () => {
  it.each([
    ['GET', '/api/auth/user'],
    ['GET', '/api/auth/admin-contact'],
    ['POST', '/api/auth/logout'],
  ])('%s %s answers 401 without a session', async (method, url) => {
    const test = await buildTestApp();
    for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a.b.c', 'Bearer a b']) {
      const answer = await test.call(method, url, { headers: authorization === undefined ? {} : { authorization } });
      expect(answer.status, authorization).toBe(401);
      expect(answer.body).toEqual(SESSION_ENDED);
    }
  });

  it('answers the active admin with the oldest account as the contact', async () => {
    const test = await buildTestApp();
    const user = buildTestUser(test);
    const ask = () => test.call('GET', '/api/auth/admin-contact', { token: user.token });
    expect(await ask()).toMatchObject({ status: 404, body: { success: false, message: 'Admin belum tersedia' } });
    const at = test.clock.now();
    buildAdmin(test, { name: 'Baru', createdAt: at });
    const old = buildAdmin(test, { name: 'Lama', createdAt: at - 2000 });
    buildAdmin(test, { name: 'Terlama', createdAt: at - 3000, isActive: false });
    const answer = await ask();
    expect(answer.body).toMatchObject({ success: true, data: { id: old.id, _id: old.id, name: 'Lama' } });
    expect(Object.keys(answer.body.data)).toEqual(['id', '_id', 'name']);
  });

  it('logs out without a body, with any content type', async () => {
    const test = await buildTestApp();
    for (const type of [undefined, 'application/json', 'text/plain', 'multipart/form-data', 'x', ';;;']) {
      const { token } = buildTestUser(test);
      const answer = await test.call('POST', '/api/auth/logout', {
        token,
        headers: type ? { 'content-type': type } : {},
      });
      expect(answer.body, type).toEqual({ success: true, message: 'Logout berhasil', data: {} });
      expect((await test.call('GET', '/api/auth/user', { token })).body).toEqual(SESSION_ENDED);
    }
  });
});
