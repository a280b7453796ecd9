import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testResources } from '#server/testing/test-app.ts';
import { createWriteQueue } from './write-queue.ts';
import { migrate } from './migrations/migrate.ts';
import { type ConnectionOrTransaction, openDatabase, openReadOnly, type Transaction } from './open.ts';
import { users } from './schema.ts';

function userRow(id: string, name = 'Budi') {
  return { id, name, email: `${id}@contoh.id`, passwordHash: 'x', createdAt: 1, updatedAt: 1 };
}
const buildUserInsert =
  (id: string, name?: string) =>
  (tx: Transaction): string => {
    tx.insert(users).values(userRow(id, name)).run();
    return id;
  };
const storedIds = (orm: ConnectionOrTransaction): string[] =>
  orm
    .select({ id: users.id })
    .from(users)
    .all()
    .map(({ id }) => id)
    .toSorted();

function buildDatabaseFile() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-commit-'));
  const database = openDatabase(join(folder, 'pbb.sqlite'));
  migrate(database.sqlite, testResources, () => {});
  database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  onTestFinished(() => {
    database.sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...database, write: createWriteQueue(database) };
}

/** Commits in the write-ahead log: the frames whose header names a database size. */
function countCommits(databaseFile: string): number {
  const log = readFileSync(`${databaseFile}-wal`);
  if (log.length === 0) return 0;
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

function busyWait(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a batch', () => {
  it('shares a commit between all that arrive together, each with its own result', async () => {
    const { write, file, orm } = buildDatabaseFile();
    const ids = Array.from({ length: 50 }, (_, index) => `u${String(index).padStart(2, '0')}`);
    expect(await Promise.all(ids.map((id) => write(buildUserInsert(id))))).toEqual(ids);
    expect(storedIds(orm)).toEqual(ids);
    // One, unless the machine is so slow that the batch ran out of its time.
    expect(countCommits(file)).toBeLessThanOrEqual(3);
  });

  it('holds at most 200 changes, in the order they came', async () => {
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
    expect(countCommits(file)).toBeGreaterThanOrEqual(3);
  });

  it('ends early when its changes are slow, and lets others run in between', async () => {
    const { write, file } = buildDatabaseFile();
    let timerTicks = 0;
    const clock = setInterval(() => (timerTicks += 1), 1);
    const slow = (id: string) =>
      write((tx) => {
        busyWait(20);
        return { id: buildUserInsert(id)(tx), turns: timerTicks };
      });
    const [first, second, third] = await Promise.all([slow('a'), slow('b'), slow('c')]);
    clearInterval(clock);
    expect(countCommits(file)).toBe(3);
    expect(first.turns).toBeLessThan(second.turns);
    expect(second.turns).toBeLessThan(third.turns);
  });

  it('is answered only after it is committed', async () => {
    const { write, file } = buildDatabaseFile();
    const other = openReadOnly(file);
    const seen: string[][] = [];
    const recordStoredIds = (): void => void seen.push(storedIds(other.orm));
    const first = write((tx) => {
      buildUserInsert('a')(tx);
      recordStoredIds();
    }).then(recordStoredIds);
    const second = write((tx) => {
      buildUserInsert('b')(tx);
      recordStoredIds();
    }).then(recordStoredIds);
    await Promise.all([first, second]);
    other.sqlite.close();
    expect(seen).toEqual([[], [], ['a', 'b'], ['a', 'b']]);
  });

  it('takes what is asked for while it is being answered', async () => {
    const { write, orm } = buildDatabaseFile();
    const chain = write(buildUserInsert('a'))
      .then(() => write(buildUserInsert('b')))
      .then(() => write(buildUserInsert('c')));
    expect(await chain).toBe('c');
    expect(storedIds(orm)).toEqual(['a', 'b', 'c']);
  });
});

