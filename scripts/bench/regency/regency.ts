import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openReadOnly } from '#server/db/open.ts';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { connectUsers } from '../load/chat-clients.ts';
import { measureTiming, sendRequest, type HttpCall } from '../requests.ts';
import { percentiles, printResults, type Result } from '../results.ts';
import { SECRET } from '../seed-data.ts';
import { type MeasuredServer, readMaxLoopDelayMs, startServer } from '../server-process.ts';
import { createRegencyData, type RegencyData, SNOOZES_ENDING } from './regency-data.ts';

const MESSAGES = 2_000_000;
const INBOX_ROUNDS = 300;
const INBOX_P95_MS = 20;
const SEARCH_ROUNDS = 100;
const SEARCH_P95_MS = 100;
const SEARCH_PAGE = 20;
/** The load beside the indexing: a message and a list, then this pause. */
const LOAD_PAUSE_MS = 50;
/** The load runs this long after the indexing too, to compare. */
const CALM_MS = 10_000;

const LISTS: [name: string, query: string][] = [
  ['all, latest activity first', 'all=1'],
  ['all, page 100', 'all=1&page=100'],
  ['waiting, longest wait first', 'state=waiting&sort=waiting'],
  ['waiting, page 50', 'state=waiting&sort=waiting&page=50'],
  ['unclaimed', 'state=unclaimed&sort=waiting'],
  ['unread', 'unread=1'],
  ['snoozed', 'state=snoozed'],
  ['mine', 'state=mine'],
  ['100 rows', 'all=1&limit=100'],
];

type Regency = { server: MeasuredServer; data: RegencyData };
/** A search as it is typed, and as FTS5 is asked directly. */
type Query = { typed: string; bare: string };

const adminToken = ({ data }: Regency): string => data.admins[0]?.token ?? '';
const quoted = (...words: string[]): string => words.map((word) => `"${word}"`).join(' ');

const inboxCall = (regency: Regency, query: string): HttpCall => ({
  method: 'GET',
  path: `/api/messages/conversations?${query}`,
  token: adminToken(regency),
});
const searchCall = (regency: Regency, typed: string): HttpCall => ({
  method: 'GET',
  path: `/api/admin/messages/search?${new URLSearchParams({ q: typed }).toString()}`,
  token: adminToken(regency),
});
const sendCall = ({ data }: Regency, content: string): HttpCall => ({
  method: 'POST',
  path: '/api/messages/send',
  token: data.users[0]?.token ?? '',
  body: { to_user_id: data.admins[0]?.id, content },
});

/** Sends messages and reads the list until something is done. @returns the milliseconds of each */
async function loadUntil(
  regency: Regency,
  isDone: () => boolean,
): Promise<{ send: number[]; list: number[]; pauseMs: number }> {
  const [send, list]: [number[], number[]] = [[], []];
  await readMaxLoopDelayMs(regency.server);
  const timed = async (times: number[], call: HttpCall): Promise<void> => {
    const from = performance.now();
    await sendRequest(regency.server.url, call);
    times.push(performance.now() - from);
  };
  for (let n = 0; !isDone(); n += 1) {
    await timed(send, sendCall(regency, `Pesan baru nomor ${n}`));
    await timed(list, inboxCall(regency, ''));
    await pause(LOAD_PAUSE_MS);
  }
  return { send, list, pauseMs: await readMaxLoopDelayMs(regency.server) };
}

async function waitUntilIndexed(regency: Regency): Promise<void> {
  for (;;) {
    const answer = await sendRequest(regency.server.url, searchCall(regency, 'a'));
    if ((JSON.parse(answer) as { data: { indexed_percent: number } }).data.indexed_percent === 100) return;
    await pause(1000);
  }
}

/** The server fills the search index beside a load. The baseline is the same load afterwards. */
async function measureIndexing(regency: Regency): Promise<Result[]> {
  const startedAt = performance.now();
  let isIndexed = false;
  const loading = loadUntil(regency, () => isIndexed);
  await waitUntilIndexed(regency);
  const seconds = (performance.now() - startedAt) / 1000;
  isIndexed = true;
  const during = await loading;
  const calmFrom = performance.now();
  const calm = await loadUntil(regency, () => performance.now() - calmFrom > CALM_MS);
  const row = (name: 'send' | 'list'): Result => ({
    name: `${name} while the index is filled, p95`,
    measured: percentiles(during[name]).p95,
    baseline: percentiles(calm[name]).p95,
    pauseMs: during.pauseMs,
  });
  return [{ name: 'seconds until all messages are in the search index', measured: seconds }, row('send'), row('list')];
}

