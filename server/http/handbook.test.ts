import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { errorTexts } from '#shared/texts.ts';
import type { Resources } from '#server/files/resources.ts';
import { testResources } from '#server/testing/open-test-database.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

const CHAPTER = `<!doctype html><title>Cadangan</title>${'<p>isi bab</p>'.repeat(100)}`;

const files = new Map<string, Buffer>([
  ['handbook/index.html', Buffer.from('<!doctype html><title>Panduan</title>')],
  ['handbook/cadangan.html', Buffer.from(CHAPTER)],
  ['handbook/cadangan.html.gz', gzipSync(CHAPTER)],
  ['handbook/panduan.css', Buffer.from('main { margin: 0 }')],
  ['handbook/daftar.webp', Buffer.from('RIFF')],
]);
const resources: Resources = {
  keys: (prefix) => (prefix === 'handbook' ? [...files.keys()] : testResources.keys(prefix)),
  read: (key) => files.get(key) ?? testResources.read(key),
};
const buildTestAppWithHandbook = () => buildTestApp({ resources });

it.each([
  ['/panduan', 'index.html', 'text/html; charset=utf-8'],
  ['/panduan/', 'index.html', 'text/html; charset=utf-8'],
  ['/panduan/cadangan', 'cadangan.html', 'text/html; charset=utf-8'],
  ['/panduan/panduan.css', 'panduan.css', 'text/css; charset=utf-8'],
  ['/panduan/daftar.webp', 'daftar.webp', 'image/webp'],
])('serves %s to everybody, with the security headers of every page', async (path, file, type) => {
  const test = await buildTestAppWithHandbook();
  const { status, headers, raw } = await test.call('GET', path);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(raw).toEqual(files.get(`handbook/${file}`));
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-cache');
  const again = await test.call('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
  expect([again.status, again.raw.length]).toEqual([304, 0]);
});

it('sends a chapter compressed', async () => {
  const test = await buildTestAppWithHandbook();
  const { headers, raw } = await test.call('GET', '/panduan/cadangan', { headers: { 'accept-encoding': 'gzip' } });
  expect(headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(raw).toString()).toBe(CHAPTER);
});

it('answers 404 for a chapter that is not there, and never the page of the app', async () => {
  const test = await buildTestAppWithHandbook();
  for (const path of ['/panduan/tidak-ada', '/panduan/cadangan/lain', '/panduan/..%2Findex', '/panduan/__proto__']) {
    const { status, body } = await test.call('GET', path);
    expect([path, status, body]).toEqual([path, 404, { success: false, message: errorTexts.pathMissing }]);
  }
  expect((await test.call('POST', '/panduan')).status).toBe(404);
});
