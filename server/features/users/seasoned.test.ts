import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { ADMIN_PASSWORD, buildAdmin, buildSession, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { changeUser, removeUser, storedUsers } from '#server/testing/rows.ts';
import { type Answer, buildTestApp } from '#server/testing/test-app.ts';

/** An account that is an admin's is opened and ended by another admin of a day, who knows the own password (R-ACCESS-6). */

const TOO_EARLY = { status: 403, body: { message: 'Anda baru dapat melakukan ini mulai 11 Juni 2026 pukul 12.00.' } };

async function buildOffice() {
  const test = await buildTestApp();
  const now = test.clock.now();
  const ratna = buildAdmin(test);
  const dewi = buildAdmin(test, { name: 'Dewi' });
  const budi = buildTestUser(test, { name: 'Budi' });
  return { test, now, ratna, dewi, budi, joko: buildAdmin(test, { name: 'Joko', adminSince: now }) };
}
type Office = Awaited<ReturnType<typeof buildOffice>>;
type Act = (office: Office, token: string, targetId: string) => Promise<Answer>;

const put =
  (body: object, path = ''): Act =>
  ({ test }, token, id) =>
    test.call('PUT', `/api/admin/users/${id}${path}`, { token, body: { ...body, ...ownPassword } });
const acts: [string, Act][] = [
  ['deactivation', put({ is_active: false })],
  ['switch', put({}, '/toggle-status')],
  ['new address', put({ email: 'lain@kantor.id' })],
  ['new password', put({ password: 'rahasia-lain' }, '/password')],
  ['deletion', ({ test }, token, id) => test.call('DELETE', `/api/admin/users/${id}`, { token, body: ownPassword })],
  [
    'recovery code',
    ({ test }, token, id) =>
      test.call('POST', `/api/admin/users/${id}/recovery-code`, {
        token,
        body: { checked: 'counter', ...ownPassword },
      }),
  ],
];

describe.each([...acts, ['demotion', put({ is_admin: false })] as [string, Act]])(
  'the %s of an admin',
  (_name, act) => {
    it('answers 403 to an admin whose account or password is younger than a day', async () => {
      const office = await buildOffice();
      const before = storedUsers(office.test);
      expect(await act(office, office.joko.token, office.dewi.id)).toMatchObject(TOO_EARLY);
      changeUser(office.test, office.ratna.id, { passwordChangedAt: office.now });
      expect(await act(office, office.ratna.token, office.dewi.id)).toMatchObject(TOO_EARLY);
      changeUser(office.test, office.ratna.id, { passwordChangedAt: 0 });
      expect(storedUsers(office.test)).toEqual(before);
    });
  },
);

describe.each(acts)('the %s of an account that was an admin within 24 hours', (_name, act) => {
  it('needs the same, and is told to all others', async () => {
    const office = await buildOffice();
    const { test, ratna, dewi, joko } = office;
    expect((await put({ is_admin: false })(office, ratna.token, dewi.id)).status).toBe(200);
    const told = async () => {
      const answer = await test.call('GET', '/api/admin/notices', { token: joko.token });
      return (answer.body.data as unknown[]).length;
    };
    const toldBefore = await told();
    expect((await act(office, joko.token, dewi.id)).status).toBe(403);
    expect([200, 201]).toContain((await act(office, ratna.token, dewi.id)).status);
    expect(await told()).toBe(toldBefore + 1);
  });

  it('becomes an ordinary act a day later', async () => {
    const office = await buildOffice();
    const { test, ratna, dewi, joko } = office;
    await put({ is_admin: false })(office, ratna.token, dewi.id);
    test.clock.advance(DAY_MS);
    changeUser(test, joko.id, { adminSince: test.clock.now() });
    expect([200, 201]).toContain((await act(office, buildSession(test, joko.id).token, dewi.id)).status);
  });
});

describe('becoming an admin', () => {
  const promote = put({ is_admin: true });
  const create: Act = ({ test }, token) =>
    test.call('POST', '/api/admin/users', {
      token,
      body: { name: 'Baru', email: 'baru@kantor.id', password: 'rahasia-1', is_admin: true, ...ownPassword },
    });
  const activate: Act = async (office, token) =>
    put({ is_active: true })(office, token, buildAdmin(office.test, { isActive: false }).id);

  it.each([
    ['promotion', promote],
    ['creation', create],
    ['activation', activate],
  ])('by %s stays closed to an admin who is new while others are not', async (_name, act) => {
    const office = await buildOffice();
    expect(await act(office, office.joko.token, office.budi.id)).toMatchObject(TOO_EARLY);
    changeUser(office.test, office.ratna.id, { passwordChangedAt: office.now });
    expect(await act(office, office.ratna.token, office.budi.id)).toMatchObject(TOO_EARLY);
    // Their account began by a clock that was ahead.
    for (const { id } of [office.ratna, office.dewi]) changeUser(office.test, id, { adminSince: office.now + 1 });
    expect(await act(office, office.joko.token, office.budi.id)).toMatchObject(TOO_EARLY);
  });

  it('stays closed to the one who is left after the others lost the role within a day', async () => {
    const office = await buildOffice();
    const { test, now, ratna, dewi, joko, budi } = office;
    removeUser(test, ratna.id);
    changeUser(test, dewi.id, { isAdmin: false, adminEndedAt: test.context.operatingNow() });
    expect(now).toBe(test.clock.now());
    expect(await promote(office, joko.token, budi.id)).toMatchObject(TOO_EARLY);
  });

  it('succeeds for the first admin of a new office on the first day, also several times, but not for these', async () => {
    const office = await buildOffice();
    const { test, ratna, dewi, joko, budi } = office;
    for (const { id } of [ratna, dewi]) removeUser(test, id);
    expect((await promote(office, joko.token, budi.id)).status).toBe(200);
    test.clock.advance(HOUR_MS);
    expect((await create(office, joko.token, '')).status).toBe(201);
    const login = { email: 'baru@kantor.id', password: 'rahasia-1' };
    const { token } = (await test.call('POST', '/api/auth/login', { body: login })).body.data as { token: string };
    const body = { is_admin: true, current_password: 'rahasia-1' };
    const byNew = await test.call('PUT', `/api/admin/users/${buildTestUser(test).id}`, { token, body });
    expect(byNew.status).toBe(403);
    // The first one ends none of them on that day.
    expect((await put({ is_admin: false })(office, joko.token, budi.id)).status).toBe(403);
  });

  it('takes no address that nobody can own, and ends an open code of the account', async () => {
    const office = await buildOffice();
    const { test, ratna, budi } = office;
    const asked = { token: ratna.token, body: { checked: 'counter' } };
    const made = await test.call('POST', `/api/admin/users/${budi.id}/recovery-code`, asked);
    expect((await promote(office, ratna.token, budi.id)).status).toBe(200);
    const { code } = made.body.data as { code: string };
    const complete = { code, password: ADMIN_PASSWORD, password_confirmation: ADMIN_PASSWORD };
    expect((await test.call('POST', '/api/auth/recovery/complete', { body: complete })).status).toBe(422);
    const card = buildTestUser(test, { email: 'w-48217735@tanpa-email.invalid' });
    expect(await promote(office, ratna.token, card.id)).toMatchObject({
      status: 409,
      body: { message: 'Isi email dulu.' },
    });
  });
});
