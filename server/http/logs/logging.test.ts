import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { singleOf } from '#shared/api/envelope.ts';
import type { BackupsData } from '#shared/api/system.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { startInProcess } from '#server/operations/backups/worker.ts';
import { buildAdmin, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { buildImage } from '#server/testing/multipart.ts';
import { connectErrorMessage, listen, openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestOverrides } from '#server/testing/test-app.ts';
import { loggerOptions } from './logging.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

type LogLine = { level: number; msg: string; reqId?: string; userId?: string; [key: string]: unknown };

/** The real app with the real logger, at the lowest level. */
async function buildTestAppWithLog(overrides: TestOverrides = {}) {
  const lines: string[] = [];
  const logger = loggerOptions('trace', { write: (line) => void lines.push(line) });
  const test = await buildTestApp({ ...overrides, logger });
  const parsed = (): LogLine[] => lines.map((line) => JSON.parse(line) as LogLine);
  return { ...test, text: () => lines.join(''), parsed };
}

const PASSWORD = 'sandi-sangat-rahasia';
const EMAIL = 'budi.pribadi@contoh.id';
const PNG = buildImage('png');
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

  it('holds no secret at the level trace, whatever a signed-in user and an admin do', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pbb-log-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const paths = dataPathsIn(dataDir);
    for (const folder of [paths.proofsDir, paths.backupsDir]) mkdirSync(folder);
    const settings = {
      everyHours: 2,
      keep: { periods: 24, days: 14, months: 12 },
      secondDir: null,
      runningCopy: false,
    };
    const app = await buildTestAppWithLog({
      database: openTestDatabase(paths.databaseFile),
      proofsDir: paths.proofsDir,
      backups: { paths: { ...paths, dataDir }, settings, start: startInProcess },
    });
    const admin = buildAdmin(app, { passwordHash: cheapHash(PASSWORD) });
    const secrets = new Set([PASSWORD, `${PASSWORD}-baru`, admin.token]);
    const origin = await listen(app);

    // Through a real connection, so that the log has the raw headers too.
    const send = async (method: string, path: string, init: RequestInit & { token?: string } = {}) => {
      const headers = new Headers(init.headers);
      if (init.token) headers.set('authorization', `Bearer ${init.token}`);
      if (typeof init.body === 'string') headers.set('content-type', 'application/json');
      const response = await fetch(`${origin}${path}`, { ...init, method, headers });
      // Read to its end, so that the connection is idle when the server closes.
      return { status: response.status, text: await response.text() };
    };
    const dataOf = async <T>(pending: ReturnType<typeof send>, status: number): Promise<T> => {
      const answer = await pending;
      expect(answer.status).toBe(status);
      return (JSON.parse(answer.text) as { data: T }).data;
    };
    const registered = await dataOf<{ token: string }>(
      send('POST', '/api/auth/register', { body: JSON.stringify(registration) }),
      201,
    );
    const login = send('POST', '/api/auth/login', { body: JSON.stringify({ email: EMAIL, password: PASSWORD }) });
    const { token } = await dataOf<{ token: string }>(login, 200);
    for (const secret of [registered.token, token]) secrets.add(secret);

    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'Rumah', address: 'Jl. A', spt_number: '1', amount: '1' })) {
      form.set(name, value);
    }
    form.set('payment_proof', new Blob([new Uint8Array(PNG)], { type: 'image/png' }), 'bukti.png');
    const record = await dataOf<{ payment_proof: string }>(
      send('POST', '/api/tax-records', { token, body: form }),
      201,
    );
    for (const value of new URL(record.payment_proof, origin).searchParams.values()) {
      if (value.length > 15) secrets.add(value);
    }
    expect((await send('GET', record.payment_proof)).status).toBe(200);
    expect((await send('GET', `${record.payment_proof}x`)).status).toBe(404);

    const tab = await openTab(app, { token }, { headers: { authorization: `Bearer ${token}` } });
    await connectErrorMessage(app, { token: `${token}x` });
    tab.close();

    const passwords = {
      current_password: PASSWORD,
      password: `${PASSWORD}-baru`,
      password_confirmation: `${PASSWORD}-baru`,
    };
    expect((await send('PUT', '/api/auth/password', { token, body: JSON.stringify(passwords) })).status).toBe(200);

    expect((await send('POST', '/api/admin/backups', { token: admin.token })).status).toBe(200);
    await app.backups.waitUntilIdle();
    const { backups } = await dataOf<BackupsData>(send('GET', '/api/admin/backups', { token: admin.token }), 200);
    const { url } = await dataOf<{ url: string }>(
      send('POST', `/api/admin/backups/${backups[0]?.name}/download`, {
        token: admin.token,
        body: JSON.stringify({ password: PASSWORD }),
      }),
      200,
    );
    secrets.add(url.split('/').at(-1) ?? '?');
    for (const method of ['HEAD', 'POST', 'GET']) await send(method, url);
    expect((await send('GET', `${url}/x`)).status).toBe(404);

    const text = app.text();
    // The line of the parser is there, so the level is really `trace`.
    expect(text).toContain('busboy');
    expect(secrets.size).toBeGreaterThanOrEqual(7);
    for (const secret of secrets) expect(text).not.toContain(secret);
    for (const word of ['Bearer', 'authorization', 'argon2', '"headers"']) expect(text).not.toContain(word);
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

  itOnSqlite('holds the error of a failed query, but none of its parameters', async () => {
    const app = await buildTestAppWithLog();
    await app.server.ready();
    app.database.sqlite.exec('alter table users rename to gone');
    expect((await app.call('POST', '/api/auth/login', { body: { email: EMAIL, password: PASSWORD } })).status).toBe(
      500,
    );
    expect(app.parsed().find(({ level }) => level === 50)).toMatchObject({
      err: { type: 'SqliteError', message: 'no such table: users', code: 'SQLITE_ERROR' },
    });
    expect(app.text()).not.toContain(EMAIL);
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

  it('contains no line for a successful health check', async () => {
    const app = await buildTestAppWithLog();
    await app.call('GET', '/healthz');
    expect(app.text()).toBe('');
  });
});
