import { describe, expect, it } from 'vitest';
import { buildSession, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { changeUser } from '#server/testing/rows.ts';
import { buildTestApp, type Answer, type TestApp } from '#server/testing/test-app.ts';

const PASSWORD = 'rahasia-1';
const MINUTE = 60_000;
const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true };
const passwordHash = cheapHash(PASSWORD);

type Client = { address?: string; forwardedFor?: string; deviceToken?: string | undefined };

async function login(test: TestApp, email: string, password: string, client: Client = {}) {
  const response = await test.server.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password, device_token: client.deviceToken },
    remoteAddress: client.address ?? '10.0.0.1',
    headers: client.forwardedFor ? { 'x-forwarded-for': client.forwardedFor } : {},
  });
  return { status: response.statusCode, body: response.json<unknown>(), retryAfter: response.headers['retry-after'] };
}

async function failTenTimes(test: TestApp, email: string, client: Client = {}): Promise<void> {
  for (let round = 0; round < 10; round += 1) expect((await login(test, email, 'salah', client)).status).toBe(401);
}

describe('the limit of wrong passwords', () => {
  it('answers 429 from the eleventh attempt on, also to the right password, until 15 minutes have passed', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    await failTenTimes(test, email);
    const refused = await login(test, email, PASSWORD);
    expect(refused).toEqual({
      status: 429,
      body: { success: false, message: 'Terlalu banyak percobaan. Coba lagi dalam 900 detik.' },
      retryAfter: '900',
    });
    test.clock.advance(15 * MINUTE - 500);
    expect(await login(test, email, PASSWORD)).toMatchObject({ status: 429, retryAfter: '1' });
    test.clock.advance(500);
    expect((await login(test, email, PASSWORD)).status).toBe(200);
  });

  it('counts in a sliding window', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    expect((await login(test, email, 'salah')).status).toBe(401);
    test.clock.advance(14 * MINUTE);
    for (let round = 0; round < 9; round += 1) await login(test, email, 'salah');
    expect(await login(test, email, 'salah')).toMatchObject({ status: 429, retryAfter: '60' });
    test.clock.advance(MINUTE);
    expect((await login(test, email, 'salah')).status).toBe(401);
    expect(await login(test, email, 'salah')).toMatchObject({ status: 429, retryAfter: '840' });
  });

  it('also counts for an account that does not exist', async () => {
    const test = await buildTestApp();
    await failTenTimes(test, 'tidak-ada@contoh.id');
    expect((await login(test, 'tidak-ada@contoh.id', 'salah')).status).toBe(429);
  });

  it('does not affect other accounts at the same IP address, nor the account at other IP addresses', async () => {
    const test = await buildTestApp();
    const one = buildTestUser(test, { passwordHash });
    const two = buildTestUser(test, { passwordHash });
    await failTenTimes(test, one.email);
    expect((await login(test, one.email.toUpperCase(), PASSWORD)).status).toBe(429);
    expect((await login(test, two.email, PASSWORD)).status).toBe(200);
    expect((await login(test, one.email, PASSWORD, { address: '10.0.0.2' })).status).toBe(200);
  });

  it('holds when all attempts are sent at once', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    const answers = await Promise.all(Array.from({ length: 30 }, () => login(test, email, 'salah')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('starts again after a right password', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    for (let round = 0; round < 9; round += 1) await login(test, email, 'salah');
    expect((await login(test, email, PASSWORD)).status).toBe(200);
    await failTenTimes(test, email);
  });

  it('does not count right passwords, however many are sent at once', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    const answers = await Promise.all(Array.from({ length: 15 }, () => login(test, email, PASSWORD)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('does not count a body without a password', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    for (let round = 0; round < 12; round += 1) expect((await login(test, email, '')).status).toBe(422);
    expect((await login(test, email, PASSWORD)).status).toBe(200);
  });

  it('does not apply with RATE_LIMITS=off', async () => {
    const test = await buildTestApp({ settings: { ...settings, rateLimits: false } });
    const { email } = buildTestUser(test, { passwordHash });
    await failTenTimes(test, email);
    expect((await login(test, email, 'salah')).status).toBe(401);
  });

  it('counts the addresses of one IPv6 network as one address', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    for (let host = 1; host <= 10; host += 1) {
      expect((await login(test, email, 'salah', { address: `2001:db8:1:2::${host}` })).status).toBe(401);
    }
    expect((await login(test, email, PASSWORD, { address: '2001:db8:1:2:ffff::1' })).status).toBe(429);
    expect((await login(test, email, PASSWORD, { address: '2001:db8:1:3::1' })).status).toBe(200);
  });

  it('starts again with every new password, also one that another process has set', async () => {
    const test = await buildTestApp();
    const { id, email } = buildTestUser(test, { passwordHash });
    await failTenTimes(test, email);
    expect((await login(test, email, PASSWORD)).status).toBe(429);
    // The command `admin reset-password` does this beside the running server.
    changeUser(test, id, { passwordHash: cheapHash('rahasia-2') });
    expect((await login(test, email, 'rahasia-2')).status).toBe(200);
  });

  it('neither locks nor opens anything when the clock of the computer is set', async () => {
    const test = await buildTestApp();
    const { email } = buildTestUser(test, { passwordHash });
    test.clock.jump(41 * 24 * 60 * MINUTE);
    await failTenTimes(test, email);
    test.clock.jump(-41 * 24 * 60 * MINUTE);
    expect(await login(test, email, PASSWORD)).toMatchObject({ status: 429, retryAfter: '900' });
    test.clock.jump(3 * 24 * 60 * MINUTE);
    expect((await login(test, email, PASSWORD)).status).toBe(429);
    test.clock.advance(15 * MINUTE);
    expect((await login(test, email, PASSWORD)).status).toBe(200);
  });
});

describe('the address of a client behind a proxy', () => {
  const buildProxied = (trustedProxies: string[]) => buildTestApp({ settings: { ...settings, trustedProxies } });
  /** Tries wrong passwords, each with another address in the header. @returns the last status */
  async function failWithForwardedAddresses(test: TestApp, peer: string): Promise<number> {
    let status = 0;
    for (let round = 1; round <= 11; round += 1) {
      status = (await login(test, 'a@contoh.id', 'salah', { address: peer, forwardedFor: `203.0.113.${round}` }))
        .status;
    }
    return status;
  }

  it('equals that of the connection without TRUST_PROXY', async () => {
    expect(await failWithForwardedAddresses(await buildTestApp(), '127.0.0.1')).toBe(429);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('comes from the header of %s with TRUST_PROXY=on', async (peer) => {
    const test = await buildProxied([]);
    expect(await failWithForwardedAddresses(test, peer)).toBe(401);
    await failTenTimes(test, 'b@contoh.id', { address: peer, forwardedFor: '203.0.113.1' });
    const again = { address: peer, forwardedFor: '198.51.100.9, 203.0.113.1' };
    expect((await login(test, 'b@contoh.id', 'salah', again)).status).toBe(429);
  });

  it('equals that of the connection for a client that reaches the server past the proxy', async () => {
    expect(await failWithForwardedAddresses(await buildProxied([]), '192.168.1.77')).toBe(429);
    expect(await failWithForwardedAddresses(await buildProxied(['10.0.0.5']), '192.168.1.77')).toBe(429);
  });

  it('comes from the header of a listed address or network', async () => {
    const test = await buildProxied(['10.0.0.5', '172.18.0.0/16', 'fd00::/8']);
    for (const peer of ['10.0.0.5', '::ffff:10.0.0.5', '172.18.3.4', 'fd12::1']) {
      expect(await failWithForwardedAddresses(test, peer), peer).toBe(401);
    }
    expect(await failWithForwardedAddresses(test, '10.0.0.6')).toBe(429);
  });

  it('appears once in the log while the header does not count', async () => {
    const lines: string[] = [];
    const test = await buildTestApp({ logger: { level: 'warn', stream: { write: (line) => void lines.push(line) } } });
    for (const forwardedFor of ['203.0.113.1', '203.0.113.2'])
      await login(test, 'a@contoh.id', 'salah', { forwardedFor });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ peer: '10.0.0.1', msg: expect.stringContaining('TRUST_PROXY') }),
    ]);
  });
});

