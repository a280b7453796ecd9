import { beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/passwords.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const PASSWORD = 'rahasia-1';
const MINUTE = 60_000;
const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustProxy: false, rateLimits: true };
let passwordHash = '';
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

type ClientAddress = { address?: string; forwardedFor?: string };

async function login(test: TestApp, email: string, password: string, clientAddress: ClientAddress = {}) {
  const response = await test.server.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password },
    remoteAddress: clientAddress.address ?? '10.0.0.1',
    headers: clientAddress.forwardedFor ? { 'x-forwarded-for': clientAddress.forwardedFor } : {},
  });
  return { status: response.statusCode, body: response.json<unknown>(), retryAfter: response.headers['retry-after'] };
}

async function failTenTimes(test: TestApp, email: string, clientAddress: ClientAddress = {}): Promise<void> {
  for (let round = 0; round < 10; round += 1)
    expect((await login(test, email, 'salah', clientAddress)).status).toBe(401);
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

  it('uses the forwarded IP address only with TRUST_PROXY', async () => {
    const plain = await buildTestApp();
    await failTenTimes(plain, 'a@contoh.id', { forwardedFor: '203.0.113.1' });
    expect((await login(plain, 'a@contoh.id', 'salah', { forwardedFor: '203.0.113.2' })).status).toBe(429);

    const proxied = await buildTestApp({ settings: { ...settings, trustProxy: true } });
    await failTenTimes(proxied, 'a@contoh.id', { forwardedFor: '203.0.113.1' });
    expect((await login(proxied, 'a@contoh.id', 'salah', { forwardedFor: '203.0.113.1' })).status).toBe(429);
    expect((await login(proxied, 'a@contoh.id', 'salah', { forwardedFor: '203.0.113.2' })).status).toBe(401);
  });
});
