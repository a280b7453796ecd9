import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { singleOf } from '#shared/api/envelope.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { AppError, describeError } from './errors.ts';

const errorWithCode = (code: string, extra: object = {}) =>
  Object.assign(new Error(`secret detail ${code}`), { code }, extra);

/** The real app with one additional route, `/api/probe`. */
async function buildTestAppWithRoute(handler: () => unknown): Promise<TestApp> {
  const test = await buildTestApp();
  test.server.get('/api/probe', async () => handler());
  return test;
}

describe('the error handler', () => {
  it.each([
    ['SQLITE_BUSY', 503, 'Server sedang sibuk. Coba lagi.'],
    ['SQLITE_BUSY_SNAPSHOT', 503, 'Server sedang sibuk. Coba lagi.'],
    ['SQLITE_LOCKED', 503, 'Server sedang sibuk. Coba lagi.'],
    ['EMFILE', 503, 'Server sedang sibuk. Coba lagi.'],
    ['SQLITE_FULL', 507, 'Penyimpanan server penuh. Hubungi administrator.'],
    ['ENOSPC', 507, 'Penyimpanan server penuh. Hubungi administrator.'],
    ['EDQUOT', 507, 'Penyimpanan server penuh. Hubungi administrator.'],
    ['SQLITE_CONSTRAINT_UNIQUE', 500, 'Terjadi kesalahan pada server'],
    ['SQLITE_CORRUPT', 500, 'Terjadi kesalahan pada server'],
    ['constructor', 500, 'Terjadi kesalahan pada server'],
  ])('answers the error code %s with %i and no details', async (code, status, message) => {
    const test = await buildTestAppWithRoute(() => {
      throw errorWithCode(code);
    });
    test.expectErrorLog(new RegExp(`secret detail ${code}`));
    const answer = await test.call('GET', '/api/probe');
    expect(answer.status).toBe(status);
    expect(answer.raw.toString()).toBe(JSON.stringify({ success: false, message }));
  });

  it.each([
    ['an unknown exception', new TypeError("Cannot read properties of undefined (reading 'secret detail')")],
    ['a thrown string', 'secret detail'],
    ['a thrown undefined', undefined],
    ['an error with a success status', errorWithCode('X', { statusCode: 200 })],
    ['an error with status 502', errorWithCode('X', { statusCode: 502 })],
  ])('answers %s with 500 and no details', async (_what, thrown) => {
    const test = await buildTestAppWithRoute(() => {
      throw thrown;
    });
    test.expectErrorLog(/request failed/);
    const answer = await test.call('GET', '/api/probe');
    expect(answer).toMatchObject({ status: 500, body: { success: false, message: 'Terjadi kesalahan pada server' } });
    expect(Object.keys(answer.body)).toEqual(['success', 'message']);
    expect(answer.raw.toString()).not.toContain('secret');
  });

  it('finds the error code in the causes of an error', () => {
    expect(describeError(new Error('x', { cause: errorWithCode('SQLITE_BUSY') })).status).toBe(503);
    expect(describeError(new Error('x', { cause: new Error('y', { cause: errorWithCode('ENOSPC') }) })).status).toBe(
      507,
    );
    const circularError = new Error('x');
    circularError.cause = circularError;
    expect(describeError(circularError).status).toBe(500);
  });

  it('keeps the message, the fields and the headers of an AppError', async () => {
    const test = await buildTestAppWithRoute(() => {
      throw new AppError(409, 'Bentrok', { errors: { name: ['a', 'b'] }, headers: { 'retry-after': '7' } });
    });
    const answer = await test.call('GET', '/api/probe');
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ success: false, message: 'Bentrok', errors: { name: ['a', 'b'] } });
    expect(answer.headers['retry-after']).toBe('7');
  });
});

