import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

const BAD = { success: false, message: 'Format data tidak valid' };
const TOO_LARGE = { success: false, message: 'Data terlalu besar' };
const json = { 'content-type': 'application/json' };

describe('parsing of request bodies', () => {
  it.each([
    ['broken JSON', '{"email": '],
    ['JSON with another value behind it', '{} {}'],
    ['a single quote', "{'email':'a'}"],
    ['only white space', '  \n '],
    ['only a byte order mark', '\ufeff'],
    ['null', 'null'],
    ['a number', '7'],
    ['a string', '"email"'],
    ['an array', '[{"email":"a@b.id"}]'],
    ['a poisoned prototype', '{"email":"a@b.id","password":"x","__proto__":{"is_admin":true}}'],
    ['a poisoned prototype deep inside', '{"email":"a@b.id","password":"x","y":[{"__proto__":{"z":1}}]}'],
    ['a poisoned constructor', '{"email":"a@b.id","constructor":{"prototype":{"is_admin":true}}}'],
    ['a poisoned prototype in escapes', '{"\\u005f\\u005fproto__":{"is_admin":true}}'],
  ])('rejects a body that is %s with 400', async (_what, payload) => {
    const test = await buildTestApp();
    for (const call of ['login', 'register']) {
      const answer = await test.call('POST', `/api/auth/${call}`, { payload, headers: json });
      expect(answer, call).toMatchObject({ status: 400, body: BAD });
      expect(Object.keys(answer.body)).toEqual(['success', 'message']);
    }
  });

  it.each([
    ['text/plain', '{"email":"a@b.id","password":"x"}'],
    ['application/x-www-form-urlencoded', 'email=a%40b.id&password=x'],
    ['application/xml', '<a/>'],
    ['multipart/form-data', 'x'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="email"\r\n\r\na@b.id\r\n--b--\r\n',
    ],
    ['application/octet-stream', '{}'],
    ['nonsense', '{}'],
    [';;;', '{}'],
    ['', '{}'],
  ])('rejects the content type "%s" with 400 where JSON is expected', async (type, payload) => {
    const test = await buildTestApp();
    const answer = await test.call('POST', '/api/auth/login', { payload, headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status: 400, body: BAD });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
    'reads the content type "%s" as JSON',
    async (type) => {
      const test = await buildTestApp();
      const payload = '{"email":"a@b.id","password":"x"}';
      const answer = await test.call('POST', '/api/auth/login', { payload, headers: { 'content-type': type } });
      expect(answer.status).toBe(401);
    },
  );

  it.each([undefined, 'application/json', 'text/plain', 'multipart/form-data; boundary=b', 'multipart/form-data', 'x'])(
    'answers an empty body of content type %s with a message for each missing field',
    async (type) => {
      const test = await buildTestApp();
      for (const payload of [undefined, '']) {
        const answer = await test.call('POST', '/api/auth/login', {
          payload,
          headers: { ...(type ? { 'content-type': type } : {}), ...(payload === '' ? { 'content-length': '0' } : {}) },
        });
        expect(answer).toMatchObject({ status: 422, body: { message: 'Email wajib diisi' } });
      }
    },
  );

  it.each([
    ['POST', '/api/auth/login', 16_384],
    ['POST', '/api/auth/register', 16_384],
    ['POST', '/api/messages/send', 1_048_576],
    ['PUT', '/api/auth/user', 65_536],
    ['POST', '/api/admin/users', 65_536],
    ['POST', '/api/tax-records', 1_048_576],
    ['PUT', '/api/tax-records/x', 1_048_576],
    ['POST', '/api/admin/tax-records', 1_048_576],
    ['PUT', '/api/admin/tax-records/x', 1_048_576],
  ])('reads a body of %s %s up to %d bytes, and answers 413 beyond', async (method, url, maxBytes) => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const send = async (bytes: number) => {
      const frame = JSON.stringify({ note: '' });
      return test.call(method, url, {
        token,
        payload: frame.replace('""', `"${'n'.repeat(bytes - frame.length)}"`),
        headers: json,
      });
    };
    expect((await send(maxBytes)).status).not.toBe(413);
    expect(await send(maxBytes + 1)).toMatchObject({ status: 413, body: TOO_LARGE });
  });

  it('leaves room for the longest record and message of characters that are escaped', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const user = buildTestUser(test);
    const escaped = (text: string): string => text.replaceAll('é', '\\u00e9');
    const call = (url: string, body: object, token: string) =>
      test.call('POST', url, { token, payload: escaped(JSON.stringify(body)), headers: json });
    const long = { description: 'é'.repeat(5000), notes: 'é'.repeat(5000), address: 'é'.repeat(1000) };
    const record = { ...long, name: 'Budi', spt_number: 'A', amount: 1, status: 'belum_lunas' };
    expect((await call('/api/tax-records', record, user.token)).status).toBe(201);
    const message = { to_user_id: admin.id, content: 'é'.repeat(2000) };
    expect((await call('/api/messages/send', message, user.token)).status).toBe(201);
  });

  it('rejects a body that is too large with 413, compressed or not', async () => {
    const test = await buildTestApp();
    const big = JSON.stringify({ email: 'a@b.id', password: 'x', note: 'n'.repeat(1_048_577) });
    const plain = await test.call('POST', '/api/auth/login', { payload: big, headers: json });
    expect(plain).toMatchObject({ status: 413, body: TOO_LARGE });
    const compressed = gzipSync(Buffer.from(big));
    expect(compressed.length).toBeLessThan(10_000);
    const compressedAnswer = await test.call('POST', '/api/auth/login', {
      payload: compressed,
      headers: { ...json, 'content-encoding': 'gzip' },
    });
    expect(compressedAnswer).toMatchObject({ status: 413, body: TOO_LARGE });
    const other = await test.call('POST', '/api/auth/login', {
      payload: big,
      headers: { 'content-type': 'text/plain' },
    });
    expect(other).toMatchObject({ status: 413, body: TOO_LARGE });
  });

  it('rejects an unknown or wrong content encoding with 400', async () => {
    const test = await buildTestApp();
    for (const encoding of ['gzip', 'zstd-9', 'x']) {
      const answer = await test.call('POST', '/api/auth/login', {
        payload: '{}',
        headers: { ...json, 'content-encoding': encoding },
      });
      expect(answer, encoding).toMatchObject({ status: 400, body: BAD });
    }
  });

  it('survives JSON nested 100,000 levels deep', async () => {
    const test = await buildTestApp();
    const depth = 100_000;
    const payload = `{"name":"Budi","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const { token } = buildTestUser(test);
    expect((await test.call('POST', '/api/tax-records', { token, payload, headers: json })).status).toBe(422);
  });
});
