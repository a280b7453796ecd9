import { describe, expect, it } from 'vitest';
import type { UserAnswer } from '#shared/api/users.ts';
import { buildAdmin, buildTestUser, type SignedInUser, ownPassword } from '#server/testing/factories.ts';
import { storedUsers } from '#server/testing/rows.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';

const complete = { name: ' Siti ', email: ' Siti@Contoh.ID ', password: 'enam66' };
const INCOMPLETE = 'Nama, email, dan password wajib diisi';
const REQUIRED = 'Nama dan email wajib diisi';
const TAKEN = 'Email sudah terdaftar';
const CONFLICT = 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.';

const userOf = (answer: Answer): UserAnswer => answer.body.data;

async function buildAppWithAdmin() {
  const test = await buildTestApp();
  const admin = buildAdmin(test);
  const { token } = admin;
  const stored = (id: string) => storedUsers(test).find((row) => row.id === id);
  return {
    test,
    admin,
    stored,
    create: (body: unknown) => test.call('POST', '/api/admin/users', { token, body }),
    edit: ({ id }: { id: string }, body: unknown) => test.call('PUT', `/api/admin/users/${id}`, { token, body }),
    login: (email: string, password: string) => test.call('POST', '/api/auth/login', { body: { email, password } }),
  };
}

describe('POST /api/admin/users', () => {
  it('creates an active user who can sign in with the given password', async () => {
    const { create, login } = await buildAppWithAdmin();
    const answer = await create(complete);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        success: true,
        message: 'User berhasil dibuat',
        data: { name: 'Siti', email: 'siti@contoh.id', is_admin: false, is_active: true, role: 'user' },
      },
    });
    expect(userOf(answer).id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(answer.raw.toString()).not.toMatch(/argon2|enam66/);
    const signedIn = await login('SITI@contoh.id', 'enam66');
    expect(signedIn).toMatchObject({ status: 200, body: { data: { user: { id: userOf(answer).id } } } });
  });

  it('creates admins and inactive accounts on request, and ignores unknown fields', async () => {
    const { create, login, stored } = await buildAppWithAdmin();
    const extra = { id: 'x', _id: 'x', role: 'admin', created_at: '2001-01-01', password_hash: 'x', token: 'x' };
    const answer = await create({ ...complete, ...extra, ...ownPassword, is_admin: true, is_active: false });
    expect(userOf(answer)).toMatchObject({ is_admin: true, is_active: false, role: 'admin' });
    expect(stored('x')).toBeUndefined();
    expect(userOf(answer).created_at).toBe('2026-06-10T05:00:00.000Z');
    expect(await login('siti@contoh.id', 'enam66')).toMatchObject({
      status: 403,
      body: { message: 'Akun Anda tidak aktif. Silakan hubungi administrator.' },
    });
  });

  it.each<[object, Record<string, string>]>([
    [
      { name: undefined, email: undefined, password: undefined },
      { name: INCOMPLETE, email: INCOMPLETE, password: INCOMPLETE },
    ],
    [{ name: '  ' }, { name: INCOMPLETE }],
    [{ name: null }, { name: INCOMPLETE }],
    [{ email: '' }, { email: INCOMPLETE }],
    [{ password: '' }, { password: INCOMPLETE }],
    [{ password: 123_456 }, { password: INCOMPLETE }],
    [{ password: 'lima5' }, { password: 'Password minimal 6 karakter' }],
    [{ password: 'x'.repeat(201) }, { password: 'Password maksimal 200 karakter' }],
    [{ email: 'siti' }, { email: 'Email harus valid' }],
    [
      { email: 'siti@', password: 'x' },
      { email: 'Email harus valid', password: 'Password minimal 6 karakter' },
    ],
    [{ name: 'x'.repeat(256) }, { name: 'Nama maksimal 255 karakter' }],
    [{ is_admin: 'ya' }, { is_admin: 'Pilihan harus ya atau tidak' }],
  ])('answers 422 for %j', async (change, messageByField) => {
    const { test, create } = await buildAppWithAdmin();
    const answer = await create({ ...complete, ...change });
    const errors = Object.fromEntries(Object.entries(messageByField).map(([field, text]) => [field, [text]]));
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ success: false, message: Object.values(messageByField)[0], errors });
    expect(storedUsers(test)).toHaveLength(1);
  });

  it('creates one account when many requests use the same address at once', async () => {
    const { test, create } = await buildAppWithAdmin();
    const answers = await Promise.all(
      [' SITI@contoh.id', ...Array<string>(5).fill('siti@contoh.id')].map((email) => create({ ...complete, email })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect({ status, body }).toEqual({
        status: 422,
        body: { success: false, message: TAKEN, errors: { email: [TAKEN] } },
      });
    }
    expect(storedUsers(test)).toHaveLength(2);
  });
});

