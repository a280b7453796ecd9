import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { testResources } from '#server/testing/open-test-database.ts';
import { buildAdmin } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import type { Resources } from '#server/files/resources.ts';

const SCRIPT = `export const words = '${'pajak '.repeat(800)}';`;
const PAGE = `<!doctype html><title>PBB Kita</title>${'<p>isi</p>'.repeat(300)}`;

const bundledFiles = new Map<string, Buffer>([
  ['client/index.html', Buffer.from(PAGE)],
  ['client/favicon.svg', Buffer.from('<svg/>')],
  ['client/assets/main-abc123.js', Buffer.from(SCRIPT)],
  ['client/assets/main-abc123.js.br', brotliCompressSync(SCRIPT)],
  ['client/assets/main-abc123.js.gz', gzipSync(SCRIPT)],
  ['client/assets/main-abc123.js.map', Buffer.from('{"sources":["secret"]}')],
  ['client/assets/only-br-1.js', Buffer.from(SCRIPT)],
  ['client/assets/only-br-1.js.br', brotliCompressSync(SCRIPT)],
  ['client/assets/huruf-1.woff2', Buffer.from('wOF2')],
  ['client/robots.txt', Buffer.from('User-agent: *')],
  ['client/manifest.webmanifest', Buffer.from('{"id":"/","name":"PBB Kita","short_name":"PBB Kita"}')],
]);

const resources: Resources = {
  keys: (prefix) =>
    prefix === 'client'
      ? [...bundledFiles.keys()].filter((key) => key.startsWith('client/'))
      : testResources.keys(prefix),
  read: (key) => bundledFiles.get(key) ?? testResources.read(key),
};

const buildTestAppWithClient = () => buildTestApp({ resources });
const SCRIPT_PATH = '/assets/main-abc123.js';

describe('the page of a server in another time zone', () => {
  const settings = { corsOrigins: [], trustedProxies: null, rateLimits: true };
  const text = '<!doctype html><html lang="id"><title>PBB Kita</title></html>';
  const small: Resources = {
    ...resources,
    read: (key) => (key === 'client/index.html' ? Buffer.from(text) : resources.read(key)),
  };
  const pageOf = async (timeZone: string, encoding = 'identity') => {
    const test = await buildTestApp({ resources: small, settings: { ...settings, timeZone } });
    return test.call('GET', '/dashboard', { headers: { 'accept-encoding': encoding } });
  };

  it('contains the time zone, unless it is the default one', async () => {
    expect((await pageOf('Asia/Makassar')).raw.toString()).toContain('<html data-time-zone="Asia/Makassar" lang="id">');
    const compressed = await pageOf('Asia/Jayapura', 'br, gzip');
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.raw).toString()).toContain('data-time-zone="Asia/Jayapura"');
    expect((await pageOf('Asia/Jakarta')).raw.toString()).toBe(text);
  });

  it('gets another ETag than the page of the default time zone', async () => {
    const [here, there] = [await pageOf('Asia/Jakarta'), await pageOf('Asia/Makassar')];
    expect(here.headers['etag']).not.toBe(there.headers['etag']);
  });
});

describe('the manifest', () => {
  it('carries the name of the office once there is one, and then another ETag', async () => {
    const test = await buildTestAppWithClient();
    const { token } = buildAdmin(test);
    const read = () => test.call('GET', '/manifest.webmanifest');
    const before = await read();
    expect(JSON.parse(before.raw.toString())).toEqual({ id: '/', name: 'PBB Kita', short_name: 'PBB Kita' });
    await test.call('PUT', '/api/admin/office-identity', { token, body: { name: 'Desa "Suka" Maju' } });
    const after = await read();
    expect(JSON.parse(after.raw.toString())).toEqual({
      id: '/',
      name: 'PBB Kita · Desa "Suka" Maju',
      short_name: 'PBB Kita',
    });
    expect(after.headers['content-type']).toBe('application/manifest+json');
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    await test.call('PUT', '/api/admin/office-identity', { token, body: { name: '' } });
    expect((await read()).headers['etag']).toBe(before.headers['etag']);
  });
});

