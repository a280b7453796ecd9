import { describe, expect, it } from 'vitest';
import { readSnapshot } from '#server/db/engine.ts';
import type { UserAnswer, UsersQuery } from '#shared/api/users.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { presentList } from '#server/http/answers/present.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';
import { findEmailHolder } from '#server/accounts/email-queries.ts';
import { hasElderAdmin, hasOtherActiveAdmin } from '#server/accounts/user-queries.ts';
import { deleteRecordBatch, readMessageBatch, readUsers } from './queries.ts';
import { describeOnSqlite } from '#server/testing/on-sqlite.ts';

const rowsOf = (answer: Answer): UserAnswer[] => {
  const page: { data: UserAnswer[] } = answer.body.data;
  return page.data;
};

it.each([
  ['GET', '/api/admin/users'],
  ['POST', '/api/admin/users'],
  ['GET', '/api/admin/users/x'],
  ['PUT', '/api/admin/users/x'],
  ['PUT', '/api/admin/users/x/toggle-status'],
  ['DELETE', '/api/admin/users/x'],
])('%s %s answers 401 or 403 to anyone but an admin, before any look-up or validation', async (method, url) => {
  const test = await buildTestApp();
  const broken = method === 'GET' ? {} : { payload: '{', headers: { 'content-type': 'application/json' } };
  const ended = { status: 401, body: { message: 'Sesi Anda telah berakhir. Silakan login kembali.' } };
  expect(await test.call(method, url, broken)).toMatchObject(ended);
  const inactive = buildAdmin(test, { isActive: false });
  expect(await test.call(method, url, { token: inactive.token, ...broken })).toMatchObject(ended);
  expect(await test.call(method, url, { token: buildTestUser(test).token, ...broken })).toMatchObject({
    status: 403,
    body: { success: false, message: 'Anda tidak memiliki akses' },
  });
});

it('GET /api/admin/users/:id answers a user without the password hash, and 404 for an unknown id', async () => {
  const test = await buildTestApp();
  const { token } = buildAdmin(test);
  const user = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id', createdAt: 1000, updatedAt: 2000 });
  const answer = await test.call('GET', `/api/admin/users/${user.id}`, { token });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    success: true,
    message: 'Data user',
    data: {
      id: user.id,
      _id: user.id,
      name: 'Budi',
      email: 'budi@contoh.id',
      is_admin: false,
      is_active: true,
      role: 'user',
      created_at: '1970-01-01T00:00:01.000Z',
      createdAt: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:02.000Z',
      updatedAt: '1970-01-01T00:00:02.000Z',
      phone: null,
      phone_consent: false,
      phone_proves: false,
      has_password: false,
      card: null,
      has_second_factor: false,
      has_email: true,
      must_change_password: false,
    },
  });
  const missing = { status: 404, body: { success: false, message: 'User tidak ditemukan' } };
  const missingUrl = '/api/admin/users/01970000-0000-7000-8000-000000000000';
  for (const method of ['GET', 'DELETE']) expect(await test.call(method, missingUrl, { token })).toMatchObject(missing);
  expect(await test.call('PUT', missingUrl, { token, body: { name: 'x' } })).toMatchObject(missing);
  expect(await test.call('PUT', `${missingUrl}/toggle-status`, { token })).toMatchObject(missing);
});

