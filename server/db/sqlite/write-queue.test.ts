import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as nextTurn } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { createWriteQueue } from './write-queue.ts';
import type { ConnectionOrTransaction, Transaction } from '../engine.ts';
import { openDatabase, openReadOnly } from './open.ts';
import { users } from '../schema.ts';

function userRow(id: string, name = 'Budi') {
  return { id, name, email: `${id}@contoh.id`, passwordHash: 'x', createdAt: 1, updatedAt: 1 };
}
const buildUserInsert =
  (id: string, name?: string) =>
  async (tx: Transaction): Promise<string> => {
    await tx.insert(users).values(userRow(id, name)).run();
    return id;
  };
const storedIds = async (orm: ConnectionOrTransaction): Promise<string[]> =>
  orm.column<string>('select id from users order by id');

function buildDatabaseFile() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-commit-'));
  const database = openTestDatabase(join(folder, 'pbb.sqlite'));
  database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  onTestFinished(() => {
    database.sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...database, ...createWriteQueue(database) };
}

/** @returns the number of commits in the write-ahead log: the frames whose header contains a database size */
function countCommits(databaseFile: string): number {
  const log = readFileSync(`${databaseFile}-wal`);
  if (log.length === 0) return 0;
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

/** A database that another program holds until `release`. */
function buildLockedDatabase() {
  const database = buildDatabaseFile();
  const other = openDatabase(database.file);
  onTestFinished(() => void other.sqlite.close());
  other.sqlite.exec('begin immediate');
  return {
    ...database,
    release: () => void other.sqlite.exec('rollback'),
  };
}

/** Stops the clock of the time limits, so that a slow computer divides no batch. */
function stopClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
}

function busyWait(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a batch of the write queue', () => {
  it('commits changes that arrive together at once and gives each its own result', async () => {
    stopClock();
    const { write, file, orm } = buildDatabaseFile();
    const ids = Array.from({ length: 50 }, (_, index) => `u${String(index).padStart(2, '0')}`);
    expect(await Promise.all(ids.map((id) => write(buildUserInsert(id))))).toEqual(ids);
    expect(await storedIds(orm)).toEqual(ids);
    expect(countCommits(file)).toBe(1);
  });

  it('waits for the disk, and a step that is done again has one of its own afterwards that does not', async () => {
    stopClock();
    const { write, sqlite, orm } = buildDatabaseFile();
    const syncs: [string, unknown][] = [];
    const change = (id: string, isDurable: boolean) =>
      write(
        async (tx) => {
          syncs.push([id, sqlite.pragma('synchronous', { simple: true })]);
          return buildUserInsert(id)(tx);
        },
        { isDurable },
      );
    await Promise.all([change('a', false), change('b', false)]);
    await Promise.all([change('c', false), change('d', true)]);
    await change('e', false);
    await write(buildUserInsert('f'));
    await write(async () => syncs.push(['g', sqlite.pragma('synchronous', { simple: true })]));
    const [normal, full] = [1, 2];
    expect(syncs).toEqual([
      ...['a', 'b'].map((id) => [id, normal]),
      ['d', full],
      ['c', normal],
      ['e', normal],
      ['g', full],
    ]);
    expect(await storedIds(orm)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('lets changes go before a step, for 100 ms at most', async () => {
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
    const { write } = buildDatabaseFile();
    const order: string[] = [];
    const step = write(() => void order.push('step'), { isDurable: false });
    for (const name of ['a', 'b', 'c', 'd']) {
      await write(() => {
        nowMs += 40;
        order.push(name);
      });
    }
    await step;
    expect(order).toEqual(['a', 'b', 'c', 'step', 'd']);
  });

  it('contains at most 200 changes, in the order of their arrival', async () => {
    stopClock();
    const { write, file } = buildDatabaseFile();
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 450 }, (_, index) =>
        write((tx) => {
          order.push(index);
          return buildUserInsert(`u${index}`)(tx);
        }),
      ),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).toHaveLength(450);
    expect(countCommits(file)).toBe(3);
  });

  it('ends early when its changes are slow, so that other events run in between', async () => {
    const { write, file } = buildDatabaseFile();
    let timerTicks = 0;
    const clock = setInterval(() => (timerTicks += 1), 1);
    const slow = (id: string) =>
      write(async (tx) => {
        busyWait(20);
        return { id: buildUserInsert(id)(tx), turns: timerTicks };
      });
    const [first, second, third] = await Promise.all([slow('a'), slow('b'), slow('c')]);
    clearInterval(clock);
    expect(countCommits(file)).toBe(3);
    expect(first.turns).toBeLessThan(second.turns);
    expect(second.turns).toBeLessThan(third.turns);
  });

  it('resolves its changes only after the commit', async () => {
    stopClock();
    const { write, file } = buildDatabaseFile();
    const other = openReadOnly(file);
    const seen: string[][] = [];
    const recordStoredIds = async (): Promise<void> => void seen.push(await storedIds(other.orm));
    const first = write(async (tx) => {
      await buildUserInsert('a')(tx);
      await recordStoredIds();
    }).then(recordStoredIds);
    const second = write(async (tx) => {
      await buildUserInsert('b')(tx);
      await recordStoredIds();
    }).then(recordStoredIds);
    await Promise.all([first, second]);
    other.sqlite.close();
    expect(seen).toEqual([[], [], ['a', 'b'], ['a', 'b']]);
  });

  it('also takes changes that arrive while others wait, as those of other connections do', async () => {
    stopClock();
    const { write, file } = buildDatabaseFile();
    const results = [write(buildUserInsert('a'))];
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        results.push(write(buildUserInsert('b')));
        resolve();
      });
    });
    expect(await Promise.all(results)).toEqual(['a', 'b']);
    expect(countCommits(file)).toBe(1);
  });

  it('accepts changes from the callbacks of earlier changes', async () => {
    const { write, orm } = buildDatabaseFile();
    const chain = write(buildUserInsert('a'))
      .then(() => write(buildUserInsert('b')))
      .then(() => write(buildUserInsert('c')));
    expect(await chain).toBe('c');
    expect(await storedIds(orm)).toEqual(['a', 'b', 'c']);
  });
});

