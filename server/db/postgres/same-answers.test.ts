import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { openSqliteForTest } from '#server/testing/open-test-database.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';

/** One call. The answers before it have named ids; `{3}` in its path or body is replaced by the fourth of them. */
type Call = { by: number; method: string; url: string; body?: unknown };
type Parameter = { name: string; in: string; schema: { enum?: string[]; type?: string | string[] } };
type Document = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };

const WORDS = ['siti', 'BUDI', 'é', 'jl', 'melati 1', '%', "o'", '32.01', 'spt-1', 'Warga', '🏠', ''];
const NAMES = ['Siti Rahmawati', 'siti rahmawati', 'Budi Santoso', 'BUDI', 'Élan', "O'Neil", 'Ağa', 'Warga 10%'];
const DATES = ['2025-01-31', '2026-06-10', '2026-05-01', '2024-12-31'];
/** These belong to the engine, to keys of this installation, or to files outside of the database. */
const OF_THE_ENGINE =
  /^\/(?:api\/admin\/(?:system|backups|backup-files)|api\/push|api\/docs|panduan|metrics|uploads|healthz|readyz|percaya|ca\.)|export|ticket/;

const word = fc.constantFrom(...WORDS);
const name = fc.constantFrom(...NAMES);
const callers = fc.nat({ max: 4 });
const admins = fc.nat({ max: 1 });
/** Most calls are of those who may make them. */
const callersOf = (path: string): fc.Arbitrary<number> =>
  path.startsWith('/api/admin')
    ? fc.oneof({ weight: 6, arbitrary: admins }, { weight: 1, arbitrary: callers })
    : callers;
const some = fc.nat({ max: 30 });

const record = fc.record({
  name,
  address: fc.constantFrom('Jl. Melati 1', 'jl. melati 10', 'Gang É 3'),
  spt_number: fc.nat({ max: 40 }).map((number) => `SPT-${number}`),
  year: fc.integer({ min: 2021, max: 2026 }),
  amount: fc.integer({ min: 0, max: 3_000_000 }),
  status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
  property_type: fc.option(fc.constantFrom('rumah_tinggal', 'kantor', 'lahan_kosong'), { nil: undefined }),
  due_date: fc.option(fc.constantFrom(...DATES), { nil: undefined }),
  payment_date: fc.option(fc.constantFrom(...DATES.slice(0, 2)), { nil: undefined }),
  notes: fc.option(word, { nil: undefined }),
});

/** Calls that change something; many are refused, and the refusals must be the same too. */
const anyChange: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(callers, record).map(([by, body]) => ({ by, method: 'POST', url: '/api/tax-records', body })),
  fc
    .tuple(callers, some, record)
    .map(([by, id, body]) => ({ by, method: 'PUT', url: `/api/tax-records/{${id}}`, body })),
  fc.tuple(callers, some).map(([by, id]) => ({ by, method: 'DELETE', url: `/api/tax-records/{${id}}` })),
  fc
    .tuple(callers, fc.nat({ max: 4 }), word, fc.option(fc.constantFrom('a', 'b'), { nil: undefined }))
    .map(([by, to, content, client_id]) => ({
      by,
      method: 'POST',
      url: '/api/messages/send',
      body: { to_user_id: `{${to}}`, content: `Halo ${content}`, client_id },
    })),
  fc.tuple(callers, fc.nat({ max: 4 })).map(([by, id]) => ({
    by,
    method: 'POST',
    url: `/api/messages/conversation/{${id}}/seen`,
    body: {},
  })),
  fc.tuple(admins, fc.nat({ max: 4 }), fc.constantFrom('claim', 'release')).map(([by, id, act]) => ({
    by,
    method: 'POST',
    url: `/api/admin/conversations/{${id}}/${act}`,
    body: {},
  })),
  fc.tuple(admins, fc.nat({ max: 4 }), word).map(([by, id, content]) => ({
    by,
    method: 'POST',
    url: `/api/admin/conversations/{${id}}/notes`,
    body: { content: `Catatan ${content}`, client_id: `c${content.length}` },
  })),
  fc.tuple(admins, name).map(([by, title]) => ({
    by,
    method: 'POST',
    url: '/api/admin/areas',
    body: { name: title, kind: 'dusun' },
  })),
);

