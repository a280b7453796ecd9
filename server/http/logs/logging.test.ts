import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { singleOf } from '#shared/api/envelope.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { loggerOptions } from './logging.ts';

type LogLine = { level: number; msg: string; reqId?: string; userId?: string; [key: string]: unknown };

/** The real app with the real logger, at the lowest level. */
async function buildTestAppWithLog() {
  const lines: string[] = [];
  const logger = loggerOptions('trace', { write: (line) => void lines.push(line) });
  const test = await buildTestApp({ logger });
  const parsed = (): LogLine[] => lines.map((line) => JSON.parse(line) as LogLine);
  return { ...test, text: () => lines.join(''), parsed };
}

const PASSWORD = 'sandi-sangat-rahasia';
const EMAIL = 'budi.pribadi@contoh.id';
const registration = { name: 'Budi Pribadi', email: EMAIL, password: PASSWORD, password_confirmation: PASSWORD };

describe('the request log', () => {
  it('holds every request with the id of its answer', async () => {
    const app = await buildTestAppWithLog();
    const first = await app.call('GET', '/healthz/x');
    const second = await app.call('GET', '/');
    const ids = [first, second].map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
      const requestLines = app.parsed().filter(({ reqId }) => reqId === id);
      expect(requestLines.map(({ msg }) => msg)).toEqual(
        expect.arrayContaining(['incoming request', 'request completed']),
      );
    }
  });

  it('holds the user id on every line after the session is known', async () => {
    const app = await buildTestAppWithLog();
    const user = buildTestUser(app);
    await app.call('GET', '/api/auth/user', { token: user.token });
    await app.call('GET', '/api/auth/admin-contact', { token: user.token });
    const done = app.parsed().filter(({ msg }) => msg === 'request completed' || msg === 'request refused');
    expect(done.map(({ userId }) => userId)).toEqual([user.id, user.id, user.id]);
  });

  it('holds no token, no password, no body, no query and no signature of a link', async () => {
    const app = await buildTestAppWithLog();
    const body = registration;
    const registered = await app.call('POST', '/api/auth/register', { body });
    const { token } = registered.body.data as { token: string };
    await app.call('POST', '/api/auth/register', { body });
    await app.call('POST', '/api/auth/register', { body: { ...body, email: `${EMAIL}@@`, name: { x: PASSWORD } } });
    await app.call('POST', '/api/auth/login', { body });
    await app.call('POST', '/api/auth/login', { body: { ...body, password: `${PASSWORD}!` } });
    await app.call('POST', '/api/auth/login', {
      payload: `{"email":"${EMAIL}","password":"${PASSWORD}"`,
      headers: { 'content-type': 'application/json' },
    });
    await app.call('POST', '/api/auth/login', {
      payload: `password=${PASSWORD}`,
      headers: { 'content-type': 'text/plain' },
    });
    await app.call('GET', `/api/auth/user?token=${token}&search=Pribadi`, { token });
    await app.call('GET', `/uploads/a.png?signature=${PASSWORD}`);
    await app.call('GET', `/%ff?signature=${PASSWORD}`);
    await app.call('POST', '/api/auth/logout', { token, headers: { cookie: `sandi=${PASSWORD}` } });
    const text = app.text();
    expect(app.parsed().length).toBeGreaterThan(20);
    for (const secret of [PASSWORD, token, token.split('.')[2] ?? '?', 'Pribadi', 'pribadi', 'argon2', 'Bearer']) {
      expect(text).not.toContain(secret);
    }
  });

  it('describes a refused request by status, code and fields', async () => {
    const app = await buildTestAppWithLog();
    await app.call('POST', '/api/auth/login', { body: { email: 'salah' } });
    const refused = app.parsed().find(({ msg }) => msg === 'request refused');
    expect(refused).toMatchObject({
      level: 30,
      status: 422,
      code: 'FST_ERR_VALIDATION',
      fields: ['email', 'password'],
    });
  });

  it('holds the stack and the causes of a server error, but none of its other properties', async () => {
    const app = await buildTestAppWithLog();
    app.server.get('/api/probe', async () => {
      const cause = Object.assign(new Error('disk went away'), { code: 'EIO', params: [PASSWORD] });
      throw Object.assign(new TypeError('cannot do it', { cause }), { query: `select '${PASSWORD}'`, data: PASSWORD });
    });
    await app.call('GET', '/api/probe');
    const failed = app.parsed().find(({ level }) => level === 50);
    expect(failed).toMatchObject({
      msg: 'request failed',
      err: {
        type: 'TypeError',
        message: 'cannot do it',
        stack: expect.stringContaining('logging.test.ts'),
        cause: { type: 'Error', message: 'disk went away', code: 'EIO' },
      },
    });
    expect(failed?.reqId).toMatch(/^[0-9a-f-]{36}$/);
    expect(app.text()).not.toContain(PASSWORD);
  });

  it('does not repeat an answer that failed its schema', async () => {
    const app = await buildTestAppWithLog();
    const schema = { response: { 200: singleOf(z.object({ amount: z.number() })) } };
    const data = { amount: PASSWORD };
    app.server.get('/api/probe', { schema }, async () => ({ success: true, message: PASSWORD, data }));
    await app.call('GET', '/api/probe');
    expect(app.parsed().find(({ level }) => level === 50)).toMatchObject({
      err: { code: 'FST_ERR_RESPONSE_SERIALIZATION' },
    });
    expect(app.text()).not.toContain(PASSWORD);
  });

  it('has no line for a successful health check', async () => {
    const app = await buildTestAppWithLog();
    await app.call('GET', '/healthz');
    expect(app.text()).toBe('');
  });
});
