import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { TEST_QUERIES_FILE } from '#server/testing/program/program.ts';
import type { testQueries } from '#server/testing/test-query-worker.ts';
import { createQueryWorker } from '../query-worker.ts';

const CALLER = { account: 'a', isSlow: true };

/** A query worker that reads from the database of administrators. */
function buildQueryWorker() {
  const worker = createQueryWorker<typeof testQueries>(
    () => new Worker(TEST_QUERIES_FILE, { workerData: { readsFrom: `${testServer}/postgres` } }),
  );
  onTestFinished(worker.close);
  return worker;
}

const runningSearches = (): unknown =>
  runSync(
    'postgres',
    "select count(*) as searches from pg_stat_activity where state = 'active' and query = 'select pg_sleep(600)'",
  ).rows;

it('cancels a search whose caller hangs up, and runs the next queries in the same thread', async () => {
  const worker = buildQueryWorker();
  const thread = await worker.run('threadId', null, CALLER);
  for (let round = 0; round < 5; round += 1) {
    const hangUp = new AbortController();
    const search = worker.run('sleepForever', null, { ...CALLER, closed: hangUp.signal });
    const abandoned = expect(search).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    const next = worker.run('answer', round, CALLER);
    await expect.poll(runningSearches).toEqual([{ searches: 1 }]);
    const hungUpAt = performance.now();
    hangUp.abort();
    await abandoned;
    expect(await next).toBe(round);
    expect(performance.now() - hungUpAt).toBeLessThan(2000);
    await expect.poll(runningSearches).toEqual([{ searches: 0 }]);
  }
  expect(await worker.run('threadId', null, CALLER)).toBe(thread);
});

it('ends no query that follows one whose caller hung up at its end', async () => {
  const worker = buildQueryWorker();
  for (let round = 0; round < 30; round += 1) {
    const hangUp = new AbortController();
    const first = worker.run('answer', -1, { ...CALLER, closed: hangUp.signal }).catch(() => -1);
    const next = worker.run('answer', round, CALLER);
    setTimeout(() => hangUp.abort(), round % 6);
    expect([await first, await next]).toEqual([-1, round]);
  }
});
