import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ADMIN_PASSWORD, buildAdmin, buildTestUser, cheapHash, type SignedInUser } from '#server/testing/factories.ts';
import { openSqliteForTest } from '#server/testing/open-test-database.ts';
import {
  admins,
  anyChange,
  type Call,
  callers,
  DATES,
  FIRST_CALLS,
  NAMES,
  PEOPLE,
  some,
  word,
} from '#server/testing/postgres/any-change.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';

type Parameter = { name: string; in: string; schema: { enum?: string[]; type?: string | string[] } };
type Document = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };

/** These belong to the engine, to keys of this installation, or to files outside of the database. */
const OF_THE_ENGINE =
  /^\/(?:api\/admin\/(?:system|backups|backup-files)|api\/push|api\/docs|panduan|metrics|uploads|healthz|readyz|percaya|ca\.)|export|ticket/;

/** Most calls are of those who may make them. */
const callersOf = (path: string): fc.Arbitrary<number> =>
  path.startsWith('/api/admin')
    ? fc.oneof({ weight: 6, arbitrary: admins }, { weight: 1, arbitrary: callers })
    : callers;
/** The kind of the ids in the answers of these addresses, and in the addresses themselves. */
const KINDS: readonly [RegExp, string][] = [
  [/^\/api\/admin\/claims|^\/api\/tax-records\/claims/, 'claim'],
  [/^\/api\/admin\/dhkp\/batches/, 'batch'],
  [/^\/api\/admin\/dhkp(?:\?|$|\/\{)/, 'assessment'],
  [/^\/api\/(?:admin\/)?tax-records(?:\?|$|\/\{)/, 'record'],
  [/^\/api\/admin\/areas/, 'area'],
  [/^\/api\/admin\/quick-replies/, 'reply'],
  [/^\/api\/admin\/conversations\/[^/]+\/notes$/, 'note'],
  [/^\/api\/admin\/users$/, 'user'],
  [/^\/api\/admin\/notices/, 'notice'],
];
const kindOf = (url: string): string | undefined => KINDS.find(([pattern]) => pattern.test(url))?.[1];

function anyValue({ schema: { enum: choices, type }, name: parameter }: Parameter, path: string): fc.Arbitrary<string> {
  if (choices) return fc.constantFrom(...choices);
  if (parameter === 'limit') return fc.constantFrom('1', '2', '7', '50');
  if (parameter === 'page') return fc.constantFrom('1', '2', '3');
  if (parameter === 'q') return fc.oneof(word, fc.constantFrom('halo', 'halo siti', 'san'));
  if (parameter === 'before') return fc.integer({ min: 1, max: 60 }).map(String);
  if (parameter === 'year') return fc.constantFrom('2025', '2026');
  if (/^(?:from|to)$|_(?:from|to)$/.test(parameter)) return fc.constantFrom(...DATES);
  const kind = parameter === 'id' ? kindOf(path) : undefined;
  // The list of users shows the people of the test too.
  if (kind && kind !== 'user') return some.map((number) => `{${kind}:${number}}`);
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
        ...parameters.map((parameter) =>
          fc.option(anyValue(parameter, path), { freq: parameter.in === 'path' ? 1e9 : 1 }),
        ),
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

const PASSWORD_HASH = cheapHash(ADMIN_PASSWORD);
const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

type Shown = { id?: unknown; updated_at?: unknown; preview_id?: unknown };

/** @returns the rows of an answer: one object, a list, or a page of a list */
function shownIn(data: unknown): Shown[] {
  if (Array.isArray(data)) return data as Shown[];
  if (typeof data !== 'object' || data === null) return [];
  return 'data' in data ? shownIn(data.data) : [data];
}

/** Ids that answers have named, all in order and by kind, and the newest that they said about each. */
function createMemory(people: readonly string[]) {
  const all = [...people];
  const byKind = new Map<string, string[]>();
  const newest = new Map<string, Shown>();
  return {
    all,
    learn(kind: string | undefined, data: unknown): void {
      for (const shown of shownIn(data)) {
        if (typeof shown.id !== 'string') continue;
        newest.set(shown.id, { ...newest.get(shown.id), ...shown });
        const known = byKind.get(kind ?? '') ?? [];
        if (kind && !known.includes(shown.id)) byKind.set(kind, [...known, shown.id]);
      }
    },
    fillIn: (text: string): string =>
      text.replaceAll(
        /\{(?:([a-z]+):)?(\d+)(?::(updated_at|preview_id))?\}/g,
        (_all, kind: string | undefined, number: string, field: keyof Shown | undefined) => {
          const known = kind === undefined ? all : (byKind.get(kind) ?? []);
          const id = known[kind === undefined ? Number(number) : Number(number) % known.length] ?? 'tidak-ada';
          return field === undefined ? id : String(newest.get(id)?.[field]);
        },
      ),
  };
}

const UNDER_WAY = ['reading', 'applying'];

/** An app with the same people, and the ids that its answers have named, in order. */
async function buildSide(test: TestApp) {
  const people: SignedInUser[] = [];
  for (let index = 0; index < PEOPLE.all; index += 1) {
    const fields = { name: NAMES[index] ?? '', email: `orang${index}@contoh.id`, passwordHash: PASSWORD_HASH };
    people.push(index < PEOPLE.admins ? buildAdmin(test, fields) : buildTestUser(test, fields));
  }
  const memory = createMemory(people.map(({ id }) => id));

  async function send({ by, method, url, body }: Call): Promise<Answer> {
    const options = {
      token: people[by]?.token,
      ...(body === undefined ? {} : { body: JSON.parse(memory.fillIn(JSON.stringify(body))) as unknown }),
    };
    const answer = await test.call(method, memory.fillIn(url), options);
    const kind = kindOf(url);
    // Rows of a batch are no batches, and the list of users has the people of the test, who stay.
    const isOfKind = method === 'POST' || (method === 'GET' && kind !== 'user' && !url.includes('/rows'));
    if (answer.status < 300) memory.learn(isOfKind ? kind : undefined, answer.body.data);
    return answer;
  }

  /** The reading and applying of lists go on after the answer. */
  async function batchesSettled(by: number): Promise<void> {
    const isSettled = async (): Promise<boolean> => {
      const { body } = await send({ by, method: 'GET', url: '/api/admin/dhkp/batches' });
      return !(body.data as { data: { state: string }[] }).data.some(({ state }) => UNDER_WAY.includes(state));
    };
    await expect.poll(isSettled, { timeout: 60_000, interval: 5 }).toBe(true);
  }

  return {
    async call(one: Call): Promise<string> {
      test.clock.advance(1000);
      const { status, raw } = await send(one);
      if (status < 300 && one.method !== 'GET' && one.url.includes('/dhkp/batches')) await batchesSettled(one.by);
      const text = raw.toString();
      for (const [id] of text.matchAll(ID)) if (!memory.all.includes(id)) memory.all.push(id);
      const sessions = people.map(({ sessionId }) => sessionId);
      return `${status} ${text.replaceAll(ID, (id) => (sessions.includes(id) ? 'session' : `{${memory.all.indexOf(id)}}`))}`;
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
      for (const call of [...FIRST_CALLS, ...calls]) {
        const [expected, answered] = [await sqlite.call(call), await postgres.call(call)];
        expect(answered, `${call.method} ${call.url} by ${call.by}`).toBe(expected);
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
}, 300_000);