describe('a change in the write queue', () => {
  it('rolls back alone when it fails', async () => {
    stopClock();
    const { write, orm, file } = buildDatabaseFile();
    const results = await Promise.allSettled([
      write(buildUserInsert('a')),
      write(async (tx) => {
        await buildUserInsert('half')(tx);
        throw new Error('changed my mind');
      }),
      write(buildUserInsert('b')),
      write(async (tx) => {
        await buildUserInsert('other-half')(tx);
        await buildUserInsert('a')(tx);
      }),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: { message: 'changed my mind' } },
      { status: 'fulfilled', value: 'b' },
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } },
    ]);
    expect(await storedIds(orm)).toEqual(['a', 'b']);
    expect(countCommits(file)).toBe(1);
  });

  it.each([
    ['a timer', () => new Promise((resolve) => setTimeout(resolve, 100))],
    ['a statement outside of it', (orm: ConnectionOrTransaction) => orm.get('select 1')],
  ])('is refused by name when it waits for %s, and the others are stored', async (_what, wait) => {
    const { write, orm } = buildDatabaseFile();
    let late: Promise<unknown> = Promise.resolve();
    const waiting = write(async (tx) => {
      await buildUserInsert('a')(tx);
      late = Promise.resolve(wait(orm)).then(() => buildUserInsert('late')(tx));
      await late;
    });
    const other = write(buildUserInsert('b'));
    await expect(waiting).rejects.toThrow('a change waited for something else than the database');
    await other;
    await expect(late).rejects.toMatchObject({ cause: { message: 'the transaction of this statement has ended' } });
    await write(buildUserInsert('c'));
    expect(await storedIds(orm)).toEqual(['b', 'c']);
  });

  it('shows what it has written to nobody before its commit', async () => {
    const { write, orm } = buildDatabaseFile();
    let seen: Promise<string[]> | undefined;
    await write(async (tx) => {
      await buildUserInsert('a')(tx);
      seen = storedIds(orm);
      expect(await storedIds(tx)).toEqual(['a']);
      await buildUserInsert('b')(tx);
    });
    expect(await seen).toEqual(['a', 'b']);
  });

  it('reaches the database if and only if it succeeds, whichever others fail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (plan) => {
        const database = openTestDatabase();
        const { write } = createWriteQueue(database);
        const jobs = plan.map((fails, index) =>
          write(async (tx) => {
            await buildUserInsert(`u${index}`)(tx);
            if (fails) throw new Error('no');
            return `u${index}`;
          }),
        );
        const results = await Promise.allSettled(jobs);
        const kept = results.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
        expect(await storedIds(database.orm)).toEqual(kept.toSorted());
        expect(results.map(({ status }) => status === 'rejected')).toEqual(plan);
        database.sqlite.close();
      }),
      { numRuns: 30 },
    );
  });
});

