import { argon2, createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { listen } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

/** Calls that wait for their hash; null lets every hash end at once. */
let held: (() => void)[] | null = null;

// A hash that costs nothing, and that the test can hold back.
vi.mock(import('node:crypto'), async (importOriginal) => {
  const crypto = await importOriginal();
  const fakeArgon2: typeof crypto.argon2 = (_algorithm, { message, nonce }, callback) => {
    const key = createHash('sha256')
      .update(message as string)
      .update(Buffer.from(nonce as Buffer))
      .digest();
    const end = (): void => callback(null, key);
    if (held) held.push(end);
    else setImmediate(end);
  };
  return { ...crypto, argon2: vi.fn(fakeArgon2) };
});
beforeEach(() => void vi.mocked(argon2).mockClear());
afterEach(() => releaseAll());

const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true };
const hashCount = (): number => vi.mocked(argon2).mock.calls.length;
const registration = (email: string) => ({
  name: 'Budi',
  email,
  password: 'rahasia-1',
  password_confirmation: 'rahasia-1',
});

async function post(test: TestApp, url: string, body: object, address = '10.0.0.1') {
  const response = await test.server.inject({ method: 'POST', url, payload: body, remoteAddress: address });
  return { status: response.statusCode, body: response.json<{ data: { device_token: string } }>(), response };
}
const login = (test: TestApp, email: string, password = 'salah-sekali', extra: object = {}, address?: string) =>
  post(test, '/api/auth/login', { email, password, ...extra }, address);
const register = (test: TestApp, email: string, address?: string) =>
  post(test, '/api/auth/register', registration(email), address);

/** Ends the hashes that are held back, and those that follow at once. */
function releaseAll(): void {
  const waiting = held ?? [];
  held = null;
  for (const end of waiting) end();
}

describe('a flood of logins and registrations', () => {
  it('of one account from many known browsers keeps nobody else out', async () => {
    const test = await buildTestApp({ settings });
    for (const email of ['banyak@contoh.id', 'lain@contoh.id']) expect((await register(test, email)).status).toBe(201);
    const tokens: string[] = [];
    for (let browser = 0; browser < 60; browser += 1)
      tokens.push((await login(test, 'banyak@contoh.id', 'rahasia-1')).body.data.device_token);
    held = [];
    const flood = tokens.map((device_token) => login(test, 'banyak@contoh.id', 'rahasia-1', { device_token }));
    await expect.poll(() => held).toHaveLength(1);
    const other = login(test, 'lain@contoh.id', 'rahasia-1', {}, '10.0.0.2');
    await expect.poll(() => held).toHaveLength(2);
    releaseAll();
    expect((await other).status).toBe(200);
    await Promise.all(flood);
  });

  it.each(['unknown e-mails', 'registrations', 'known browsers'])(
    'of sixty %s at one address lets a new browser at another address sign in at once',
    async (kind) => {
      const test = await buildTestApp();
      await register(test, 'warga@contoh.id', '10.0.0.2');
      const emails = Array.from({ length: 60 }, (_, index) => `x${index}@contoh.id`);
      const browsers = new Map<string, string>();
      if (kind === 'known browsers')
        for (const email of emails) browsers.set(email, (await register(test, email)).body.data.device_token);
      held = [];
      let answers = 0;
      const flood = emails.map(async (email) => {
        if (kind === 'registrations') await register(test, email);
        else await login(test, email, 'salah-sekali', { device_token: browsers.get(email) });
        answers += 1;
      });
      await expect.poll(() => answers).toBe(8);
      const entered = vi.fn();
      const newcomer = login(test, 'warga@contoh.id', 'rahasia-1', {}, '10.0.0.3').finally(entered);
      // A hash ends once the call of the last one is answered, so a slow database delays all alike.
      while (entered.mock.calls.length === 0 && answers < emails.length) {
        const before = answers;
        held.shift()?.();
        await expect.poll(() => entered.mock.calls.length + answers, { interval: 1 }).toBeGreaterThan(before);
      }
      expect((await newcomer).status).toBe(200);
      // Addresses take turns, so most of the flood still waits.
      expect(answers).toBeLessThan(30);
      releaseAll();
      await Promise.all(flood);
    },
  );

  it('computes two hashes at once in the whole process, lets fifty wait, and answers the rest 503', async () => {
    // Two servers of one process share the gate.
    const [one, two] = [await buildTestApp({ settings: { ...settings, rateLimits: false } }), await buildTestApp()];
    held = [];
    const answered: Awaited<ReturnType<typeof login>>[] = [];
    const all = Array.from({ length: 60 }, async (_, index) => {
      const call = index % 2 === 0 ? login : register;
      answered.push(await call(index % 2 === 0 ? one : two, `x${index}@contoh.id`));
    });
    await expect.poll(() => answered.length).toBe(8);
    for (const { status, body, response } of answered) {
      expect(status).toBe(503);
      expect(body).toEqual({ success: false, message: 'Server sedang sibuk. Coba lagi.' });
      expect(response.headers['retry-after']).toBe('2');
    }
    expect(hashCount()).toBe(2);
    releaseAll();
    await Promise.all(all);
    expect(new Set(answered.slice(8).map(({ status }) => status))).toEqual(new Set([401, 201]));
    expect(hashCount()).toBe(52);
  });

  it('computes no hash for a caller who hung up while waiting', async () => {
    const test = await buildTestApp();
    const arrived = { count: 0, hungUp: 0 };
    test.server.server.on('request', (_request, response) => {
      arrived.count += 1;
      response.once('close', () => (arrived.hungUp += response.writableFinished ? 0 : 1));
    });
    const url = `${await listen(test)}/api/auth/login`;
    held = [];
    const [first, second] = [login(test, 'a@contoh.id'), login(test, 'b@contoh.id')];
    await expect.poll(hashCount).toBe(2);
    const caller = new AbortController();
    const waiting = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'c@contoh.id', password: 'salah' }),
      signal: caller.signal,
    });
    await expect.poll(() => arrived.count).toBe(1);
    caller.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => arrived.hungUp).toBe(1);
    releaseAll();
    await Promise.all([first, second]);
    // A request after it on the same server is answered, so the one before it had its chance.
    expect((await login(test, 'd@contoh.id')).status).toBe(401);
    expect(hashCount()).toBe(3);
  });
});