describe('GET /api/admin/users', () => {
  async function buildAppWithAdmin() {
    const test = await buildTestApp();
    const admin = buildAdmin(test, { name: 'Ratna', email: 'ratna@kantor.id', createdAt: 1 });
    const list = (query = '') => test.call('GET', `/api/admin/users${query}`, { token: admin.token });
    const names = async (query = '') => rowsOf(await list(query)).map(({ name }) => name);
    return { test, admin, list, names };
  }

  it('lists newest first, 50 by default and 200 at most', async () => {
    const { test, list } = await buildAppWithAdmin();
    for (let index = 2; index <= 202; index += 1) buildTestUser(test, { name: `N${index}`, createdAt: index });
    const first = await list();
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Daftar user',
        data: { total: 202, per_page: 50, current_page: 1, last_page: 5 },
      },
    });
    expect(rowsOf(first)).toHaveLength(50);
    expect(rowsOf(first)[0]).toMatchObject({ name: 'N202', email: expect.stringContaining('@') as string });
    expect(first.raw.toString()).not.toMatch(/argon2|password/i);
    expect(rowsOf(await list('?page=5')).map(({ name }) => name)).toEqual(['N2', 'Ratna']);
    expect((await list('?limit=9999')).body.data).toMatchObject({ per_page: 200, last_page: 2 });
    expect((await list('?limit=3&page=2')).body.data).toMatchObject({
      data: [{ name: 'N199' }, {}, {}],
      last_page: 68,
    });
    for (const nonsense of ['?limit=0&page=0', '?limit=-1&page=x', '?limit=1.5&page=', '?limit=1&limit=2']) {
      expect((await list(nonsense)).body.data, nonsense).toMatchObject({ per_page: 50, current_page: 1 });
    }
    for (const page of ['999999999999999', '1000000000000000', '9'.repeat(40)]) {
      expect((await list(`?page=${page}&limit=200`)).body.data, page).toMatchObject({ data: [], total: 202 });
    }
  });

  it('keeps a stable order among users of the same instant', async () => {
    const { test, names } = await buildAppWithAdmin();
    for (const letter of ['b', 'a', 'd', 'c']) {
      buildTestUser(test, { id: `00000000-0000-7000-8000-00000000000${letter}`, name: letter, createdAt: 7 });
    }
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => names(`?limit=1&page=${page}`)));
    expect(pages.flat()).toEqual(['d', 'c', 'b', 'a', 'Ratna']);
  });

  it.each([
    ['', 'diam budi dewi Ratna'],
    ['?is_admin=1', 'dewi Ratna'],
    ['?is_admin=true', 'dewi Ratna'],
    ['?is_admin=0', 'diam budi'],
    ['?is_admin=false&limit=50', 'diam budi'],
    ['?is_active=1', 'budi Ratna'],
    ['?is_active=0', 'diam dewi'],
    ['?is_admin=0&is_active=0', 'diam'],
    ['?is_admin=1&is_active=true', 'Ratna'],
    ['?is_admin=&is_active=', 'diam budi dewi Ratna'],
    ['?search=%20', 'diam budi dewi Ratna'],
    ['?is_admin=mungkin', ''],
    ['?is_active=mungkin&is_admin=0', ''],
    ['?is_admin=1&is_admin=0', ''],
    ['?search=budi&search=budi', ''],
    [`?search=${'a'.repeat(201)}`, ''],
    ['?is_admin=0&search=BUD', 'budi'],
  ])('filters by role and active flag: %s', async (query, expected) => {
    const { test, list, names } = await buildAppWithAdmin();
    buildAdmin(test, { name: 'dewi', isActive: false, createdAt: 2 });
    buildTestUser(test, { name: 'budi', createdAt: 3 });
    buildTestUser(test, { name: 'diam', isActive: false, createdAt: 4 });
    const found = expected === '' ? [] : expected.split(' ');
    expect(await names(query)).toEqual(found);
    expect((await list(query)).body.data).toMatchObject({ total: found.length });
  });

  it.each([
    ['budi', ['Budi Santoso']],
    ['SANTOSO', ['Budi Santoso']],
    ['budi@Contoh', ['Budi Santoso']],
    ['kantor.id', ['Ratna']],
    [' kantor.id ', ['Ratna']],
    ['%', ['Diskon 100%']],
    ['_', ['Garis_Bawah']],
    ['s_b', ['Garis_Bawah']],
    ['i_s', []],
    ['\\', ['Miring\\Kiri']],
    ["'", ["O'Neil"]],
    ['josé', ['JOSÉ']],
    ['É*', []],
    ['', ["O'Neil", 'Miring\\Kiri', 'JOSÉ', 'Garis_Bawah', 'Diskon 100%', 'Budi Santoso', 'Ratna']],
    ['argon2', []],
  ])('finds %j literally in names and e-mail addresses', async (search, found) => {
    const { test, list, names } = await buildAppWithAdmin();
    buildTestUser(test, { name: 'Budi Santoso', email: 'budi@contoh.id', createdAt: 2 });
    for (const [index, name] of ['Diskon 100%', 'Garis_Bawah', 'JOSÉ', 'Miring\\Kiri', "O'Neil"].entries()) {
      buildTestUser(test, { name, createdAt: 10 + index });
    }
    const query = `?search=${encodeURIComponent(search)}`;
    expect(await names(query)).toEqual(found);
    expect((await list(query)).body.data).toMatchObject({ total: found.length });
  });

  it('runs in the query worker', async () => {
    const workerCalls: unknown[] = [];
    const test = await buildTestApp({
      queryWorker: {
        run: async (name, args) => {
          workerCalls.push([name, args]);
          return new TextEncoder().encode(JSON.stringify(presentList('Kosong', [], 0, 50, 1))) as never;
        },
        close: async () => {},
      },
    });
    await test.call('GET', '/api/admin/users?search=budi&page=3', { token: buildAdmin(test).token });
    expect(workerCalls).toEqual([
      ['users', { filter: { search: 'budi', limit: 50, offset: 100 }, page: 3, acceptsGzip: false }],
    ]);
  });
});