describe('a change that fails', () => {
  it('takes nothing from its neighbours and leaves nothing of itself', async () => {
    const { write, orm, file } = buildDatabaseFile();
    const results = await Promise.allSettled([
      write(buildUserInsert('a')),
      write((tx) => {
        buildUserInsert('half')(tx);
        throw new Error('changed my mind');
      }),
      write(buildUserInsert('b')),
      write((tx) => {
        buildUserInsert('other-half')(tx);
        buildUserInsert('a')(tx);
      }),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: { message: 'changed my mind' } },
      { status: 'fulfilled', value: 'b' },
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } },
    ]);
    expect(storedIds(orm)).toEqual(['a', 'b']);
    expect(countCommits(file)).toBe(1);
  });

  it('may undo a part of itself', async () => {
    const { write, orm } = buildDatabaseFile();
    await write((tx) => {
      buildUserInsert('a')(tx);
      expect(() =>
        tx.transaction((inner) => {
          buildUserInsert('part')(inner);
          throw new Error('not this');
        }),
      ).toThrow('not this');
    });
    expect(storedIds(orm)).toEqual(['a']);
  });

  it('is one that would end after the commit', async () => {
    const { write, orm } = buildDatabaseFile();
    const late = write(async (tx) => void buildUserInsert('a')(tx));
    await expect(late).rejects.toThrow('a change cannot wait');
    expect(storedIds(orm)).toEqual([]);
  });

  it('keeps what succeeded and only that, whoever fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (plan) => {
        const database = openDatabase(':memory:');
        migrate(database.sqlite, testResources, () => {});
        const write = createWriteQueue(database);
        const jobs = plan.map((fails, index) =>
          write((tx) => {
            buildUserInsert(`u${index}`)(tx);
            if (fails) throw new Error('no');
            return `u${index}`;
          }),
        );
        const results = await Promise.allSettled(jobs);
        const kept = results.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
        expect(storedIds(database.orm)).toEqual(kept.toSorted());
        expect(results.map(({ status }) => status === 'rejected')).toEqual(plan);
        database.sqlite.close();
      }),
      { numRuns: 30 },
    );
  });
});

describe('when the database refuses', () => {
  it('a full disk rejects whom it hits, half-stores nothing, and passes', async () => {
    const { write, orm, sqlite } = buildDatabaseFile();
    const pages = sqlite.pragma('page_count', { simple: true }) as number;
    sqlite.pragma(`max_page_count = ${pages + 2}`);
    const big = (id: string) =>
      write((tx) => {
        buildUserInsert(`${id}-small`)(tx);
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
    // Whether the neighbours made it is SQLite's choice; what they were told must be the truth.
    const confirmedIds = [results[0], results[2]].flatMap((end) => (end?.status === 'fulfilled' ? [end.value] : []));
    expect(storedIds(orm)).toEqual(confirmedIds);
    expect(sqlite.inTransaction).toBe(false);

    sqlite.pragma('max_page_count = 100000');
    expect(await Promise.all([big('big'), write(buildUserInsert('c'))])).toEqual(['big', 'c']);
    expect(storedIds(orm)).toEqual([...confirmedIds, 'big', 'big-small', 'c'].toSorted());
  });

  it('a commit that fails fails everyone in it, and nothing is stored', async () => {
    const { write, orm, sqlite } = buildDatabaseFile();
    const dangling = write((tx) => {
      buildUserInsert('a')(tx);
      // Checked only at the commit, so it is the commit itself that fails.
      sqlite.pragma('defer_foreign_keys = ON');
      sqlite.exec("insert into sessions values ('s', 'nobody', 1, 1, 1, null, null)");
    });
    const results = await Promise.allSettled([dangling, write(buildUserInsert('b'))]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
    ]);
    expect(storedIds(orm)).toEqual([]);
    expect(sqlite.inTransaction).toBe(false);
    expect(await write(buildUserInsert('c'))).toBe('c');
  });

  it('tells a change its own fault even when the commit fails too', async () => {
    const { write, sqlite } = buildDatabaseFile();
    const own = write(() => {
      throw new Error('my own fault');
    });
    const dangling = write(() => {
      sqlite.pragma('defer_foreign_keys = ON');
      sqlite.exec("insert into sessions values ('s', 'nobody', 1, 1, 1, null, null)");
    });
    const results = await Promise.allSettled([own, dangling]);
    expect(results).toMatchObject([
      { reason: { message: 'my own fault' } },
      { reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
    ]);
  });

  it('a locked file rejects all that wait, and passes', async () => {
    const { write, orm, sqlite, file } = buildDatabaseFile();
    sqlite.pragma('busy_timeout = 0');
    const other = openDatabase(file);
    other.sqlite.exec('begin immediate');
    const results = await Promise.allSettled([write(buildUserInsert('a')), write(buildUserInsert('b'))]);
    expect(results).toMatchObject([{ reason: { code: 'SQLITE_BUSY' } }, { reason: { code: 'SQLITE_BUSY' } }]);
    other.sqlite.exec('rollback');
    other.sqlite.close();
    expect(await write(buildUserInsert('c'))).toBe('c');
    expect(orm.select({ n: count() }).from(users).get()).toEqual({ n: 1 });
  });
});