describe('an error in a hook', () => {
  const isProbe = ({ url }: { url: string }): boolean => url.startsWith('/api/probe');

  it.each(['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const)(
    'that runs before the handler is answered with 500 and no details: %s',
    async (name) => {
      const test = await buildTestApp();
      test.server.route({
        method: 'GET',
        url: '/api/probe',
        handler: async () => 'x',
        [name]: async () => {
          throw new Error('secret detail');
        },
      });
      test.expectErrorLog(/secret detail/);
      const answer = await test.call('GET', '/api/probe');
      expect([answer.status, answer.raw.toString()]).toEqual([
        500,
        JSON.stringify({ success: false, message: 'Terjadi kesalahan pada server' }),
      ]);
    },
  );

  it.each(['once', 'always'] as const)(
    'that sends the answer is answered with 500 and no details: %s',
    async (when) => {
      const test = await buildTestApp();
      let failures = 0;
      test.server.addHook('onSend', async (request) => {
        if (!isProbe(request) || (when === 'once' && failures === 1)) return;
        failures += 1;
        throw new Error('secret detail');
      });
      test.server.get('/api/probe', async () => 'x'.repeat(5000));
      test.server.get('/api/probe/refused', async () => {
        throw new AppError(409, 'Bentrok');
      });
      test.expectErrorLog(/secret detail/);
      for (const url of ['/api/probe', '/api/probe/refused']) {
        failures = 0;
        const answer = await test.call('GET', url, { headers: { 'accept-encoding': 'gzip' } });
        expect([answer.status, answer.raw.toString()], url).toEqual([
          500,
          JSON.stringify({ success: false, message: 'Terjadi kesalahan pada server' }),
        ]);
        expect(answer.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
      }
    },
  );

  it('that sends the answer to an unknown path is answered with 500 and no details', async () => {
    const test = await buildTestApp();
    test.server.addHook('onSend', async (request) => {
      if (request.url === '/api/nothing') throw new Error('secret detail');
    });
    test.expectErrorLog(/secret detail/);
    const answer = await test.call('GET', '/api/nothing');
    expect(answer).toMatchObject({ status: 500, body: { success: false, message: 'Terjadi kesalahan pada server' } });
    expect(answer.raw.toString()).not.toContain('secret');
  });
});

describe('the schema of an answer', () => {
  it('turns an answer that does not match it into a 500 without details', async () => {
    const test = await buildTestApp();
    const schema = { response: { 200: singleOf(z.object({ amount: z.number() })) } };
    test.server.get('/api/probe', { schema }, async () => ({
      success: true,
      message: 'ok',
      data: { amount: 'secret' },
    }));
    test.expectErrorLog(/FST_ERR_RESPONSE_SERIALIZATION/);
    const answer = await test.call('GET', '/api/probe');
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ success: false, message: 'Terjadi kesalahan pada server' });
  });

  it('removes fields that it does not name', async () => {
    const test = await buildTestApp();
    const schema = { response: { 200: singleOf(z.object({ amount: z.number() })) } };
    const data = { amount: 1, password_hash: 'secret' };
    test.server.get('/api/probe', { schema }, async () => ({ success: true, message: 'ok', data, extra: 1 }));
    const answer = await test.call('GET', '/api/probe');
    expect(answer.body).toEqual({ success: true, message: 'ok', data: { amount: 1 } });
  });
});

describe('validation', () => {
  it('answers in Indonesian where a schema has no message of its own', async () => {
    const test = await buildTestApp();
    const body = z.object({ a: z.string().max(2), b: z.number(), c: z.enum(['x', 'y']), d: z.email() });
    test.server.post('/api/probe', { schema: { body } }, async () => ({}));
    const answer = await test.call('POST', '/api/probe', { body: { a: 'aaa', b: 'b', c: 'z', d: 'd' } });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['a', 'b', 'c', 'd']);
    expect(answer.body.message).toBe(answer.body.errors?.['a']?.[0]);
    expect(answer.raw.toString()).not.toMatch(/expected|received|must|invalid |too big|should/i);
  });

  it('answers the first message and all messages by field', async () => {
    const test = await buildTestApp();
    const text = (error: string) => z.string({ error });
    const body = z.object({ one: text('satu'), list: z.array(z.object({ two: text('dua') })), three: text('tiga') });
    test.server.post('/api/probe', { schema: { body } }, async () => ({}));
    const answer = await test.call('POST', '/api/probe', { body: { list: [{}, {}] } });
    expect(answer.body).toEqual({
      success: false,
      message: 'satu',
      errors: { one: ['satu'], list: ['dua', 'dua'], three: ['tiga'] },
    });
  });
});

describe('an unknown path', () => {
  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['GET', '/api/auth/login'],
    ['PUT', '/api/auth/login'],
    ['OPTIONS', '/api/auth/user'],
    ['PATCH', '/api/auth/user'],
    ['GET', '/api/%00'],
    ['GET', '/%61pi/nothing'],
    ['GET', `/api/docs/${'a'.repeat(600)}`],
    ['GET', '/uploads/nothing.png'],
    ['GET', '/healthz/more'],
    ['POST', '/login'],
    ['DELETE', '/'],
  ])('%s %s gets a JSON 404', async (method, url) => {
    const test = await buildTestApp();
    const answer = await test.call(method, url);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({ success: false, message: 'Halaman tidak ditemukan' });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each(['/api/%ff', '/%ff', '/api/tax-records/%E0%A4%A', '/api/%zz'])(
    'that cannot be decoded gets 400: %s',
    async (url) => {
      const test = await buildTestApp();
      const answer = await test.call('GET', url);
      expect(answer).toMatchObject({ status: 400, body: { success: false, message: 'Format data tidak valid' } });
    },
  );

  it.each([
    '/',
    '/login',
    '/login?next=%ff',
    '/admin/users?edit=1',
    '/apix',
    '/api-docs',
    '/tax-records/%E2%82%AC',
    '/metrics',
  ])('outside the API gets the page of the client: %s', async (url) => {
    const test = await buildTestApp();
    const answer = await test.call('GET', url);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('gets an answer without a body after a HEAD request', async () => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test);
    for (const [url, status] of [
      ['/api/nothing', 404],
      ['/', 200],
      ['/api/auth/user', 401],
    ] as const) {
      const answer = await test.call('HEAD', url);
      expect([answer.status, answer.raw.length], url).toEqual([status, 0]);
    }
    expect(await test.call('HEAD', '/api/auth/user', { token })).toMatchObject({ status: 200 });
  });
});
