import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { findFractions } from '#server/testing/fractions.ts';
import { createSessionGuards } from '#server/http/session-guards.ts';
import { changeSession, changeUser, removeUser, storedSessions } from '#server/testing/rows.ts';
import { openTab } from '#server/testing/sockets.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createSessions } from './sessions.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const SECRET = 'a-secret-for-tests-that-is-long-enough';
const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const statusOf = async (test: TestApp, token: string): Promise<number> =>
  (await test.call('GET', '/api/auth/user', { token })).status;

/** The guard of every admin route. */
function buildAdminGuard(test: TestApp) {
  const sessions = createSessions(test.server.jwt, test.context);
  return createSessionGuards((token) => sessions.resolve(token)).requireAdmin;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a token with the algorithm and the secret that the test chooses. */
function forgeToken(payload: object, { alg = 'HS256', hash = 'sha256', secret = SECRET } = {}): string {
  const input = `${encode({ alg, typ: 'JWT' })}.${encode(payload)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

it('stores whole milliseconds, whatever the clock of the program counts', async () => {
  let at = 0.25;
  const test = await buildTestApp({ monotonicNow: () => (at += 1.3) });
  const password = 'rahasia-1';
  const account = { name: 'Siti', email: 'siti@contoh.id', password, password_confirmation: password };
  await test.call('POST', '/api/auth/register', { body: account });
  const { body } = await test.call('POST', '/api/auth/login', { body: account });
  const { token } = body.data as { token: string };
  const change = { password: 'rahasia-2', password_confirmation: 'rahasia-2', current_password: password };
  expect((await test.call('PUT', '/api/auth/password', { token, body: change })).status).toBe(200);
  expect(storedSessions(test)).not.toEqual([]);
  expect(findFractions(test.database.sqlite)).toEqual([]);
});

describe('a token', () => {
  it('needs one check of its signature, until 5,000 others have been checked', async () => {
    const test = await buildTestApp();
    const { resolve } = createSessions(test.server.jwt, test.context);
    const verify = vi.spyOn(test.server.jwt, 'verify');
    const exp = Math.floor(test.clock.now() / 1000) + 60;
    const signed = (at: number): string => forgeToken({ sub: 'tidak-ada', jti: `sesi-${at}`, iat: exp - 60, exp });
    await resolve(signed(0));
    await resolve(signed(0));
    expect(verify).toHaveBeenCalledTimes(1);
    for (let at = 1; at <= 5000; at += 1) await resolve(signed(at));
    await resolve(signed(0));
    expect(verify).toHaveBeenCalledTimes(5002);
  });

  it('counts only with an HS256 signature of the own secret and a stored session', async () => {
    const test = await buildTestApp();
    const user = buildTestUser(test);
    const other = buildTestUser(test);
    const iat = Math.floor(test.clock.now() / 1000);
    const claims = { sub: user.id, jti: user.sessionId, iat, exp: iat + 3600 };
    expect(await statusOf(test, forgeToken(claims))).toBe(200);

    const [head, body, signature] = forgeToken(claims).split('.');
    const refused = {
      'no signature': `${head}.${body}.`,
      'two parts': `${head}.${body}`,
      'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
      'alg none with a signature': `${encode({ alg: 'none', typ: 'JWT' })}.${body}.${signature}`,
      'alg RS256 signed by HMAC': forgeToken(claims, { alg: 'RS256' }),
      'alg HS512': forgeToken(claims, { alg: 'HS512', hash: 'sha512' }),
      'alg HS384': forgeToken(claims, { alg: 'HS384', hash: 'sha384' }),
      'another secret': forgeToken(claims, { secret: `${SECRET}!` }),
      'tampered payload': `${head}.${encode({ ...claims, sub: other.id })}.${signature}`,
      'no jti': forgeToken({ ...claims, jti: undefined }),
      'no exp': forgeToken({ ...claims, exp: undefined }),
      'no sub': forgeToken({ ...claims, sub: undefined }),
      'exp that is no number': forgeToken({ ...claims, exp: 'later' }),
      'jti that is no text': forgeToken({ ...claims, jti: { $ne: '' } }),
      'unknown jti': forgeToken({ ...claims, jti: other.id }),
      "another's session": forgeToken({ ...claims, sub: other.id }),
      expired: forgeToken({ ...claims, exp: iat }),
      'not before': forgeToken({ ...claims, nbf: Math.floor(Date.now() / 1000) + 1e6 }),
    };
    for (const [what, token] of Object.entries(refused)) {
      const answer = await test.call('GET', '/api/auth/user', { token });
      expect(answer.body, what).toEqual({
        success: false,
        message: 'Sesi Anda telah berakhir. Silakan login kembali.',
      });
      expect(answer.status, what).toBe(401);
    }
  });

  it('holds jti and exp, at most thirty days ahead, and no role', async () => {
    const test = await buildTestApp();
    const password = 'rahasia-1';
    const body = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };
    const answer = await test.call('POST', '/api/auth/register', { body, headers: { 'user-agent': 'x'.repeat(999) } });
    const { token } = answer.body.data as { token: string };
    const [head = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(head)).toMatchObject({ alg: 'HS256' });
    const { sub, jti, iat, exp } = JSON.parse(claims) as Record<'sub' | 'jti' | 'iat' | 'exp', string & number>;
    expect(Object.keys(JSON.parse(claims) as object).toSorted()).toEqual(['exp', 'iat', 'jti', 'sub']);
    expect(exp - iat).toBe(30 * 24 * 3600);
    const [row] = storedSessions(test);
    expect(row).toMatchObject({ id: jti, userId: sub, createdAt: test.clock.now(), address: '127.0.0.1' });
    expect(row?.userAgent).toHaveLength(300);
  });
});

describe('a session', () => {
  it('ends seven days after its last use', async () => {
    const test = await buildTestApp();
    const { token, sessionId } = buildTestUser(test);
    const lastSeen = () => storedSessions(test).find(({ id }) => id === sessionId)?.lastSeenAt;
    test.clock.advance(7 * DAY - 1);
    expect(await statusOf(test, token)).toBe(200);
    await expect.poll(lastSeen).toBe(test.clock.now());
    test.clock.advance(7 * DAY - 1);
    expect(await statusOf(test, token)).toBe(200);
    await expect.poll(lastSeen).toBe(test.clock.now());
    test.clock.advance(7 * DAY);
    expect(await statusOf(test, token)).toBe(401);
  });

  it('stores its last use at most once in five minutes', async () => {
    const test = await buildTestApp();
    const { token, sessionId, createdAt } = buildTestUser(test);
    test.clock.advance(5 * MINUTE);
    await statusOf(test, token);
    // Writes run in order: after this one, an earlier one would be stored.
    await test.context.write(() => undefined);
    const row = storedSessions(test).find(({ id }) => id === sessionId);
    expect(row?.lastSeenAt).toBe(createdAt);
  });

  it('ends thirty days after the login, even if it was used all the time', async () => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test);
    for (let day = 1; day < 30; day += 1) {
      test.clock.advance(DAY);
      expect(await statusOf(test, token)).toBe(200);
      await test.context.write(() => undefined);
    }
    test.clock.advance(DAY);
    expect(await statusOf(test, token)).toBe(401);
  });

  it('ends when the account signs in for the twentieth time after it, whatever the clock says', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const test = await buildTestApp({ settings: { ...settings, rateLimits: false } });
    const password = 'rahasia-1';
    const body = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };
    const other = buildTestUser(test);
    const tokenOf = (answer: Answer): string => (answer.body.data as { token: string }).token;
    const tokens = [tokenOf(await test.call('POST', '/api/auth/register', { body }))];
    const [oldest, otherTab] = [await openTab(test, { token: tokens[0] ?? '' }), await openTab(test, other)];
    for (let round = 0; round < 20; round += 1) {
      // The newest session has the oldest time.
      test.clock.jump(-MINUTE);
      expect(oldest.payloadsOf('session:ended')).toEqual([]);
      tokens.push(tokenOf(await test.call('POST', '/api/auth/login', { body })));
    }
    expect(await oldest.ended()).toBe('io server disconnect');
    expect(oldest.received().at(-1)?.event).toBe('session:ended');
    expect(await Promise.all(tokens.map((token) => statusOf(test, token)))).toEqual([
      401,
      ...Array<number>(20).fill(200),
    ]);
    expect(await statusOf(test, other.token)).toBe(200);
    expect(otherTab.payloadsOf('session:ended')).toEqual([]);
  });

  it('survives a clock that is set forward or back by days, and put right again', async () => {
    const test = await buildTestApp();
    const password = 'rahasia-1';
    const body = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };
    const before = buildTestUser(test);
    await test.call('POST', '/api/auth/register', { body });
    for (const days of [10, -3, -40, 3650]) {
      test.clock.jump(days * DAY);
      // Another user signs in meanwhile, which also deletes the sessions that ended.
      const answer = await test.call('POST', '/api/auth/login', { body });
      const { token } = answer.body.data as { token: string };
      test.clock.advance(6 * 60 * MINUTE);
      expect(await statusOf(test, before.token), `${days} days`).toBe(200);
      await test.context.write(() => null);
      test.clock.jump(-days * DAY);
      test.clock.advance(6 * 60 * MINUTE);
      expect([await statusOf(test, before.token), await statusOf(test, token)], `${days} days`).toEqual([200, 200]);
      await test.context.write(() => null);
    }
  });

  it('does not live on because the clock was years ahead when it began', async () => {
    const test = await buildTestApp();
    const password = 'rahasia-1';
    const body = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };
    await test.call('POST', '/api/auth/register', { body });
    const user = buildTestUser(test);
    const ahead = test.clock.now() + 3650 * DAY;
    changeSession(test, user.sessionId, { lastSeenAt: ahead, expiresAt: ahead + 30 * DAY });
    await test.call('POST', '/api/auth/login', { body });
    test.clock.advance(7 * DAY - 1);
    expect(storedSessions(test).find(({ id }) => id === user.sessionId)?.lastSeenAt).toBeLessThan(ahead);
    test.clock.advance(1);
    const iat = Math.floor(ahead / 1000);
    const token = forgeToken({ sub: user.id, jti: user.sessionId, iat, exp: iat + 3600 });
    expect(await statusOf(test, token)).toBe(401);
  });

  it('counts although its token was signed while the clock was ahead', async () => {
    const test = await buildTestApp();
    const user = buildTestUser(test);
    const iat = Math.floor(Date.now() / 1000) + 10 * 365 * 24 * 3600;
    const token = forgeToken({ sub: user.id, jti: user.sessionId, iat, exp: iat + 3600 });
    expect(await statusOf(test, token)).toBe(200);
  });

  it('disappears at the next login after it ended', async () => {
    const test = await buildTestApp();
    const password = 'rahasia-1';
    const body = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };
    await test.call('POST', '/api/auth/register', { body });
    test.clock.advance(8 * DAY);
    await test.call('POST', '/api/auth/login', { body });
    expect(storedSessions(test)).toHaveLength(1);
  });

  it('ends at once when its account is deactivated or deleted, without effect on other accounts', async () => {
    const test = await buildTestApp();
    const [deactivated, deleted, untouched] = [buildTestUser(test), buildTestUser(test), buildTestUser(test)];
    changeUser(test, deactivated.id, { isActive: false });
    removeUser(test, deleted.id);
    expect(await statusOf(test, deactivated.token)).toBe(401);
    expect(await statusOf(test, deleted.token)).toBe(401);
    expect(await statusOf(test, untouched.token)).toBe(200);
  });

  it('carries the role that is stored at the time of each request', async () => {
    const test = await buildTestApp();
    test.server.get('/api/admin/probe', { onRequest: buildAdminGuard(test) }, async () => ({
      success: true,
      message: 'ya',
    }));
    const user = buildAdmin(test);
    const ask = () => test.call('GET', '/api/admin/probe', { token: user.token });
    const setAdmin = (isAdmin: boolean) => changeUser(test, user.id, { isAdmin });
    expect((await test.call('GET', '/api/admin/probe')).status).toBe(401);
    expect((await ask()).status).toBe(200);
    setAdmin(false);
    expect(await ask()).toMatchObject({ status: 403, body: { message: 'Anda tidak memiliki akses' } });
    setAdmin(true);
    expect((await ask()).status).toBe(200);
  });

  itOnSqlite('survives a busy database, which answers 503 and not 401', async () => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test);
    test.expectErrorLog(/SQLITE_BUSY/);
    test.database.sqlite.function('busy', () => {
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    });
    test.database.sqlite.exec('alter table sessions rename to real_sessions');
    test.database.sqlite.exec('create view sessions as select * from real_sessions where busy() is null');
    const answer = await test.call('GET', '/api/auth/user', { token });
    expect(answer).toMatchObject({ status: 503, body: { message: 'Server sedang sibuk. Coba lagi.' } });
  });
});
