import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openReadOnly } from '#server/db/open.ts';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { percentiles, printTable, sendRequest } from '../measure.ts';
import { SECRET } from '../seed-data.ts';
import { type MeasuredServer, readMaxLoopDelayMs, startServer } from '../server-process.ts';
import { createSearchData, type SearchData } from './search-data.ts';

const MESSAGES = 2_000_000;
const AIM_P95_MS = 100;
const QUERIES = 100;
/** The load beside the indexing: a message and a list so often. */
const LOAD_EVERY_MS = 50;
/** After the indexing the same load runs for so long, to compare. */
const CALM_MS = 10_000;
const PAGE = 20;

type Load = { send: number[]; list: number[]; pauses: { atMs: number; ms: number }[] };
type SearchAnswer = { data: { data: unknown[]; has_more: boolean; indexed_percent: number } };

async function search({ url }: MeasuredServer, token: string, query: Record<string, string>): Promise<SearchAnswer> {
  const path = `/api/admin/messages/search?${new URLSearchParams(query).toString()}`;
  return JSON.parse(await sendRequest(url, { method: 'GET', path, token })) as SearchAnswer;
}

async function timed(times: number[], call: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  await call();
  times.push(performance.now() - from);
}

/** Sends messages and reads the list until something is done. */
async function loadUntil(server: MeasuredServer, data: SearchData, isDone: () => boolean): Promise<Load> {
  const load: Load = { send: [], list: [], pauses: [] };
  const startedAt = performance.now();
  await readMaxLoopDelayMs(server);
  for (let n = 0; !isDone(); n += 1) {
    const body = { to_user_id: data.admin.id, content: `Pesan baru nomor ${n}` };
    const message = { method: 'POST', path: '/api/messages/send', token: data.user.token, body } as const;
    const list = { method: 'GET', path: '/api/messages/conversations', token: data.admin.token } as const;
    await timed(load.send, () => sendRequest(server.url, message));
    await timed(load.list, () => sendRequest(server.url, list));
    await sleep(LOAD_EVERY_MS);
    load.pauses.push({ atMs: performance.now() - startedAt, ms: await readMaxLoopDelayMs(server) });
  }
  load.pauses.sort((a, b) => b.ms - a.ms);
  return load;
}

async function waitUntilIndexed(server: MeasuredServer, token: string, handleProgress: (percent: number) => void) {
  for (;;) {
    const { indexed_percent: percent } = (await search(server, token, { q: 'a' })).data;
    handleProgress(percent);
    if (percent === 100) return;
    await sleep(1000);
  }
}

const p95 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

/** The kinds of queries, each as the person types it and as FTS5 is asked directly. */
function queriesOf({ vocabulary }: SearchData) {
  const random = createSeededRandom(7);
  const from = (first: number, last: number) => vocabulary[random.integer(first, last)] ?? '';
  const quoted = (...words: string[]): string => words.map((word) => `"${word}"`).join(' ');
  const kinds: Record<string, () => { typed: string; bare: string }> = {
    'rare word': () => ((word) => ({ typed: `${word}.`, bare: quoted(word) }))(from(10_000, 29_999)),
    'common word': () => ((word) => ({ typed: `${word}.`, bare: quoted(word) }))(from(0, 50)),
    'two common words': () => ((a, b) => ({ typed: `${a} ${b}.`, bare: quoted(a, b) }))(from(0, 50), from(51, 160)),
    'common and rare word': () =>
      ((a, b) => ({ typed: `${a} ${b}.`, bare: quoted(a, b) }))(from(0, 50), from(5000, 29_999)),
    'two rare words': () =>
      ((a, b) => ({ typed: `${a} ${b}.`, bare: quoted(a, b) }))(from(1000, 9999), from(1000, 9999)),
    'beginning of a word, 2 letters': () =>
      ((word) => ({ typed: word, bare: `"${word}" *` }))(from(0, 29_999).slice(0, 2)),
    'beginning of a word, 4 letters': () =>
      ((word) => ({ typed: word, bare: `"${word}" *` }))(from(0, 29_999).slice(0, 4)),
    'word as it is typed': () => ((word) => ({ typed: word, bare: `"${word}" *` }))(from(0, 2000)),
    'number of a record': () =>
      ((n) => ({ typed: `32.75.0${n}.001.002-00`, bare: `"32 75 0${n} 001 002 00" *` }))(random.integer(10, 40)),
    amount: () => ((n) => ({ typed: `Rp ${n}.000`, bare: `"Rp" "${n} 000" *` }))(random.integer(50, 999)),
    'name and word': () => ((word) => ({ typed: `santoso ${word}`, bare: `"santoso" "${word}" *` }))(from(0, 2000)),
  };
  return Object.entries(kinds).map(([name, make]) => ({ name, queries: Array.from({ length: QUERIES }, make) }));
}

