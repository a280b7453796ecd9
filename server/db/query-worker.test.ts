import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TEST_QUERIES_FILE } from '#server/testing/program/program.ts';
import { testQueries } from '#server/testing/test-query-worker.ts';
import { openDatabase } from './sqlite/open.ts';
import {
  createInlineQueryWorker,
  createQueryWorker,
  QUERY_WORKER_LIMITS,
  type QueryWorkerLimits,
} from './query-worker.ts';

const CALLER = { account: 'a' };
const ENTRY = pathToFileURL(TEST_QUERIES_FILE);

/** The start of a thread counts as time of its first query, and takes long on a busy machine. */
const PATIENT = { waitMaxMs: 60_000, runMaxMs: 60_000 };

/** A database file with the amounts 1, 2, 3 and a worker that reads it. */
function openQueryWorker(entry: URL = ENTRY, limits: Partial<QueryWorkerLimits> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-reader-'));
  const { sqlite, file } = openDatabase(join(folder, 'pbb.sqlite'));
  sqlite.exec('create table things (amount integer not null); insert into things values (1), (2), (3)');
  const queryWorker = createQueryWorker<typeof testQueries>(
    () => new Worker(entry, { workerData: { readsFrom: file } }),
    { ...QUERY_WORKER_LIMITS, ...PATIENT, ...limits },
  );
  const close = async (): Promise<void> => {
    await queryWorker.close();
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { reader: queryWorker, sqlite, close };
}

function buildQueryWorker(entry?: URL, limits?: Partial<QueryWorkerLimits>) {
  const opened = openQueryWorker(entry, limits);
  onTestFinished(opened.close);
  return opened;
}

describe('a running query worker', () => {
  // A start takes most of a second, so these tests share one worker and do not change its state.
  const { reader, sqlite, close } = openQueryWorker();
  afterAll(close);
  beforeEach(() => void sqlite.exec('delete from things where amount > 3'));

  it('reads from the file, including what was just committed', async () => {
    expect(await reader.run('count', { above: 1 }, CALLER)).toBe(2);
    sqlite.exec('insert into things values (9)');
    expect(await reader.run('count', { above: 1 }, CALLER)).toBe(3);
  });

  it('gives each of many parallel queries its own result', async () => {
    const requests = Array.from({ length: 50 }, (_, index) => index);
    expect(await Promise.all(requests.map((index) => reader.run('echo', { index }, { account: `${index}` })))).toEqual(
      requests.map((index) => ({ index })),
    );
  });

  it('neither sees an open transaction nor waits for it', async () => {
    sqlite.exec('begin immediate; insert into things values (9)');
    expect(await reader.run('count', { above: 0 }, CALLER)).toBe(3);
    sqlite.exec('commit');
    expect(await reader.run('count', { above: 0 }, CALLER)).toBe(4);
  });

  it('returns integers beyond 2^53 exactly', async () => {
    sqlite.exec('insert into things values (9007199254740993)');
    expect(await reader.run('hugeSum', null, CALLER)).toBe(9007199254740999n);
  });

  it('cannot write, and passes on the error with its code', async () => {
    await expect(reader.run('tryToWrite', null, CALLER)).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
    expect(await reader.run('count', { above: 0 }, CALLER)).toBe(3);
  });

  it('rejects an unknown query name', async () => {
    await expect(reader.run('nothing' as 'count', { above: 0 }, CALLER)).rejects.toThrow('no heavy read named nothing');
  });

  it('rejects arguments and results that cannot be cloned, and continues', async () => {
    await expect(reader.run('echo', () => 1, CALLER)).rejects.toThrow(/could not be cloned/);
    await expect(reader.run('unclonable', null, CALLER)).rejects.toThrow(/could not be cloned/);
    expect(await reader.run('count', { above: 0 }, CALLER)).toBe(3);
  });
});

it('rejects the query with which a thread dies, and runs the waiting ones in another', async () => {
  const { reader: queryWorker } = buildQueryWorker();
  const results = await Promise.allSettled([
    queryWorker.run('crash', null, CALLER),
    queryWorker.run('count', { above: 0 }, CALLER),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

it('rejects every query of a thread that throws at its start', async () => {
  // Such a thread reports the error first and its exit later.
  const { reader: queryWorker } = buildQueryWorker(new URL('data:text/javascript,throw new Error("will not start")'));
  const again = queryWorker.run('echo', 1, CALLER).catch(() => queryWorker.run('echo', 2, CALLER));
  await expect(again).rejects.toThrow('will not start');
});

it('rejects running and waiting queries when the query worker is closed', async () => {
  const { reader: queryWorker } = buildQueryWorker();
  const running = expect(queryWorker.run('count', { above: 0 }, CALLER)).rejects.toThrow('the reading worker ended');
  const waiting = expect(queryWorker.run('count', { above: 0 }, CALLER)).rejects.toThrow('the server closes');
  await queryWorker.close();
  await Promise.all([running, waiting]);
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
  expect(await queryWorker.run('count', { above: 4 }, CALLER)).toBe(1);
  await expect(queryWorker.run('nothing' as 'count', { above: 0 }, CALLER)).rejects.toThrow(
    'no heavy read named nothing',
  );
  await queryWorker.close();
});

describe('while a query runs', () => {
  /** A query of the account 'busy' that runs until the test opens the gate. */
  function buildBusyWorker(limits?: Partial<QueryWorkerLimits>) {
    const { reader } = buildQueryWorker(ENTRY, limits);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const busy = reader.run('waitForGate', gate, { account: 'busy' });
    const openGate = async (): Promise<void> => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      await busy;
    };
    return { reader, busy, openGate };
  }

  it('gives each account a turn, so that many queries of one do not delay another', async () => {
    const { reader, openGate } = buildBusyWorker();
    const order: string[] = [];
    const ask = async (account: string): Promise<void> => {
      await reader.run('echo', account, { account });
      order.push(account);
    };
    const asked = [ask('many'), ask('many'), ask('many'), ask('one'), ask('two')];
    await openGate();
    await Promise.all(asked);
    expect(order).toEqual(['many', 'one', 'two', 'many', 'many']);
  });

  it('refuses queries beyond 32 of an account that wait, and beyond 500 in all', async () => {
    const { reader, openGate } = buildBusyWorker();
    const ask = (account: string): Promise<unknown> => reader.run('echo', account, { account });
    const askMany = (count: number, account: string) => Array.from({ length: count }, () => ask(account));
    const waiting = askMany(32, 'many');
    await expect(ask('many')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    for (let index = 0; index < 18; index += 1) waiting.push(...askMany(26, `other ${index}`));
    await expect(ask('one')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    await openGate();
    expect(await Promise.all(waiting)).toHaveLength(500);
    expect(await ask('one')).toBe('one');
  });

  it('refuses a query that has waited ten seconds', async () => {
    const { reader, openGate } = buildBusyWorker({ waitMaxMs: QUERY_WORKER_LIMITS.waitMaxMs });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = reader.run('echo', 1, CALLER);
    vi.advanceTimersByTime(1);
    const served = reader.run('echo', 2, CALLER);
    vi.advanceTimersByTime(9999);
    await expect(refused).rejects.toThrow('the query waited too long');
    await openGate();
    expect(await served).toBe(2);
  });

  it('does not run a query whose caller has hung up', async () => {
    const { reader, openGate } = buildBusyWorker();
    const runs = new Int32Array(new SharedArrayBuffer(4));
    const hangUp = new AbortController();
    const abandoned = reader.run('countRun', runs, { account: 'a', closed: hangUp.signal });
    const patient = reader.run('countRun', runs, { account: 'b' });
    hangUp.abort();
    await expect(abandoned).rejects.toThrow('the caller hung up');
    await openGate();
    await patient;
    await expect(reader.run('countRun', runs, { account: 'a', closed: hangUp.signal })).rejects.toThrow('hung up');
    expect(runs[0]).toBe(1);
  });

  it('stops a search whose caller hangs up, and runs the next in the same thread', async () => {
    const { reader, sqlite } = buildQueryWorker();
    // A search looks after its caller at every 1,024th row.
    sqlite.exec('insert into things (rowid, amount) values (1024, 4)');
    const slow = { account: 'a', isSlow: true };
    const thread = await reader.run('threadId', null, slow);
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const hangUp = new AbortController();
    const abandoned = reader.run('searchForever', begun, { ...slow, closed: hangUp.signal });
    const next = reader.run('threadId', null, slow);
    await Atomics.waitAsync(begun, 0, 0).value;
    hangUp.abort();
    await expect(abandoned).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    expect(await next).toBe(thread);
    expect(await reader.run('count', { above: 0 }, slow)).toBe(4);
  });

  it('runs short queries in another thread than slow ones', async () => {
    const { reader } = buildQueryWorker();
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const slow = reader.run('waitForGate', gate, { account: 'a', isSlow: true });
    expect(await reader.run('count', { above: 0 }, { account: 'b' })).toBe(3);
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await slow;
  });

  it('refuses a query that runs for ten seconds, and runs the next in a new thread', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { reader, busy } = buildBusyWorker({ runMaxMs: QUERY_WORKER_LIMITS.runMaxMs });
    const refused = vi.fn();
    busy.catch(refused);
    vi.advanceTimersByTime(9999);
    const next = reader.run('echo', 'next', CALLER);
    await nextTurn();
    expect(refused).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await expect(busy).rejects.toMatchObject({ code: 'QUERY_REFUSED', message: 'the query ran too long' });
    expect(await next).toBe('next');
  });
});

it('learns which query of which account is slow, and runs it in the thread of slow queries', async () => {
  const { reader } = buildQueryWorker(ENTRY, { shortCpuMsMax: -1 });
  const threadOf = (account: string): Promise<number> => reader.run('threadId', null, { account });
  const first = await threadOf('a');
  const second = await threadOf('a');
  expect(second).not.toBe(first);
  expect(await threadOf('b')).toBe(first);
  expect(await threadOf('a')).toBe(second);
});

it('moves waiting queries out of the way of short ones when it learns that they are slow', async () => {
  const { reader } = buildQueryWorker(ENTRY, { shortCpuMsMax: -1 });
  const threadOf = (account: string): Promise<number> => reader.run('threadId', null, { account });
  const [first, second, third, other] = await Promise.all([threadOf('a'), threadOf('a'), threadOf('a'), threadOf('b')]);
  expect(other).toBe(first);
  expect(second).not.toBe(first);
  expect(third).toBe(second);
});

it('ends the thread of slow queries when it has nothing to do, and starts another for the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { reader } = buildQueryWorker();
  const slowThread = (): Promise<number> => reader.run('threadId', null, { account: 'a', isSlow: true });
  const first = await slowThread();
  expect(await slowThread()).toBe(first);
  vi.advanceTimersByTime(QUERY_WORKER_LIMITS.slowThreadIdleMs);
  expect(await slowThread()).not.toBe(first);
});

it('waits with the next answer of an account that has not read 8 MiB of its answers', async () => {
  const { reader } = buildQueryWorker();
  const [almost, rest] = [new AbortController(), new AbortController()];
  await reader.run('bytes', 8 * 2 ** 20 - 1, { account: 'a', closed: almost.signal });
  await reader.run('bytes', 1, { account: 'a', closed: rest.signal });
  const order: string[] = [];
  const waiting = reader.run('bytes', 100, { account: 'a' }).then(() => order.push('a'));
  await reader.run('bytes', 100, { account: 'b' }).then(() => order.push('b'));
  expect(order).toEqual(['b']);
  rest.abort();
  await waiting;
});

it('waits with slow queries of all while 64 MiB of answers are not read', async () => {
  const { reader } = buildQueryWorker();
  const sent = Array.from({ length: 8 }, () => new AbortController());
  for (const [index, { signal }] of sent.entries())
    await reader.run('bytes', 8 * 2 ** 20, { account: `${index}`, closed: signal, isSlow: true });
  const order: string[] = [];
  const slow = reader.run('echo', 1, { account: 'a', isSlow: true }).then(() => order.push('slow'));
  await reader.run('echo', 1, { account: 'b' }).then(() => order.push('short'));
  expect(order).toEqual(['short']);
  sent[0]?.abort();
  await slow;
});
