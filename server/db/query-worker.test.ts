import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testQueries } from '#server/testing/test-query-worker.ts';
import { openDatabase } from './open.ts';
import { createInlineQueryWorker, createQueryWorker } from './query-worker.ts';

const ENTRY = new URL('../testing/test-query-worker.ts', import.meta.url);

/** A database file with the amounts 1, 2, 3 and a worker that reads it. */
function openQueryWorker(entry: URL = ENTRY) {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-reader-'));
  const { sqlite, file } = openDatabase(join(folder, 'pbb.sqlite'));
  sqlite.exec('create table things (amount integer not null); insert into things values (1), (2), (3)');
  const queryWorker = createQueryWorker<typeof testQueries>(
    () => new Worker(entry, { workerData: { readsFrom: file } }),
  );
  const close = async (): Promise<void> => {
    await queryWorker.close();
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { reader: queryWorker, sqlite, close };
}

function buildQueryWorker(entry?: URL) {
  const opened = openQueryWorker(entry);
  onTestFinished(opened.close);
  return opened;
}

describe('a running query worker', () => {
  // A start takes most of a second, so these tests share one worker and do not change its state.
  const { reader, sqlite, close } = openQueryWorker();
  afterAll(close);
  beforeEach(() => void sqlite.exec('delete from things where amount > 3'));

  it('reads from the file, including what was just committed', async () => {
    expect(await reader.run('count', { above: 1 })).toBe(2);
    sqlite.exec('insert into things values (9)');
    expect(await reader.run('count', { above: 1 })).toBe(3);
  });

  it('gives each of many parallel queries its own result', async () => {
    const requests = Array.from({ length: 50 }, (_, index) => index);
    expect(await Promise.all(requests.map((index) => reader.run('echo', { index })))).toEqual(
      requests.map((index) => ({ index })),
    );
  });

  it('neither sees an open transaction nor waits for it', async () => {
    sqlite.exec('begin immediate; insert into things values (9)');
    expect(await reader.run('count', { above: 0 })).toBe(3);
    sqlite.exec('commit');
    expect(await reader.run('count', { above: 0 })).toBe(4);
  });

  it('returns integers beyond 2^53 exactly', async () => {
    sqlite.exec('insert into things values (9007199254740993)');
    expect(await reader.run('hugeSum', null)).toBe(9007199254740999n);
  });

  it('cannot write, and passes on the error with its code', async () => {
    await expect(reader.run('tryToWrite', null)).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
    expect(await reader.run('count', { above: 0 })).toBe(3);
  });

  it('rejects an unknown query name', async () => {
    await expect(reader.run('nothing' as 'count', { above: 0 })).rejects.toThrow('no heavy read named nothing');
  });

  it('rejects arguments and results that cannot be cloned, and continues', async () => {
    await expect(reader.run('echo', () => 1)).rejects.toThrow(/could not be cloned/);
    await expect(reader.run('unclonable', null)).rejects.toThrow(/could not be cloned/);
    expect(await reader.run('count', { above: 0 })).toBe(3);
  });
});

it('rejects the pending queries of a query worker that dies, and starts another', async () => {
  const { reader: queryWorker } = buildQueryWorker();
  const failing = [queryWorker.run('crash', null), queryWorker.run('count', { above: 0 })];
  const results = await Promise.allSettled(failing);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await queryWorker.run('count', { above: 0 })).toBe(3);
});

it('starts another query worker from the error handler of the previous one', async () => {
  // A worker that throws at its start reports the error first and its exit later.
  const { reader: queryWorker } = buildQueryWorker(new URL('data:text/javascript,throw new Error("will not start")'));
  const again = queryWorker.run('echo', 1).catch(() => queryWorker.run('echo', 2));
  await expect(again).rejects.toThrow('will not start');
});

it('rejects pending queries when the query worker is closed', async () => {
  const { reader: queryWorker } = buildQueryWorker();
  const waiting = expect(queryWorker.run('count', { above: 0 })).rejects.toThrow('the reading worker ended');
  await queryWorker.close();
  await waiting;
});

it('closes a query worker that was never used', async () => {
  const { reader: queryWorker } = buildQueryWorker();
  await expect(queryWorker.close()).resolves.toBeUndefined();
});

it('runs the same queries in the calling thread for a database in memory', async () => {
  const { sqlite, orm } = openDatabase(':memory:');
  onTestFinished(() => void sqlite.close());
  sqlite.exec('create table things (amount integer not null); insert into things values (5)');
  const queryWorker = createInlineQueryWorker(testQueries, orm);
  expect(await queryWorker.run('count', { above: 4 })).toBe(1);
  await expect(queryWorker.run('nothing' as 'count', { above: 0 })).rejects.toThrow('no heavy read named nothing');
  await queryWorker.close();
});