function anyValue({ schema: { enum: choices, type }, name: parameter }: Parameter): fc.Arbitrary<string> {
  if (choices) return fc.constantFrom(...choices);
  if (parameter === 'limit') return fc.constantFrom('1', '2', '7', '50');
  if (parameter === 'page') return fc.constantFrom('1', '2', '3');
  if (parameter === 'year') return fc.constantFrom('2025', '2026');
  if (/^(?:from|to)$|_(?:from|to)$/.test(parameter)) return fc.constantFrom(...DATES);
  if (/id$/i.test(parameter)) return some.map((number) => `{${number}}`);
  return type === 'integer' ? fc.nat({ max: 5 }).map(String) : word;
}

/** Reads with any of their filters, as the API documentation describes them. */
function anyRead({ paths }: Document): fc.Arbitrary<Call> {
  const reads = Object.entries(paths).flatMap(([path, { get }]) =>
    get && !OF_THE_ENGINE.test(path) ? [{ path, get }] : [],
  );
  // Lists with many filters have more to compare.
  const weighted = reads.map((read) => ({
    weight: 1 + (read.get.parameters?.length ?? 0),
    arbitrary: fc.constant(read),
  }));
  return fc.oneof(...weighted).chain(({ path, get: { parameters = [] } }) =>
    fc
      .tuple(
        callersOf(path),
        ...parameters.map((parameter) => fc.option(anyValue(parameter), { freq: parameter.in === 'path' ? 1e9 : 1 })),
      )
      .map(([by, ...values]) => {
        let url = path;
        const query = new URLSearchParams();
        for (const [index, value] of values.entries()) {
          const parameter = parameters[index];
          if (!parameter || value === null) continue;
          if (parameter.in === 'path')
            url = url.replace(
              `{${parameter.name}}`,
              encodeURI(value).replaceAll(/%7B|%7D/g, (sign) => (sign === '%7B' ? '{' : '}')),
            );
          else query.set(parameter.name, value);
        }
        const text = query.toString().replaceAll('%7B', '{').replaceAll('%7D', '}');
        return { by, method: 'GET', url: text === '' ? url : `${url}?${text}` };
      }),
  );
}

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** An app with the same people, and the ids that its answers have named, in order. */
async function buildSide(test: TestApp) {
  const people: SignedInUser[] = [];
  for (const [index, isAdmin] of [true, true, false, false, false].entries()) {
    const fields = { name: NAMES[index] ?? '', email: `orang${index}@contoh.id` };
    people.push(isAdmin ? buildAdmin(test, fields) : buildTestUser(test, fields));
  }
  const ids = people.map(({ id }) => id);
  const withIds = (text: string): string =>
    text.replaceAll(/\{(\d+)\}/g, (_, number) => ids[Number(number)] ?? 'tidak-ada');
  return {
    async call({ by, method, url, body }: Call): Promise<string> {
      test.clock.advance(1000);
      const options = {
        token: people[by]?.token,
        ...(body === undefined ? {} : { body: JSON.parse(withIds(JSON.stringify(body))) as unknown }),
      };
      const answer: Answer = await test.call(method, withIds(url), options);
      const text = answer.raw.toString();
      for (const [id] of text.matchAll(ID)) if (!ids.includes(id)) ids.push(id);
      const sessions = people.map(({ sessionId }) => sessionId);
      return `${answer.status} ${text.replaceAll(ID, (id) => (sessions.includes(id) ? 'session' : `{${ids.indexOf(id)}}`))}`;
    },
  };
}

it('answers every call byte for byte as on SQLite, after any history of calls', async () => {
  const described = await buildTestApp();
  const document = (await described.call('GET', '/api/docs/openapi.json')).body as unknown as Document;
  const anyCalls = fc
    .tuple(
      fc.array(anyChange, { minLength: 40, maxLength: 60, size: 'max' }),
      fc.array(fc.oneof({ weight: 1, arbitrary: anyChange }, { weight: 5, arbitrary: anyRead(document) }), {
        minLength: 60,
        maxLength: 150,
        size: 'max',
      }),
    )
    .map((parts) => parts.flat());
  await fc.assert(
    fc.asyncProperty(anyCalls, async (calls) => {
      const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };
      const sqlite = await buildSide(await buildTestApp({ settings, database: openSqliteForTest() }));
      const postgres = await buildSide(await buildTestApp({ settings }));
      for (const call of calls) {
        const [expected, answered] = [await sqlite.call(call), await postgres.call(call)];
        expect(answered, `${call.method} ${call.url} by ${call.by}`).toBe(expected);
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 300_000);