async function measureQueries(server: MeasuredServer, data: SearchData): Promise<void> {
  const { sqlite } = openReadOnly(data.databaseFile);
  const bareQuery = sqlite.prepare(
    `select m.* from message_words f join messages m on m.id = f.rowid
      where message_words match ? order by f.rowid desc limit ${PAGE + 1}`,
  );
  const all: number[] = [];
  const rows: (string | number)[][] = [];
  for (const { name, queries } of queriesOf(data)) {
    const [ours, bare]: [number[], number[]] = [[], []];
    let found = 0;
    for (const { typed, bare: question } of queries) {
      await timed(bare, async () => bareQuery.all(question));
      await timed(ours, async () => {
        found += (await search(server, data.admin.token, { q: typed })).data.data.length;
      });
    }
    all.push(...ours);
    rows.push([name, found / queries.length, percentiles(ours).p50, p95(ours), Math.max(...ours), percentiles(bare).p50,
      p95(bare), p95(ours) / p95(bare)]); // prettier-ignore
  }
  sqlite.close();
  printTable(
    `search, ms; ${QUERIES} different queries of each kind over HTTP, the last word unfinished unless it ends with a dot`,
    ['', 'found', 'p50', 'p95', 'max', 'bare FTS5 p50', 'p95', 'p95 ratio'],
    rows,
  );
  const total = p95(all);
  process.stdout.write(
    `all: p95 ${total.toFixed(1)} ms, aim ≤ ${AIM_P95_MS} ms, ${total <= AIM_P95_MS ? 'met' : 'MISSED'}\n`,
  );
}

/** In one conversation: a word that stands everywhere, and one that stands nowhere, so that all is read. */
async function measureConversation(server: MeasuredServer, { user, vocabulary }: SearchData): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const [name, q] of [
    ['common word', vocabulary[0] ?? ''],
    ['missing word', 'tidakadakata'],
  ] as const) {
    const times: number[] = [];
    const path = `/api/messages/search?${new URLSearchParams({ q }).toString()}`;
    for (let n = 0; n < QUERIES; n += 1)
      await timed(times, () => sendRequest(server.url, { method: 'GET', path, token: user.token }));
    rows.push([name, percentiles(times).p50, p95(times)]);
  }
  printTable('search of a user in the own conversation, ms', ['', 'p50', 'p95'], rows);
}

/** Migrates a database of version 1.0.0, indexes it beside a load, and searches it. */
export async function benchSearch(count = MESSAGES): Promise<void> {
  const createdAt = performance.now();
  const data = createSearchData(count);
  process.stdout.write(`\n${count} messages made in ${((performance.now() - createdAt) / 1000).toFixed(0)} s\n`);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir, JWT_SECRET: SECRET });
  const readyAt = performance.now();
  const bytesAfterMigration = statSync(data.databaseFile).size;

  let isIndexed = false;
  const loading = loadUntil(server, data, () => isIndexed);
  const progress: string[] = [];
  await waitUntilIndexed(server, data.admin.token, (percent) => {
    progress.push(`${((performance.now() - readyAt) / 1000).toFixed(0)} s: ${percent} %`);
  });
  const indexedMs = performance.now() - readyAt;
  isIndexed = true;
  const during = await loading;
  const calmFrom = performance.now();
  const calm = await loadUntil(server, data, () => performance.now() - calmFrom > CALM_MS);
  const every = Math.max(1, Math.ceil(progress.length / 8));
  process.stdout.write(`indexed after ${progress.filter((_, index) => index % every === 0).join(', ')} …\n`);
  printTable(
    'start with a database of version 1.0.0',
    ['', ''],
    [
      ['migrated and ready after, s', server.startMs / 1000],
      ['indexed so many seconds later', indexedMs / 1000],
    ],
  );
  const loadRow = (name: string, { send, list, pauses }: Load): (string | number)[] => [
    name, percentiles(send).p50, p95(send), percentiles(list).p50, p95(list), ...pauses.slice(0, 3).map(({ atMs, ms }) => `${ms.toFixed(0)} (${(atMs / 1000).toFixed(1)} s)`)]; // prettier-ignore
  printTable(
    'answers meanwhile, ms',
    ['', 'send p50', 'p95', 'list p50', 'p95', 'longest pauses of the event loop', '', ''],
    [loadRow('while indexing', during), loadRow('afterwards', calm)],
  );

  await measureQueries(server, data);
  await measureConversation(server, data);
  await server.stop();
  const bytes = statSync(data.databaseFile).size;
  printTable(
    'size, bytes per message',
    ['', ''],
    [
      ['version 1.0.0', data.bytes / count],
      ['after the migration', bytesAfterMigration / count],
      ['with the index', bytes / count],
      ['the index alone', readIndexBytes(data.databaseFile) / count],
    ],
  );
  rmSync(join(data.dataDir), { recursive: true, force: true });
}

function readIndexBytes(databaseFile: string): number {
  const { sqlite } = openReadOnly(databaseFile);
  const bytes = sqlite.prepare<[], number>('select sum(length(block)) from message_words_data').pluck().get() ?? 0;
  sqlite.close();
  return bytes;
}
