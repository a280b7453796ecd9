import { it } from 'vitest';
import {
  describeSchema,
  type JsonSchema,
  type Probe,
  probeAll,
  ROUTES_TIMEOUT_MS,
} from '#server/testing/every-route.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';

/** Ids, queries and the values of bodies: these may reach the database. */

const LONG = 'x'.repeat(5000);
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
async function sendBodies({ route, permitted, path, send }: Probe): Promise<void> {
  const schema = describeSchema(route.schema?.body);
  const sample = buildSample(schema);
  const fields = Object.keys(schema.properties ?? {});
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
    ...keys.flatMap((key) => WRONG_QUERY_VALUES.map((value) => `${key}=${value}`)),
    ...keys.flatMap((key) => [`${key}=1&${key}=2`, `${key}[]=1`, `${key}[a]=1`, key]),
  ];
  // The rules are the same for every caller.
  for (const caller of permitted.slice(-1))
    for (const query of queries) await send('query', caller, `${path()}?${query}`);
}

async function sendIds({ route, callers, path, send }: Probe): Promise<void> {
  if (!route.url.includes(':')) return;
  for (const caller of callers) {
    for (const id of WRONG_IDS)
      await send(
        'id',
        caller,
        path(() => id),
      );
  }
}

it.each([
  ['a wrong id', sendIds],
  ['a wrong query', sendQueries],
  ['a wrong body', sendBodies],
])('every registered call answers %s in the envelope', { timeout: ROUTES_TIMEOUT_MS }, (_title, sendAll) =>
  probeAll(sendAll),
);