describe('a browser that has signed in to the account before', () => {
  async function buildKnownBrowser() {
    const test = await buildTestApp();
    const user = buildTestUser(test, { passwordHash });
    const deviceToken = deviceTokenOf(await login(test, user.email, PASSWORD));
    return { test, user, deviceToken };
  }
  const deviceTokenOf = ({ body }: { body: unknown }): string =>
    (body as { data: { device_token: string } }).data.device_token;

  it('gets in while strangers at the same address have used up their wrong passwords', async () => {
    const { test, user, deviceToken } = await buildKnownBrowser();
    await failTenTimes(test, user.email);
    expect((await login(test, user.email, PASSWORD)).status).toBe(429);
    const known = await login(test, user.email, PASSWORD, { deviceToken });
    expect(known.status).toBe(200);
    expect(deviceTokenOf(known)).toBe(deviceToken);
    // Also from elsewhere, and it stays the same browser.
    expect((await login(test, user.email, PASSWORD, { deviceToken, address: '10.9.9.9' })).status).toBe(200);
  });

  it('may try ten wrong passwords of its own, whatever its address is', async () => {
    const { test, user, deviceToken } = await buildKnownBrowser();
    for (let host = 1; host <= 10; host += 1) {
      expect((await login(test, user.email, 'salah', { deviceToken, address: `10.0.1.${host}` })).status).toBe(401);
    }
    expect((await login(test, user.email, PASSWORD, { deviceToken })).status).toBe(429);
    // Strangers have theirs, and so does another browser of the account.
    const other = await login(test, user.email, PASSWORD);
    expect(other.status).toBe(200);
    expect((await login(test, user.email, PASSWORD, { deviceToken: deviceTokenOf(other) })).status).toBe(200);
  });

  it('counts as a stranger for another account, and with a token that the server did not sign', async () => {
    const { test, user, deviceToken } = await buildKnownBrowser();
    const other = buildTestUser(test, { passwordHash });
    const [deviceId = ''] = deviceToken.split('.');
    const foreign = deviceTokenOf(await login(test, other.email, PASSWORD));
    for (const token of [foreign, `${deviceId}.`, `${deviceId}.AAAA`, `x${deviceToken}`, '', '.', 'x'.repeat(500)]) {
      await test.context.write(() => null);
      await login(test, user.email, 'salah', { deviceToken: token });
    }
    for (let round = 0; round < 3; round += 1) await login(test, user.email, 'salah', { deviceToken: foreign });
    expect((await login(test, user.email, PASSWORD, { deviceToken: foreign })).status).toBe(429);
    expect((await login(test, other.email, PASSWORD, { deviceToken: foreign })).status).toBe(200);
  });

  it('counts as unknown after a new password, and as known again after the answer to its change', async () => {
    const { test, user, deviceToken } = await buildKnownBrowser();
    const changed = await test.call('PUT', '/api/auth/password', {
      token: user.token,
      body: { current_password: PASSWORD, password: 'rahasia-2', password_confirmation: 'rahasia-2' },
    });
    await failTenTimes(test, user.email);
    expect((await login(test, user.email, 'rahasia-2', { deviceToken })).status).toBe(429);
    const known = { deviceToken: deviceTokenOf(changed) };
    expect((await login(test, user.email, 'rahasia-2', known)).status).toBe(200);
  });

  it('can change its password while strangers try theirs', async () => {
    const { test, user, deviceToken } = await buildKnownBrowser();
    await failTenTimes(test, user.email, { address: '127.0.0.1' });
    const change = (device_token: unknown): Promise<Answer> =>
      test.call('PUT', '/api/auth/password', {
        token: buildSession(test, user.id).token,
        body: { current_password: PASSWORD, password: 'rahasia-2', password_confirmation: 'rahasia-2', device_token },
      });
    expect((await change(7)).status).toBe(429);
    expect((await change(deviceToken)).status).toBe(200);
  });
});
