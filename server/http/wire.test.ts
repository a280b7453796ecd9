import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { connectRaw, sendRaw, type RawAnswer } from '#server/testing/network/raw-http.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

/** Tests that need real connections: bytes that are not HTTP, limits of the parser, pipelined requests. */

const TOO_LARGE = { success: false, message: 'Data terlalu besar' };
const BAD = { success: false, message: 'Format data tidak valid' };
const MISSING = { success: false, message: 'Halaman tidak ditemukan' };

async function startTestServer() {
  const test = await buildTestApp();
  await test.server.listen({ host: '127.0.0.1', port: 0 });
  const address = test.server.server.address();
  return { ...test, port: typeof address === 'object' && address ? address.port : 0 };
}

function expectJson(answer: RawAnswer, status: number, body: object): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(JSON.parse(answer.body)).toEqual(body);
}

const getRequest = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: pbb', ...headers, '', ''].join('\r\n');

describe('a raw connection', () => {
  it.each([
    ['a TLS client hello', Buffer.from('160301020001000001fc0303', 'hex')],
    ['binary noise', '\u0000\u0001\u0002 hello\r\n\r\n'],
    ['an unknown method', 'BREW /api HTTP/1.1\r\nHost: pbb\r\n\r\n'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: pbb\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n'],
    ['a broken chunk', 'POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a header with a control character', getRequest('/', 'X: a\u0001b')],
  ])('gets a JSON 400 for %s and is closed', async (_what, bytes) => {
    const { port } = await startTestServer();
    const connection = await connectRaw(port);
    connection.send(bytes);
    const answer = await connection.answer();
    expectJson(answer, 400, BAD);
    expect(answer.headers.get('connection')).toBe('close');
    await connection.ended();
  });

  it.each([
    ['a URL of 20 kB', getRequest(`/api/${'a'.repeat(20_000)}`)],
    ['a URL of 300 kB', getRequest(`/${'a'.repeat(300_000)}`)],
    ['a header of 20 kB', getRequest('/api/auth/user', `Authorization: Bearer ${'a'.repeat(20_000)}`)],
    ['3,000 headers', getRequest('/', ...Array.from({ length: 3000 }, (_, at) => `X-${at}: y`))],
  ])('gets a JSON 431 for %s', async (_what, bytes) => {
    const { port } = await startTestServer();
    expectJson(await sendRaw(port, bytes), 431, TOO_LARGE);
  });

  it.each(['/%ff', '/api/%ff', '/api/%', '/api/%E0%A4%A'])('gets a JSON 400 for the malformed URL %s', async (path) => {
    const { port } = await startTestServer();
    const answer = await sendRaw(port, getRequest(path));
    expectJson(answer, 400, BAD);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['PROPFIND', 'TRACE', 'PURGE', 'OPTIONS', 'LINK', 'SEARCH'])(
    'gets a JSON 404 for the method %s',
    async (method) => {
      const { port } = await startTestServer();
      expectJson(await sendRaw(port, `${method} /api/auth/user HTTP/1.1\r\nHost: pbb\r\n\r\n`), 404, MISSING);
    },
  );

  it('gets 413 for a body that is too large before the whole body has arrived', async () => {
    const { port } = await startTestServer();
    const head = 'POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nContent-Type: application/json\r\n';
    expectJson(await sendRaw(port, `${head}Content-Length: 9000000\r\n\r\n{`), 413, TOO_LARGE);
    const chunk = `200000\r\n${'a'.repeat(0x20_00_00)}\r\n`;
    expectJson(await sendRaw(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`), 413, TOO_LARGE);
  });

  it('gets the answers of pipelined requests in their order', async () => {
    const { port } = await startTestServer();
    const connection = await connectRaw(port);
    connection.send(getRequest('/healthz') + getRequest('/api/nothing') + getRequest('/healthz'));
    const statuses = [await connection.answer(), await connection.answer(), await connection.answer()];
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it('does not harm the server when it closes in the middle of a body', async () => {
    const { port } = await startTestServer();
    const connection = await connectRaw(port);
    connection.send('POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nContent-Type: application/json\r\n');
    connection.send('Content-Length: 100\r\n\r\n{"email"');
    connection.socket.end();
    await once(connection.socket, 'close');
    expect((await sendRaw(port, getRequest('/healthz'))).body).toBe('{"status":"ok"}');
  });
});