describe('the service worker', () => {
  const settings = { corsOrigins: [], trustedProxies: null, rateLimits: true, timeZone: 'Asia/Jakarta' };
  const html = '<!doctype html><html data-build="a1"><title>PBB Kita</title></html>';
  const withWorker = (page: string): Resources => ({
    keys: (prefix) => [...resources.keys(prefix), ...(prefix === 'client' ? ['client/sw.js'] : [])],
    read: (key) => {
      if (key === 'client/sw.js') return Buffer.from('listen();');
      return key === 'client/index.html' ? Buffer.from(page) : resources.read(key);
    },
  });
  const call = async (path: string, changed: object = {}, page = html) => {
    const test = await buildTestApp({ resources: withWorker(page), settings: { ...settings, ...changed } });
    const { raw, headers, status } = await test.call('GET', path);
    return { text: raw.toString(), headers, status };
  };

  it('must be asked for anew each time, and changes with the page or its time zone', async () => {
    const { text, headers } = await call('/sw.js');
    expect(text).toMatch(/^listen\(\);\n/);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/javascript; charset=utf-8' });
    expect((await call('/sw.js')).text).toBe(text);
    expect((await call('/sw.js', { timeZone: 'Asia/Jayapura' })).text).not.toBe(text);
    expect((await call('/sw.js', {}, html.replace('a1', 'a2'))).text).not.toBe(text);
  });

  it('removes itself, and the page registers none, when it is switched off', async () => {
    const off = { serviceWorker: false };
    const { text } = await call('/sw.js', off);
    expect(text).toContain('registration.unregister()');
    expect(text).not.toContain('listen()');
    expect((await call('/dashboard', off)).text).toContain('<html data-service-worker="off" data-build="a1">');
    expect((await call('/dashboard')).text).toBe(html);
  });
});

describe('a shipped file', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate, br;q=1.0', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['GZIP;q=0.5', 'gzip', gunzipSync],
  ])('goes out in the best encoding that the client accepts: %s', async (accepted, encoding, unpack) => {
    const test = await buildTestAppWithClient();
    const answer = await test.call('GET', SCRIPT_PATH, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(unpack(answer.raw).toString()).toBe(SCRIPT);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-length': String(answer.raw.length),
    });
    expect(String(answer.headers['vary']).toLowerCase()).toContain('accept-encoding');
  });

  it.each([undefined, 'identity', 'br;q=0, gzip;q=0.0', 'brotli', 'gzipped'])(
    'goes out uncompressed otherwise: %s',
    async (accepted) => {
      const test = await buildTestAppWithClient();
      const answer = await test.call('GET', SCRIPT_PATH, {
        headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
      });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.raw.toString()).toBe(SCRIPT);
    },
  );

  it('goes out uncompressed when only another compression than the accepted one ships', async () => {
    const test = await buildTestAppWithClient();
    const answer = await test.call('GET', '/assets/only-br-1.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.raw.toString()).toBe(SCRIPT);
  });

  it('gets 304 for a known ETag, also one that a proxy has changed', async () => {
    const test = await buildTestAppWithClient();
    const { headers } = await test.call('GET', SCRIPT_PATH);
    const etag = String(headers['etag']);
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const answer = await test.call('GET', SCRIPT_PATH, {
        headers: { 'if-none-match': known, 'accept-encoding': 'gzip' },
      });
      expect([answer.status, answer.raw.length], known).toEqual([304, 0]);
      expect(answer.headers['etag']).toBe(etag);
      expect(answer.headers['cache-control']).toContain('immutable');
    }
    const stale = await test.call('GET', SCRIPT_PATH, { headers: { 'if-none-match': '"other"' } });
    expect(stale.status).toBe(200);
  });

  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/assets/huruf-1.woff2', 'font/woff2'],
  ])('carries its own content type: %s', async (path, type) => {
    const test = await buildTestAppWithClient();
    const answer = await test.call('GET', `${path}?v=1`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    expect(answer.headers['cache-control']).toBe(
      path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  });

  it('answers HEAD with headers only', async () => {
    const test = await buildTestAppWithClient();
    const answer = await test.call('HEAD', SCRIPT_PATH, { headers: { 'accept-encoding': 'br' } });
    expect([answer.status, answer.raw.length]).toEqual([200, 0]);
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', etag: expect.stringContaining('W/"') });
  });
});

describe('a path that is no file', () => {
  it.each(['/login', '/admin/users?edit=7', '/tax-records/0198-abc/edit', '/a.b', '/%E2%82%AC', '/assets'])(
    'gets the page of the client: %s',
    async (path) => {
      const test = await buildTestAppWithClient();
      const answer = await test.call('GET', path);
      expect([answer.status, answer.raw.toString()]).toEqual([200, PAGE]);
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );

  it.each(['/assets/main-old.js', '/assets/', '/assets/main-abc123.js.map', '/assets/main-abc123.js.br'])(
    'gets 404 below /assets, where the file may be of an older version: %s',
    async (path) => {
      const test = await buildTestAppWithClient();
      const answer = await test.call('GET', path);
      expect(answer).toMatchObject({ status: 404, body: { success: false, message: 'Halaman tidak ditemukan' } });
      expect(answer.headers['cache-control']).toBeUndefined();
    },
  );

  it.each([
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%5c..%5cpackage.json',
    '/./server/main.ts',
    '//etc/passwd',
  ])('never reads outside the client folder: %s', async (path) => {
    const test = await buildTestAppWithClient();
    expect((await test.call('GET', path)).raw.toString()).toBe(PAGE);
  });

  it('gets 404 when no client was built', async () => {
    const test = await buildTestApp({ resources: { ...resources, keys: () => [] } });
    expect(await test.call('GET', '/')).toMatchObject({ status: 404, body: { message: 'Halaman tidak ditemukan' } });
  });
});