describeOnSqlite('the queries for users', () => {
  const page = { limit: 50, offset: 0 };

  it.each([
    [{}, 'SCAN users USING INDEX users_created', 'COVERING INDEX'],
    [{ is_admin: false }, 'SCAN users USING INDEX users_created', 'COVERING INDEX'],
    [{ is_active: true }, 'SCAN users USING INDEX users_created', 'COVERING INDEX'],
    [
      { is_admin: false, is_active: true },
      'SEARCH users USING INDEX users_role (is_admin=? AND is_active=?)',
      'SEARCH users USING COVERING INDEX users_role (is_admin=? AND is_active=?)',
    ],
  ])('find the page for %o without sorting', async (filter, rowsPlan, countPlan) => {
    const test = await buildTestApp();
    const [rows, total] = await queryPlans(test, (orm) => readUsers(orm, { ...filter, ...page }));
    expect(rows).toBe(rowsPlan);
    expect(total).toContain(countPlan);
  });

  it.each<[UsersQuery, string]>([
    [{ search: 'budi' }, 'SEARCH users USING INTEGER PRIMARY KEY (rowid=?); LIST SUBQUERY 1; SCAN user_words'],
    [{ search: 'budi', is_admin: true }, 'SEARCH users USING INTEGER PRIMARY KEY (rowid=?)'],
    // No index holds parts of fewer than three letters.
    [{ search: 'bu' }, 'SCAN users USING COVERING INDEX users_names'],
  ])('search for %o in one index, and read rows only for the page', async (filter, plan) => {
    const test = await buildTestApp();
    buildTestUser(test, { name: 'Budi', isAdmin: true });
    const [found, rows] = await queryPlans(test, (orm) => readUsers(orm, { ...filter, ...page }));
    expect(found).toContain(plan);
    expect(rows).toContain('SEARCH users USING INDEX sqlite_autoindex_users_1 (id=?)');
  });

  it('sort only the few admins', async () => {
    const test = await buildTestApp();
    const [rows] = await queryPlans(test, (orm) => readUsers(orm, { is_admin: true, ...page }));
    expect(rows).toBe('SEARCH users USING INDEX users_role (is_admin=?); USE TEMP B-TREE FOR ORDER BY');
  });

  it('find single rows without reading a whole table', async () => {
    const test = await buildTestApp();
    const plans = await queryPlans(test, async (orm) => {
      await findEmailHolder(orm, 'x', 0);
      await hasOtherActiveAdmin(orm, 'x');
      await hasElderAdmin(orm, 'x', { sinceMs: 1, endedMs: 1, nowMs: 1 });
    });
    expect(plans).toHaveLength(5);
    for (const plan of plans) expect(plan).not.toContain('SCAN');
  });

  it('delete the rows of an account without reading a whole table', async () => {
    const test = await buildTestApp();
    buildRecord(test, 'x');
    const plans = await queryPlans(test, async (orm) => {
      await readSnapshot(orm, (tx) => deleteRecordBatch(tx, 'x', 10));
      // The text of a delete contains the select of its rows; plans are kept of selects alone.
      await readMessageBatch(orm, 'x', 10).all();
    });
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).not.toContain('SCAN');
  });
});
