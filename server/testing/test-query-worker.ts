import { isMainThread, threadId, workerData } from 'node:worker_threads';
import { sql } from 'drizzle-orm';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { containsText } from '#server/db/search.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/engine.ts';
import { parsePostgresUrl } from '#server/db/postgres/address.ts';
import { serveQueries } from '#server/db/query-worker.ts';

const things = sqliteTable('things', { amount: integer('amount').notNull() });

/** Queries for the tests of the query worker; this file is also the entry of its thread. */
export const testQueries = {
  count: (orm: ConnectionOrTransaction, { above }: { above: number }) =>
    orm.value<number>('select count(*) from things where amount > ?', above),
  hugeSum: async (orm: ConnectionOrTransaction, _args: null) =>
    BigInt((await orm.value<string>('select cast(sum(amount) as text) from things')) ?? 0),
  tryToWrite: (orm: ConnectionOrTransaction, _args: null) => orm.run('insert into things (amount) values (1)'),
  unclonable: async (_orm: ConnectionOrTransaction, _args: null) => () => 1,
  echo: async (_orm: ConnectionOrTransaction, value: unknown) => value,
  bytes: async (_orm: ConnectionOrTransaction, length: number) => new Uint8Array(length),
  /** Returns when the test opens the gate. */
  waitForGate: async (_orm: ConnectionOrTransaction, gate: Int32Array<SharedArrayBuffer>) => Atomics.wait(gate, 0, 0),
  /** Counts its runs where the test can see them. */
  countRun: async (_orm: ConnectionOrTransaction, runs: Int32Array<SharedArrayBuffer>) => Atomics.add(runs, 0, 1),
  /** A search without an end, which only a stop can end. The test sees in `begun` that it runs. */
  searchForever: async (orm: ConnectionOrTransaction, begun: Int32Array<SharedArrayBuffer>) => {
    Atomics.store(begun, 0, 1);
    Atomics.notify(begun, 0);
    // With a plain join SQLite would read the things only once, and find nothing at once.
    await orm.get(sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers)
      select count(*) from numbers cross join things where ${containsText(things.amount, 'x')}`);
  },
  /** As a long search on PostgreSQL, in a snapshot as those of lists. The statement after it never runs. */
  sleepForever: (orm: Connection, _args: null) =>
    readSnapshot(orm, async (tx) => {
      await tx.all('select pg_sleep(600)').catch(() => undefined);
      return tx.value<string>("select 'this runs after the search'");
    }),
  answer: (orm: ConnectionOrTransaction, value: number) => orm.value<number>('select ?::bigint', value),
  threadId: async (_orm: ConnectionOrTransaction, _args: null) => threadId,
  crash: async (_orm: ConnectionOrTransaction, _args: null): Promise<number> => {
    process.exit(3);
  },
};

/** The data that the test gave this thread; the test runner's own threads have other data. */
const threadData: unknown = isMainThread ? null : workerData;
if (typeof threadData === 'object' && threadData !== null && 'readsFrom' in threadData) {
  const { readsFrom } = threadData;
  const address = parsePostgresUrl(String(readsFrom));
  serveQueries(testQueries, address ? { address } : { file: String(readsFrom) }, 'slow');
}