describe('the limits of one address', () => {
  it('allow a hundred wrong passwords in 15 minutes for all accounts together', async () => {
    const test = await buildTestApp();
    const known = await register(test, 'budi@contoh.id', '10.0.0.1');
    const { email } = buildTestUser(test);
    for (let round = 0; round < 100; round += 1) {
      expect((await login(test, `x${round}@contoh.id`)).status).toBe(401);
    }
    // The first one of each account counts apart.
    for (const wrong of [email, 'budi@contoh.id']) expect((await login(test, wrong)).status).toBe(401);
    const hashes = hashCount();
    expect(await login(test, email)).toMatchObject({ status: 429, response: { headers: { 'retry-after': '900' } } });
    expect((await login(test, 'budi@contoh.id', 'rahasia-1')).status).toBe(429);
    expect((await login(test, 'tidak-ada@contoh.id')).status).toBe(429);
    expect(hashCount()).toBe(hashes);
    // Another address is not affected, nor a browser that has signed in to the account before.
    expect((await login(test, email, 'salah', {}, '10.0.0.2')).status).toBe(401);
    const device = { device_token: known.body.data.device_token };
    expect((await login(test, 'budi@contoh.id', 'rahasia-1', device)).status).toBe(200);
    test.clock.advance(15 * 60_000);
    expect((await login(test, 'budi@contoh.id', 'rahasia-1')).status).toBe(200);
  });

  it('leave a part to accounts of which nobody tried a wrong password there', async () => {
    const test = await buildTestApp();
    const owners = ['budi@contoh.id', 'siti@contoh.id', 'tono@contoh.id'];
    for (const email of owners) await register(test, email, '10.0.0.2');
    for (let round = 0; round < 99; round += 1) await login(test, `x${round}@contoh.id`);
    await login(test, 'tono@contoh.id');
    for (let round = 0; round < 3; round += 1) {
      for (const email of owners.slice(0, 2)) expect((await login(test, email, 'rahasia-1')).status).toBe(200);
    }
    expect((await login(test, 'tono@contoh.id', 'rahasia-1')).status).toBe(429);
    // An address without an account has no part (docs/security.md).
    expect((await login(test, 'tidak-ada@contoh.id')).status).toBe(429);
    // An attacker who knows many accounts has one try for each, and a hundred in all.
    for (let round = 0; round < 100; round += 1) {
      expect((await login(test, buildTestUser(test).email)).status).toBe(401);
    }
    expect((await login(test, 'budi@contoh.id', 'rahasia-1')).status).toBe(429);
    test.clock.advance(15 * 60_000);
    expect((await login(test, 'tono@contoh.id', 'rahasia-1')).status).toBe(200);
  });

  it('allow 300 registrations in an hour, however many come at once', async () => {
    const test = await buildTestApp();
    const registerMany = async (from: number, count: number) =>
      Promise.all(Array.from({ length: count }, async (_, index) => register(test, `x${from + index}@contoh.id`)));
    for (let from = 0; from < 280; from += 40) await registerMany(from, 40);
    const last = await registerMany(280, 50);
    expect(last.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(last.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('allow 300 registrations in an hour, without a bound for what admins create', async () => {
    const test = await buildTestApp();
    for (let round = 0; round < 300; round += 1) {
      expect((await register(test, `x${round}@contoh.id`, `2001:db8::${round.toString(16)}`)).status).toBe(201);
    }
    const refused = await register(test, 'lagi@contoh.id', '2001:db8::ffff');
    expect(refused).toMatchObject({ status: 429, response: { headers: { 'retry-after': '3600' } } });
    expect((await register(test, 'lagi@contoh.id', '2001:db8:1::1')).status).toBe(201);
    const { token } = buildAdmin(test);
    const body = { name: 'Siti', email: 'siti@contoh.id', password: 'rahasia-1' };
    expect((await test.call('POST', '/api/admin/users', { token, body })).status).toBe(201);
    test.clock.jump(-3 * 24 * 60 * 60_000);
    test.clock.advance(60 * 60_000);
    expect((await register(test, 'nanti@contoh.id', '2001:db8::ffff')).status).toBe(201);
  });

  it('do not apply with RATE_LIMITS=off', async () => {
    const test = await buildTestApp({ settings: { ...settings, rateLimits: false } });
    for (let round = 0; round < 101; round += 1) {
      expect((await login(test, `x${round}@contoh.id`)).status).toBe(401);
    }
    for (let round = 0; round < 301; round += 1) {
      expect((await register(test, `y${round}@contoh.id`)).status).toBe(201);
    }
  });
});