/** Kinds of queries by name. Each call makes another one. */
function queryKinds(vocabulary: string[]): Record<string, () => Query> {
  const random = createSeededRandom(7);
  const from = (first: number, last: number): string => vocabulary[random.integer(first, last)] ?? '';
  const words = (...chosen: string[]): Query => ({ typed: `${chosen.join(' ')}.`, bare: quoted(...chosen) });
  const beginning = (word: string): Query => ({ typed: word, bare: `"${word}" *` });
  return {
    'a rare word': () => words(from(10_000, 29_999)),
    'a common word': () => words(from(0, 50)),
    'a common and a rare word': () => words(from(0, 50), from(5000, 29_999)),
    'the beginning of a word, 2 letters': () => beginning(from(0, 29_999).slice(0, 2)),
    'a word as it is typed': () => beginning(from(0, 2000)),
    'the number of a record': () => {
      const district = random.integer(10, 40);
      return { typed: `32.75.0${district}.001.002-00`, bare: `"32 75 0${district} 001 002 00" *` };
    },
    'a name and a word': () => {
      const word = from(0, 2000);
      return { typed: `santoso ${word}`, bare: `"santoso" "${word}" *` };
    },
  };
}

/** Searches over HTTP. The baseline asks FTS5 directly. */
async function measureSearch(regency: Regency): Promise<Result[]> {
  const { server, data } = regency;
  const { sqlite } = openReadOnly(data.databaseFile);
  const bareQuery = sqlite.prepare(
    `select m.* from message_words f join messages m on m.id = f.rowid
      where message_words match ? order by f.rowid desc limit ${SEARCH_PAGE + 1}`,
  );
  const rows: Result[] = [];
  for (const [name, makeQuery] of Object.entries(queryKinds(data.vocabulary))) {
    const queries = Array.from({ length: SEARCH_ROUNDS }, makeQuery);
    const bareTimes = queries.map(({ bare }) => {
      const from = performance.now();
      bareQuery.all(bare);
      return performance.now() - from;
    });
    await readMaxLoopDelayMs(server);
    let next = 0;
    const nextCall = (): HttpCall => searchCall(regency, queries[next++ % queries.length]?.typed ?? '');
    const { p95 } = await measureTiming(server.url, nextCall, SEARCH_ROUNDS);
    rows.push({
      name: `search for ${name}, p95`,
      measured: p95,
      baseline: percentiles(bareTimes).p95,
      pauseMs: await readMaxLoopDelayMs(server),
      aim: { max: SEARCH_P95_MS },
    });
  }
  sqlite.close();
  return rows;
}

async function measureList(regency: Regency, name: string, query: string): Promise<Result> {
  const { server } = regency;
  await readMaxLoopDelayMs(server);
  const { p95 } = await measureTiming(server.url, () => inboxCall(regency, query), INBOX_ROUNDS);
  return {
    name: `inbox: ${name}, p95`,
    measured: p95,
    pauseMs: await readMaxLoopDelayMs(server),
    aim: { max: INBOX_P95_MS },
  };
}

async function measureInbox(regency: Regency): Promise<Result[]> {
  const rows: Result[] = [];
  for (const [name, query] of LISTS) rows.push(await measureList(regency, name, query));
  const remainingMs = regency.data.snoozesEndAtMs - Date.now();
  if (remainingMs < 0) {
    process.stdout.write('the snoozes ended before they could be measured\n');
    return rows;
  }
  await pause(remainingMs);
  const name = `waiting, while ${SNOOZES_ENDING.toLocaleString('en')} snoozes end`;
  return [...rows, await measureList(regency, name, 'state=waiting&sort=waiting')];
}

/** The inbox and the search of a regency: 20,000 conversations with two million messages. */
export async function benchRegency(messageCount = MESSAGES): Promise<void> {
  process.stdout.write(`\nfilling a database with ${messageCount.toLocaleString('en')} messages …\n`);
  const data = createRegencyData(messageCount);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir, JWT_SECRET: SECRET });
  // The claims of an admin without a connection would end.
  const sockets = await connectUsers(server.url, data.admins, ({ token }) => ({ token }));
  try {
    const regency = { server, data };
    const indexing = await measureIndexing(regency);
    const inbox = await measureInbox(regency);
    const rows = [...indexing, ...inbox, ...(await measureSearch(regency))];
    printResults(`a regency with ${messageCount.toLocaleString('en')} messages; milliseconds`, rows);
  } finally {
    for (const socket of sockets) socket.disconnect();
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