describe('PUT /api/admin/users/:id', () => {
  it('changes the sent fields, keeps the others and ignores unknown ones', async () => {
    const { test, edit, stored } = await buildAppWithAdmin();
    const user = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id' });
    test.clock.advance(1000);
    const renamed = await edit(user, { name: ' Budi S. ' });
    expect(renamed).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'User berhasil diperbarui',
        data: { id: user.id, name: 'Budi S.', email: 'budi@contoh.id', is_admin: false, is_active: true },
      },
    });
    expect(userOf(renamed).updated_at).toBe('2026-06-10T05:00:01.000Z');
    const extra = { id: 'x', _id: 'x', role: 'admin', created_at: 'x', password: 'rahasia-baru', passwordHash: 'x' };
    expect(userOf(await edit(user, { ...extra, email: 'BUDI2@contoh.id' }))).toMatchObject({
      email: 'budi2@contoh.id',
    });
    expect(stored(user.id)).toMatchObject({
      name: 'Budi S.',
      isAdmin: false,
      createdAt: user.createdAt,
      passwordHash: user.passwordHash,
    });
  });

  it.each<[object, Record<string, string>]>([
    [
      { name: '', email: '' },
      { name: REQUIRED, email: REQUIRED },
    ],
    [{ name: '   ' }, { name: REQUIRED }],
    [{ email: null }, { email: REQUIRED }],
    [{ email: 'bukan email' }, { email: 'Email harus valid' }],
    [{ is_active: 0 }, { is_active: 'Pilihan harus ya atau tidak' }],
    [{ email: 'ratna@kantor.id' }, { email: TAKEN }],
    [{ email: ' RATNA@kantor.id ' }, { email: TAKEN }],
  ])('answers 422 for %j', async (body, messageByField) => {
    const { test, edit, stored } = await buildAppWithAdmin();
    buildTestUser(test, { email: 'ratna@kantor.id' });
    const user = buildTestUser(test);
    const answer = await edit(user, body);
    const errors = Object.fromEntries(Object.entries(messageByField).map(([field, text]) => [field, [text]]));
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ success: false, message: Object.values(messageByField)[0], errors });
    expect(stored(user.id)).toMatchObject({ name: user.name, email: user.email, updatedAt: user.updatedAt });
  });

  it('accepts the address that the account has already', async () => {
    const { test, edit } = await buildAppWithAdmin();
    const user = buildTestUser(test);
    expect((await edit(user, { name: 'Lain', email: user.email.toUpperCase() })).status).toBe(200);
  });

  it('gives an address to one of many simultaneous edits and stores nothing of the others', async () => {
    const { test, edit } = await buildAppWithAdmin();
    const users = Array.from({ length: 6 }, () => buildTestUser(test));
    const answers = await Promise.all(users.map((user) => edit(user, { name: 'Baru', email: 'satu@contoh.id' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 422 && body.message === TAKEN)).toHaveLength(5);
    expect(storedUsers(test).filter(({ email }) => email === 'satu@contoh.id')).toHaveLength(1);
    expect(storedUsers(test).filter(({ name }) => name === 'Baru')).toHaveLength(1);
  });

  it('answers 409 to an edit of a user that was changed since it was loaded, and stores nothing', async () => {
    const { test, edit, stored } = await buildAppWithAdmin();
    const user = buildTestUser(test, { name: 'Budi' });
    const loaded = new Date(user.updatedAt).toISOString();
    const first = await edit(user, { name: 'Satu', updated_at: loaded });
    expect(first.status).toBe(200);
    // The version differs also within the same millisecond.
    expect(userOf(first).updated_at).not.toBe(loaded);
    for (const updated_at of [loaded, '2999-01-01T00:00:00.000Z']) {
      const conflictAnswer = await edit(user, { name: 'Dua', is_active: false, updated_at });
      expect(conflictAnswer.status).toBe(409);
      expect(conflictAnswer.body).toEqual({ success: false, message: CONFLICT });
    }
    expect(stored(user.id)).toMatchObject({ name: 'Satu', isActive: true });
    expect((await edit(user, { name: 'Dua', updated_at: userOf(first).updated_at })).status).toBe(200);
    expect((await edit(user, { name: 'Tiga' })).status).toBe(200);
  });

  it.each([1, {}, [], true, null, 'kemarin', ''])(
    'refuses an edit whose updated_at is %j with 422 and stores nothing',
    async (updated_at) => {
      const { test, edit, stored } = await buildAppWithAdmin();
      const user = buildTestUser(test, { name: 'Budi' });
      const text = 'Waktu perubahan data tidak valid. Muat ulang lalu coba lagi.';
      const answer = await edit(user, { name: 'Satu', updated_at });
      expect(answer).toMatchObject({ status: 422, body: { message: text, errors: { updated_at: [text] } } });
      expect(stored(user.id)).toMatchObject({ name: 'Budi', updatedAt: user.updatedAt });
    },
  );

  it('stores one of two simultaneous edits of the same version', async () => {
    const { test, admin, stored } = await buildAppWithAdmin();
    const user = buildTestUser(test);
    const loaded = new Date(user.updatedAt).toISOString();
    const save = ({ token }: SignedInUser, name: string) =>
      test.call('PUT', `/api/admin/users/${user.id}`, { token, body: { name, updated_at: loaded } });
    const answers = await Promise.all([save(admin, 'Satu'), save(buildAdmin(test), 'Dua')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const winner = answers.find(({ status }) => status === 200);
    expect(stored(user.id)?.name).toBe(userOf(winner as Answer).name);
  });

  it('answers 404 when the user is deleted at the same moment', async () => {
    const { test, admin, edit } = await buildAppWithAdmin();
    const user = buildTestUser(test);
    const [removed, edited] = await Promise.all([
      test.call('DELETE', `/api/admin/users/${user.id}`, { token: buildAdmin(test).token }),
      edit(user, { name: 'Baru' }),
    ]);
    expect(removed.status).toBe(200);
    // In either order the user stays deleted.
    expect([200, 404]).toContain(edited.status);
    const readAnswer = await test.call('GET', `/api/admin/users/${user.id}`, { token: admin.token });
    expect(readAnswer).toMatchObject({ status: 404, body: { message: 'User tidak ditemukan' } });
  });
});
