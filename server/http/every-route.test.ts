import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { diskResources } from '#server/files/resources.ts';
import { buildAdmin, buildRecord, buildSession, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { findFractions } from '#server/testing/fractions.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { pushSettings } from '#server/testing/push.ts';
import { buildTestApp, type CallOptions, type TestApp } from '#server/testing/test-app.ts';

/**
 * Walks over every route that the server registers, so a new one is included by itself, and sends it everything that a call
 * can have wrong. The answer is the envelope in Indonesian, whatever was sent (docs/requirements.md R-API-2, R-API-3).
 */

const ORIGIN = 'https://pajak.example';
/** Some twenty seconds on a quiet machine. */
const TIMEOUT_MS = 400_000;

type Route = { method: string; url: string; schema: RouteOptions['schema']; hasForm: boolean };

/** The app with everything that an installation can have, and the routes in its registry. */
async function buildWholeApp(): Promise<{ test: TestApp; routes: Route[] }> {
  const routes: Route[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, schema, config }) => {
      for (const name of [method].flat()) routes.push({ method: name, url, schema, hasForm: Boolean(config?.form) });
    });
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-routes-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  subscribe('fastify.initialization', listen);
  try {
    const test = await buildTestApp({
      settings: { ...pushSettings, corsOrigins: [ORIGIN], rateLimits: false },
      // As the real one, it has fractions.
      monotonicNow: () => performance.now() + 0.5,
      metricsToken: 'a-token-for-metrics',
      resources: diskResources({
        migrations: 'drizzle',
        client: 'server/testing/client',
        docs: 'node_modules/swagger-ui-dist',
      }),
      backups: {
        paths: { ...dataPathsIn(dataDir), dataDir },
        settings: { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir: null, runningCopy: false },
        start: () => ({ outcome: Promise.resolve({ result: 'busy' }), stop: async () => undefined }),
      },
      network: () => ({ addresses: [], secureAddresses: [], hasLocalAuthority: true }),
      localAuthority: {
        name: 'PBB Kita',
        certificate: Buffer.from('x'),
        fingerprint: 'AA',
        thumbprint: 'aa',
        validUntil: '2030-01-01',
      },
    });
    return { test, routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}

type Caller = SignedInUser | null;
type WholeApp = Awaited<ReturnType<typeof buildWholeApp>>;

/** One route with rows of its own, which its path can name. */
function buildProbe({ test, routes }: WholeApp, route: Route) {
  const { method, url } = route;
  const admin = buildAdmin(test);
  const user = buildTestUser(test);
  const ids: Record<string, string> = {
    userId: user.id,
    year: '2025',
    id: url.includes('/users/') ? user.id : buildRecord(test, user.id).id,
  };
  const callers = new Map<string, Caller>([
    ['nobody', null],
    ['a user', user],
    ['an admin', admin],
  ]);
  const complaints = new Map<string, string>();
  const path = (value: (name: string) => string = (name) => ids[name] ?? 'x'): string =>
    url.replaceAll(/:([A-Za-z]\w*)/g, (_parameter, name: string) => value(name)).replace('*', 'x');

  async function send(what: string, caller: Caller, to: string, options: CallOptions = {}, as = method) {
    const answer = await test.call(as, to, { ...options, token: caller?.token });
    const complaint = findComplaint(as, to, answer);
    const name = [...callers].find(([, one]) => one === caller)?.[0];
    // The same complaint of several probes is listed once.
    const cause = `${as} ${url}: ${answer.status} ${complaint}`;
    if (complaint)
      complaints.set(cause, complaints.get(cause) ?? `${cause}, as ${to.slice(0, 200)} by ${name} with ${what}`);
    // A call may have ended its own session.
    if (answer.status === 401 && caller) Object.assign(caller, buildSession(test, caller.id));
    return answer;
  }
  const otherMethods = METHODS.filter((name) => !routes.some((one) => one.url === url && one.method === name));
  // The others are refused before anything of the call is read.
  const permitted: readonly Caller[] = url.startsWith('/api/admin/') ? [admin] : route.schema?.security ? [null] : [user, admin];
  return { route, otherMethods, callers: [...callers.values()], permitted, path, send, complaints };
}
type Probe = ReturnType<typeof buildProbe>;

/** Words of frameworks, validators and JavaScript, and English ones. Our own texts have none of them. */
const FOREIGN_WORDS =
  /\b(expected|received|invalid|must|should|required|undefined|null|nan|object|boolean|string|array|number|integer|error|unexpected|cannot|failed|forbidden|unauthorized|missing|the|is|of|not|method|allowed|supported|media|type|found|bad|request|zod|fastify|sqlite|fst|ctp|diharapkan|instanceof)\b|Input tidak valid|Terlalu (besar|kecil): |String tidak valid|Kunci tidak|\[object|at \w+ \(/i;

type SeenAnswer = Awaited<ReturnType<TestApp['call']>>;

/** @returns what is wrong with an answer; null when it is as it must be */
function findComplaint(method: string, url: string, { status, headers, raw, body }: SeenAnswer): string | null {
  const type = String(headers['content-type'] ?? '');
  const text = raw.toString();
  if (status >= 500 || status < 200) return text.slice(0, 300);
  if (method === 'HEAD') return raw.length === 0 ? null : 'has a body';
  if (status < 300 && !type.includes('json')) return null;
  if (status === 304) return null;
  if (!type.startsWith('application/json')) return `is ${type}`;
  if (status < 300 && !url.startsWith('/api/')) return null;
  if (status < 300 && url.startsWith('/api/docs/')) return null;
  const { success, message, errors, ...rest } = body;
  if (success !== status < 300) return `says success: ${success}`;
  const texts = [message, ...Object.values(errors ?? {}).flat()];
  const foreign = texts.find((one) => typeof one !== 'string' || one.trim() === '' || FOREIGN_WORDS.test(one));
  if (foreign !== undefined) return `says "${foreign}"`;
  if (status >= 400 && Object.keys(rest).length > 0) return `has ${Object.keys(rest).join()}`;
  return null;
}

const LONG = 'x'.repeat(5000);
const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;
/** Values of a field that are wrong in type, range or text. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x',
  '-1',
  LONG,
  '\0',
  '\uD800',
  '\u202E😀\uFFFF',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '+275760-09-13T00:00:00.000Z',
  '__proto__',
  [],
  [[]],
  [null],
  ['x'],
  ['x', 'x'],
  [1, 'x', {}],
  {},
  { a: { b: [] } },
];
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
const WRONG_QUERY_VALUES = [
  '',
  '%20',
  'x',
  'z',
  '-1',
  '0',
  '1.5',
  '1e9',
  '99999999999999999999',
  '2026-02-30',
  '0000-01-01',
  '2026-01-01',
  '9999-12-31',
  '%00',
  '%F0%9F%98%80%E2%80%AE',
  '__proto__',
  'true',
  'null',
  'x'.repeat(3000),
  '%25',
  "'%20or%201=1--",
  '%ff',
  '%',
];
/** Values that may break a check of two values together. */
const PAIRED_QUERY_VALUES = [
  '',
  'x',
  'z',
  '-1',
  '2026-02-30',
  '0000-01-01',
  '2026-01-01',
  '9999-12-31',
  '%F0%9F%98%80',
];
const WRONG_IDS = [
  'x',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  '00000000-0000-7000-8000-000000000000',
  '%00',
  '%20',
  '%2F',
  '..%2f..%2fetc%2fpasswd',
  '%',
  '%zz',
  '%ff',
  '%E0%A4%A',
  '%F0%9F%98%80',
  "'%20or%201=1--",
  '__proto__',
  'constructor',
  'x'.repeat(400),
  'x'.repeat(600),
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

type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  format?: string;
  pattern?: string;
  minimum?: number;
  minLength?: number;
};

const describeSchema = (schema: unknown): JsonSchema =>
  schema instanceof z.ZodType
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema)
    : {};

const FORMATS: Record<string, string> = {
  date: '2026-01-15',
  'date-time': '2026-06-10T05:00:00.000Z',
  email: 'warga.baru@contoh.id',
  uuid: '0190a000-0000-7000-8000-000000000000',
};

/** A value that a schema takes, or nearly: each wrong value then stands among right ones. */
function buildSample({ anyOf, oneOf, ...schema }: JsonSchema): unknown {
  const one = (anyOf ?? oneOf)?.find(({ type }) => type !== 'null');
  if (one) return buildSample(one);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat().find((name) => name !== 'null');
  if (type === 'object') return mapValues(schema.properties ?? {}, buildSample);
  if (type === 'array') return schema.items ? [buildSample(schema.items)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (schema.pattern?.includes(':')) return '08:00';
  return FORMATS[schema.format ?? ''] ?? (schema.pattern ? '1' : 'x'.repeat(Math.max(1, schema.minLength ?? 1)));
}

function mapValues<T, U>(values: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

/** @returns the sample with one place of it, at any depth, replaced by each of the wrong values, or left out */
function* spoil(sample: unknown): Generator {
  yield* WRONG_VALUES;
  if (Array.isArray(sample)) {
    for (const wrong of spoil(sample[0])) yield [wrong];
  } else if (typeof sample === 'object' && sample !== null) {
    for (const [key, value] of Object.entries(sample)) {
      const { [key]: _left, ...others } = sample as Record<string, unknown>;
      yield others;
      for (const wrong of spoil(value)) yield { ...sample, [key]: wrong };
    }
  }
}

/** The bodies that a route gets: each field wrong, all fields wrong, and a form with the same. */
async function sendBodies({ route, callers, permitted, path, send }: Probe): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const schema = describeSchema(route.schema?.body);
  const sample = buildSample(schema);
  const fields = Object.keys(schema.properties ?? {});
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
  if (!route.schema?.body && !route.hasForm) return;
  for (const caller of permitted) {
    for (const wrong of WRONG_VALUES) {
      const body = Object.fromEntries(fields.map((field) => [field, wrong]));
      await send(`all fields ${JSON.stringify(wrong).slice(0, 80)}`, caller, path(), { body });
    }
    for (const body of spoil(sample)) {
      await send(`body ${JSON.stringify(body)?.slice(0, 300)}`, caller, path(), { body: body ?? null });
    }
    if (!route.hasForm) continue;
    for (const text of ['', ' ', 'x', '-1', '1e3', LONG, '\0', '😀', '2026-02-30', '__proto__']) {
      const values = Object.fromEntries(fields.map((field) => [field, text]));
      for (const bytes of [null, buildImage('png'), Buffer.from('x'), Buffer.alloc(0)]) {
        const uploads = ['payment_proof', 'file', 'thumb', 'lain'].map((field) => bytes && { bytes, field });
        await send(
          `form ${text.slice(0, 80)}`,
          caller,
          path(),
          buildForm(values, ...uploads.map((one) => one ?? undefined)),
        );
      }
    }
  }
}

async function sendQueries({ route, permitted, path, send }: Probe): Promise<void> {
  const { properties = {} } = describeSchema(route.schema?.querystring);
  const keys = Object.keys(properties);
  // Two of a kind, such as the ends of a period, are compared with each other.
  const kindOf = (key: string): string => JSON.stringify({ ...properties[key], description: undefined });
  const queries = [
    'x=1',
    '__proto__=1',
    'a[b]=1',
    '=',
    '&&&',
    '%',
    '%ff',
    'a=%ff',
    'a=1&'.repeat(1000),
    ...WRONG_QUERY_VALUES.map((value) => keys.map((key) => `${key}=${value}`).join('&')),
    ...keys.flatMap((key) => [
      ...WRONG_QUERY_VALUES.map((value) => `${key}=${value}`),
      `${key}=1&${key}=2`,
      `${key}[]=1`,
      `${key}[a]=1`,
      key,
    ]),
    ...keys.flatMap((key, index) =>
      keys
        .slice(index + 1)
        .flatMap((other) =>
          PAIRED_QUERY_VALUES.flatMap((value) =>
            (kindOf(key) === kindOf(other) ? PAIRED_QUERY_VALUES : [value]).map(
              (otherValue) => `${key}=${value}&${other}=${otherValue}`,
            ),
          ),
        ),
    ),
  ];
  // The rules are the same for every caller.
  for (const caller of permitted.slice(-1))
    for (const query of queries) await send('query', caller, `${path()}?${query}`);
}

async function sendPaths({ route, callers, otherMethods, path, send }: Probe): Promise<void> {
  for (const caller of callers) {
    for (const name of otherMethods) await send('method', caller, path(), {}, name);
    for (const id of route.url.includes(':') ? WRONG_IDS : [])
      await send(
        'id',
        caller,
        path(() => id),
      );
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
  ['another method, path, id or header', sendPaths],
  ['a preflight', sendPreflights],
  ['a wrong query', sendQueries],
  ['a wrong body or content type', sendBodies],
])('every registered call answers %s in the envelope', { timeout: TIMEOUT_MS }, async (_title, sendAll) => {
  const app = await buildWholeApp();
  expect(app.routes.length).toBeGreaterThan(100);
  const complaints: string[] = [];
  for (const route of app.routes.filter(({ method }) => method !== 'HEAD')) {
    const probe = buildProbe(app, route);
    await sendAll(probe);
    complaints.push(...probe.complaints.values());
  }
  expect(complaints.map((text) => text.slice(0, 400))).toEqual([]);
  expect(findFractions(app.test.database.sqlite)).toEqual([]);
});
