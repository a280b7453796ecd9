import { openReadOnly } from '#server/db/sqlite/open.ts';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { measureTiming, type HttpCall } from '../requests.ts';
import { percentiles, type Result } from '../results.ts';
import { readMaxLoopDelayMs } from '../server-process.ts';
import { adminGet, type Regency } from './regency-calls.ts';

const SEARCH_ROUNDS = 100;
const SEARCH_P95_MS = 100;
const SEARCH_PAGE = 20;

/** A search as it is typed, and as FTS5 is asked directly. */
type Query = { typed: string; bare: string };

const quoted = (...words: string[]): string => words.map((word) => `"${word}"`).join(' ');

export const searchCall = (regency: Regency, typed: string): HttpCall =>
  adminGet(regency, `/admin/messages/search?${new URLSearchParams({ q: typed }).toString()}`);

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
export async function measureMessageSearch(regency: Regency, maxMs = SEARCH_P95_MS): Promise<Result[]> {
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
      aim: { max: maxMs },
    });
  }
  sqlite.close();
  return rows;
}
