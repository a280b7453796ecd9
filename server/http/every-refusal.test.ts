import { it } from 'vitest';
import { type Caller, ORIGIN, type Probe, probeAll, ROUTES_TIMEOUT_MS } from '#server/testing/every-route.ts';

/** Other methods, paths and headers, and bodies that are none: they are answered before the database is asked. */

const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;
/** The texts of whole bodies. */
const WRONG_BODIES: readonly string[] = [
  '',
  ' ',
  '{',
  '{"a":1,}',
  'null',
  '1',
  'true',
  '"x"',
  '[]',
  '[{}]',
  '{}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"a":1e999}',
  '\uFEFF{}',
  'x',
  DEEP,
  `{"name":${DEEP}}`,
];
/** The number of wrong bodies that a call gets which reads none. */
const FEW = 3;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];
const WRONG_TYPES: [type: string, payload: string][] = [
  ['application/xml', '<?xml version="1.0"?><a/>'],
  ['text/xml', '<a/>'],
  ['text/plain', '{}'],
  ['text/html', '<p>x</p>'],
  ['application/x-www-form-urlencoded', 'name=x&amount=1'],
  ['application/octet-stream', '\0\0'],
  ['application/json; charset=latin1', '{"name":"x"}'],
  ['application/jsonx', '{}'],
  ['application/ld+json', '{}'],
  ['/', '{}'],
  ['json', '{}'],
  ['application/json, text/plain', '{}'],
  ['x'.repeat(2000), '{}'],
  ['multipart/form-data', 'x'],
  ['multipart/form-data; boundary=', '--\r\n'],
  ['multipart/form-data; boundary=a', ''],
  ['multipart/form-data; boundary=a', 'x'],
  ['multipart/form-data; boundary=a', '--a'],
  ['multipart/form-data; boundary=a', '--a--\r\n'],
  ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data\r\n\r\nx\r\n--a--\r\n'],
  ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--a--\r\n'],
  ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data; name="toString"\r\n\r\nx\r\n--a--\r\n'],
  ['multipart/form-data; boundary=a', '--a\r\n\r\n\r\n--a--\r\n'],
  ['multipart/mixed; boundary=a', '--a\r\nContent-Type: text/plain\r\n\r\nx\r\n--a--\r\n'],
  [`multipart/form-data; boundary=${'a'.repeat(300)}`, `--${'a'.repeat(300)}--\r\n`],
];
const WRONG_HEADERS: Record<string, string>[] = [
  { accept: 'application/xml' },
  { accept: 'text/html;q=0' },
  { accept: '/' },
  { accept: '\u00FF' },
  { 'accept-encoding': 'identity;q=0' },
  { 'accept-encoding': '*;q=0' },
  { 'accept-encoding': 'br, zstd' },
  { 'accept-encoding': 'gzip;q=x, deflate' },
  { 'accept-language': 'en' },
  { authorization: 'Basic eDp4' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer a.b.c' },
  { authorization: `Bearer ${'x'.repeat(5000)}` },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' },
  { 'if-match': '"x"' },
  { expect: 'x' },
  { cookie: '\u00FF=;;' },
  { 'x-forwarded-for': 'x, y', 'x-forwarded-host': 'a b', 'x-forwarded-proto': 'ftp' },
  { 'x-http-method-override': 'DELETE' },
  { host: 'a b' },
  { origin: 'null' },
  { origin: ORIGIN },
  { origin: 'https://lain.example' },
];

/** Whole bodies, and bodies of other types. */
async function sendPayloads({ route, callers, permitted, path, send }: Probe): Promise<void> {
  const json = { 'content-type': 'application/json' };
  // A body of a GET is not read, and neither is that of a caller who may not make the call.
  const isRead = (caller: Caller): boolean => route.method !== 'GET' && permitted.includes(caller);
  const some = <T>(all: readonly T[], caller: Caller): readonly T[] => all.slice(0, isRead(caller) ? all.length : FEW);
  for (const caller of route.method === 'GET' ? permitted.slice(0, 1) : callers) {
    for (const payload of some(WRONG_BODIES, caller))
      await send(`body ${payload.slice(0, 80)}`, caller, path(), { payload, headers: json });
    for (const [type, payload] of some(WRONG_TYPES, caller)) {
      await send(`${type.slice(0, 80)} ${payload.slice(0, 80)}`, caller, path(), {
        payload,
        headers: { 'content-type': type },
      });
    }
  }
}

async function sendPaths({ route, routes, callers, path, send }: Probe): Promise<void> {
  const otherMethods = METHODS.filter(
    (name) => !routes.some(({ url, method }) => url === route.url && method === name),
  );
  for (const caller of callers) {
    for (const name of otherMethods) await send('method', caller, path(), {}, name);
    for (const suffix of ['/', '//', '/x', ';x', '%20', '%00', '%ff']) await send('path', caller, path() + suffix);
    for (const headers of WRONG_HEADERS) await send(JSON.stringify(headers).slice(0, 100), caller, path(), { headers });
  }
}

async function sendPreflights({ route, path, send, complaints }: Probe): Promise<void> {
  for (const origin of [ORIGIN, 'https://lain.example', 'null', '']) {
    for (const method of [route.method, 'BREW', '']) {
      const asked = { 'access-control-request-method': method, 'access-control-request-headers': 'authorization, x' };
      const { headers } = await send(
        `preflight of ${origin}`,
        null,
        path(),
        { headers: { origin, ...asked } },
        'OPTIONS',
      );
      const allowed = headers['access-control-allow-origin'];
      if (allowed !== (origin === ORIGIN ? ORIGIN : undefined))
        complaints.set(origin, `${path()} allows ${origin}: ${String(allowed)}`);
    }
  }
}

it.each([
  ['another method, path or header', sendPaths],
  ['a preflight', sendPreflights],
  ['a body that is none, or another content type', sendPayloads],
])('every registered call answers %s in the envelope', { timeout: ROUTES_TIMEOUT_MS }, (_title, sendAll) =>
  probeAll(sendAll),
);
