import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/durations.ts';
import { ADMIN_PASSWORD, buildAdmin, buildSession, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { changeUser, storedUsers } from '#server/testing/rows.ts';
import { type Answer, buildTestApp, type TestOverrides } from '#server/testing/test-app.ts';
import { createUserService } from './service.ts';

const MISSING =
  'Masukkan password Anda untuk membuat atau mengubah akun administrator. Bila kolomnya tidak tampak, muat ulang halaman ini.';
const refusal = (message: string) => ({
  status: 422,
  body: { success: false, message, errors: { current_password: [message] } },
});

async function buildOffice(overrides: TestOverrides = {}) {
  const test = await buildTestApp(overrides);
  const ratna = buildAdmin(test);
  return { test, ratna, dewi: buildAdmin(test, { name: 'Dewi' }), budi: buildTestUser(test, { name: 'Budi' }) };
}
type Office = Awaited<ReturnType<typeof buildOffice>>;
type Call = (office: Office, token: string | undefined, password: object) => Promise<Answer>;

const call =
  (method: string, path: (office: Office) => string, body: (office: Office) => object = () => ({})): Call =>
  (office, token, password) =>
    office.test.call(method, `/api/admin/users${path(office)}`, { token, body: { ...body(office), ...password } });
const dewiPath = ({ dewi }: Office) => `/${dewi.id}`;
const newUser = { name: 'Baru', email: 'baru@contoh.id', password: 'rahasia-baru' };

const adminChanges: [string, Call][] = [
  [
    'creation of an admin',
    call(
      'POST',
      () => '',
      () => ({ ...newUser, is_admin: true }),
    ),
  ],
  [
    'creation of an inactive admin',
    call(
      'POST',
      () => '',
      () => ({ ...newUser, is_admin: true, is_active: false }),
    ),
  ],
  [
    'promotion',
    call(
      'PUT',
      ({ budi }) => `/${budi.id}`,
      () => ({ is_admin: true }),
    ),
  ],
  ['demotion', call('PUT', dewiPath, () => ({ is_admin: false }))],
  ['deactivation of an admin', call('PUT', dewiPath, () => ({ is_active: false }))],
  ['new e-mail address of an admin', call('PUT', dewiPath, () => ({ email: 'lain@kantor.id' }))],
  [
    'new e-mail address of the own account',
    call(
      'PUT',
      ({ ratna }) => `/${ratna.id}`,
      () => ({ email: 'x@kantor.id' }),
    ),
  ],
  ['switch of an admin', call('PUT', (office) => `${dewiPath(office)}/toggle-status`)],
  ['deletion of an admin', call('DELETE', dewiPath)],
  [
    'new password of an admin',
    call(
      'PUT',
      (office) => `${dewiPath(office)}/password`,
      () => ({ password: 'rahasia-lain' }),
    ),
  ],
];

const state = ({ test }: Office) => ({
  users: storedUsers(test),
  audit: test.database.sqlite.prepare('select * from audit_entries').all(),
});

describe.each(adminChanges)('the %s', (_name, change) => {
  it('fails without the own password and with a wrong one, and changes nothing', async () => {
    const office = await buildOffice();
    const { ratna, budi } = office;
    const before = state(office);
    const wrong = ['salah', ADMIN_PASSWORD.toUpperCase(), `${ADMIN_PASSWORD} `];
    expect((await change(office, undefined, ownPassword)).status).toBe(401);
    expect((await change(office, budi.token, ownPassword)).status).toBe(403);
    expect(await change(office, ratna.token, {})).toMatchObject(refusal(MISSING));
    expect(await change(office, ratna.token, { current_password: '' })).toMatchObject(refusal(MISSING));
    expect(await change(office, ratna.token, { current_password: 5 })).toMatchObject(refusal(MISSING));
    for (const current_password of wrong) {
      expect(await change(office, ratna.token, { current_password })).toMatchObject(refusal('Password salah'));
    }
    const tooLong = await change(office, ratna.token, { current_password: 'x'.repeat(201) });
    expect(tooLong).toMatchObject(refusal('Password salah'));
    expect(state(office)).toEqual(before);
  });

  it('succeeds with the right password', async () => {
    const office = await buildOffice();
    const answer = await change(office, office.ratna.token, ownPassword);
    expect([200, 201]).toContain(answer.status);
    expect(state(office).audit).toHaveLength(1);
  });
});

describe('the own password', () => {
  const budiPath = ({ budi }: Office) => `/${budi.id}`;
  it.each<[string, Call]>([
    [
      'creation of a user',
      call(
        'POST',
        () => '',
        () => newUser,
      ),
    ],
    ['another name of an admin', call('PUT', dewiPath, ({ dewi }) => ({ name: 'Dewi B.', email: dewi.email }))],
    ['edit of a user', call('PUT', budiPath, () => ({ name: 'Budi B.', email: 'lain@contoh.id', is_active: false }))],
    ['switch of a user', call('PUT', (office) => `${budiPath(office)}/toggle-status`)],
    [
      'new password of a user',
      call(
        'PUT',
        (office) => `${budiPath(office)}/password`,
        () => ({ password: 'enam66' }),
      ),
    ],
    ['deletion of a user', call('DELETE', budiPath)],
  ])('is not needed for the %s', async (_name, change) => {
    const office = await buildOffice();
    expect([200, 201]).toContain((await change(office, office.ratna.token, {})).status);
  });

  it('becomes necessary only where the change would be possible', async () => {
    const { test, ratna, dewi } = await buildOffice();
    const { token } = ratna;
    const statusOf = async (answer: Promise<Answer>) => (await answer).status;
    const url = (id: string) => `/api/admin/users/${id}`;
    expect(await statusOf(test.call('DELETE', url(ratna.id), { token }))).toBe(409);
    expect(await statusOf(test.call('DELETE', url('x'), { token }))).toBe(404);
    expect(await statusOf(test.call('PUT', `${url('x')}/toggle-status`, { token }))).toBe(404);
    const body = { is_admin: false, updated_at: '2020-01-01T00:00:00.000Z' };
    expect(await statusOf(test.call('PUT', url(dewi.id), { token, body }))).toBe(409);
    const taken = await test.call('PUT', url(dewi.id), { token, body: { email: ratna.email } });
    expect(Object.keys(taken.body.errors ?? {})).toEqual(['email']);
  });

  it('counts as missing when the account became an admin while the change was on its way', async () => {
    const { test, ratna, budi } = await buildOffice();
    const users = createUserService(test.context, {
      removeFiles: async () => {},
      notifyInbox: async () => {},
      dropExport: async () => {},
      requireOwnPassword: async () => 'password',
    });
    const source = { address: '127.0.0.1', deviceToken: undefined, signal: new AbortController().signal };
    const pending = users.resetPassword(ratna, budi.id, { password: 'enam66' }, { password: undefined, source });
    changeUser(test, budi.id, { isAdmin: true });
    await expect(pending).rejects.toMatchObject({ status: 422, message: MISSING });
    expect(storedUsers(test).find(({ id }) => id === budi.id)?.passwordHash).toBe(budi.passwordHash);
  });

  it('cannot be guessed: five wrong ones of the account close every call, and the owner still signs in', async () => {
    const office = await buildOffice();
    const { test, ratna, dewi } = office;
    const login = (device_token?: string) =>
      test.call('POST', '/api/auth/login', { body: { email: ratna.email, password: ADMIN_PASSWORD, device_token } });
    const { device_token } = (await login()).body.data as { device_token: string };
    const thief = buildSession(test, ratna.id);
    const toggle = (body: object) =>
      test.call('PUT', `/api/admin/users/${dewi.id}/toggle-status`, { token: thief.token, body });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await toggle({ current_password: `tebakan ${attempt}` })).status).toBe(422);
    }
    const refused = await toggle(ownPassword);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    expect(
      (await test.call('DELETE', `/api/admin/users/${dewi.id}`, { token: thief.token, body: ownPassword })).status,
    ).toBe(429);
    expect((await login(device_token)).status).toBe(200);
    test.clock.advance(15 * MINUTE_MS);
    const known = { ...ownPassword, device_token };
    expect((await test.call('DELETE', `/api/admin/users/${dewi.id}`, { token: ratna.token, body: known })).status).toBe(
      200,
    );
  });

  it('cannot be guessed with the rate limits off either', async () => {
    const { test, ratna, dewi } = await buildOffice({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false },
    });
    const toggle = (attempt: number) =>
      test.call('PUT', `/api/admin/users/${dewi.id}/toggle-status`, {
        token: ratna.token,
        body: { current_password: `tebakan ${attempt}` },
      });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) statuses.push((await toggle(attempt)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });
});