describe('the write queue when the database reports an error', () => {
  it('rejects a change that still waits when the database is closed', async () => {
    const { write, sqlite } = buildDatabaseFile();
    const waiting = write(buildUserInsert('a'));
    sqlite.close();
    await expect(waiting).rejects.toThrow('not open');
  });

  it('rejects changes that do not fit on a full disk, stores no part of them, and works again later', async () => {
    const { write, orm, sqlite } = buildDatabaseFile();
    // The migrations leave free pages.
    sqlite.exec('vacuum');
    const pages = sqlite.pragma('page_count', { simple: true }) as number;
    sqlite.pragma(`max_page_count = ${pages + 2}`);
    const big = (id: string) =>
      write(async (tx) => {
        await buildUserInsert(`${id}-small`)(tx);
        return buildUserInsert(id, 'x'.repeat(100_000))(tx);
      });
    const results = await Promise.allSettled([
      write(buildUserInsert('a')),
      big('big'),
      write(buildUserInsert('b')),
      big('large'),
    ]);
    expect(results[1]).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_FULL' } });
    expect(results[3]).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_FULL' } });
    // SQLite decides whether the other changes are stored. Their results must agree with that.
    const confirmedIds = [results[0], results[2]].flatMap((end) => (end?.status === 'fulfilled' ? [end.value] : []));
    expect(await storedIds(orm)).toEqual(confirmedIds);
    expect(sqlite.inTransaction).toBe(false);

    sqlite.pragma('max_page_count = 100000');
    expect(await Promise.all([big('big'), write(buildUserInsert('c'))])).toEqual(['big', 'c']);
    expect(await storedIds(orm)).toEqual([...confirmedIds, 'big', 'big-small', 'c'].toSorted());
  });

  it('rejects all changes of a batch whose commit fails, and stores none', async () => {
    const { write, orm, sqlite } = buildDatabaseFile();
    const dangling = write(async (tx) => {
      await buildUserInsert('a')(tx);
      // Foreign keys are checked at the commit, so the commit itself fails.
      sqlite.pragma('defer_foreign_keys = ON');
      sqlite.exec("insert into sessions values ('s', 'missing', 1, 1, 1, null, null, 'password')");
    });
    const results = await Promise.allSettled([dangling, write(buildUserInsert('b'))]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
    ]);
    expect(await storedIds(orm)).toEqual([]);
    expect(sqlite.inTransaction).toBe(false);
    expect(await write(buildUserInsert('c'))).toBe('c');
  });

  it('rejects a change with its own error even when the commit fails too', async () => {
    const { write, sqlite } = buildDatabaseFile();
    const own = write(() => {
      throw new Error('own error');
    });
    const dangling = write(() => {
      sqlite.pragma('defer_foreign_keys = ON');
      sqlite.exec("insert into sessions values ('s', 'missing', 1, 1, 1, null, null, 'password')");
    });
    const results = await Promise.allSettled([own, dangling]);
    expect(results).toMatchObject([
      { reason: { message: 'own error' } },
      { reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
    ]);
  });

  it('keeps waiting changes in their order while another program holds the database, and reads stay free', async () => {
    const { write, orm, release } = buildLockedDatabase();
    const order: string[] = [];
    const writes = ['a', 'b', 'c'].map((id) =>
      write(async (tx) => {
        order.push(id);
        return buildUserInsert(id)(tx);
      }),
    );
    // The event loop runs on, through several tries.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn(1);
    expect(await orm.select({ n: count() }).from(users).get()).toEqual({ n: 0 });
    expect(order).toEqual([]);
    const late = write(buildUserInsert('d'));
    release();
    expect(await Promise.all([...writes, late])).toEqual(['a', 'b', 'c', 'd']);
    expect(order).toEqual(['a', 'b', 'c']);
    expect(await storedIds(orm)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('rejects changes that have waited four seconds for another program, stores nothing of them, and works again later', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { write, orm, release } = buildLockedDatabase();
    const results = Promise.allSettled([write(buildUserInsert('a')), write(buildUserInsert('b'))]);
    // The queue looks at the database for the first time.
    while (vi.getTimerCount() === 0) await nextTurn(1);
    await vi.advanceTimersByTimeAsync(200);
    const late = write(buildUserInsert('c'));
    // The last try within four seconds, and the first one after that.
    await vi.advanceTimersByTimeAsync(3800 + 50);
    expect(await results).toMatchObject([{ reason: { code: 'SQLITE_BUSY' } }, { reason: { code: 'SQLITE_BUSY' } }]);
    release();
    await vi.advanceTimersByTimeAsync(50);
    expect(await late).toBe('c');
    expect(await storedIds(orm)).toEqual(['c']);
  });

  it('never waits inside SQLite, which would hold the event loop', () => {
    const { sqlite } = buildDatabaseFile();
    expect(sqlite.pragma('busy_timeout', { simple: true })).toBe(0);
  });
});
