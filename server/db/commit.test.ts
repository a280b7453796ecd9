import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testResources } from '#server/testing/test-app.ts';
import { createCommit } from './commit.ts';
import { migrate } from './migrate.ts';
import { openDatabase, openReadOnly, type Orm } from './open.ts';
import { users } from './schema.ts';

function userRow(id: string, name = 'Budi') {
  return { id, name, email: `${id}@contoh.id`, passwordHash: 'x', createdAt: 1, updatedAt: 1 };
}
const add =
  (id: string, name?: string) =>
  (tx: Orm): string => {
    tx.insert(users).values(userRow(id, name)).run();
    return id;
  };
const storedIds = (orm: Orm): string[] =>
  orm
    .select({ id: users.id })
    .from(users)
    .all()
    .map(({ id }) => id)
    .toSorted();

function buildFile() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-commit-'));
  const database = openDatabase(join(folder, 'pbb.sqlite'));
  migrate(database.sqlite, testResources, () => {});
  database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  onTestFinished(() => {
    database.sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...database, commit: createCommit(database) };
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
    const { commit, file, orm } = buildFile();
    const ids = Array.from({ length: 50 }, (_, index) => `u${String(index).padStart(2, '0')}`);
    expect(await Promise.all(ids.map((id) => commit(add(id))))).toEqual(ids);
    expect(storedIds(orm)).toEqual(ids);
    // One, unless the machine is so slow that the batch ran out of its time.
    expect(countCommits(file)).toBeLessThanOrEqual(3);
  });

  it('holds at most 200 changes, in the order they came', async () => {
    const { commit, file } = buildFile();
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 450 }, (_, index) =>
        commit((tx) => {
          order.push(index);
          return add(`u${index}`)(tx);
        }),
      ),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).toHaveLength(450);
    expect(countCommits(file)).toBeGreaterThanOrEqual(3);
  });

  it('ends early when its changes are slow, and lets others run in between', async () => {
    const { commit, file } = buildFile();
    let turns = 0;
    const clock = setInterval(() => (turns += 1), 1);
    const slow = (id: string) =>
      commit((tx) => {
        busyWait(20);
        return { id: add(id)(tx), turns };
      });
    const [first, second, third] = await Promise.all([slow('a'), slow('b'), slow('c')]);
    clearInterval(clock);
    expect(countCommits(file)).toBe(3);
    expect(first.turns).toBeLessThan(second.turns);
    expect(second.turns).toBeLessThan(third.turns);
  });

  it('is answered only after it is committed', async () => {
    const { commit, file } = buildFile();
    const other = openReadOnly(file);
    const seen: string[][] = [];
    const look = (): void => void seen.push(storedIds(other.orm));
    const first = commit((tx) => {
      add('a')(tx);
      look();
    }).then(look);
    const second = commit((tx) => {
      add('b')(tx);
      look();
    }).then(look);
    await Promise.all([first, second]);
    other.sqlite.close();
    expect(seen).toEqual([[], [], ['a', 'b'], ['a', 'b']]);
  });

  it('takes what is asked for while it is being answered', async () => {
    const { commit, orm } = buildFile();
    const chain = commit(add('a'))
      .then(() => commit(add('b')))
      .then(() => commit(add('c')));
    expect(await chain).toBe('c');
    expect(storedIds(orm)).toEqual(['a', 'b', 'c']);
  });
});

describe('a change that fails', () => {
  it('takes nothing from its neighbours and leaves nothing of itself', async () => {
    const { commit, orm, file } = buildFile();
    const ends = await Promise.allSettled([
      commit(add('a')),
      commit((tx) => {
        add('half')(tx);
        throw new Error('changed my mind');
      }),
      commit(add('b')),
      commit((tx) => {
        add('other-half')(tx);
        add('a')(tx);
      }),
    ]);
    expect(ends).toMatchObject([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: { message: 'changed my mind' } },
      { status: 'fulfilled', value: 'b' },
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } },
    ]);
    expect(storedIds(orm)).toEqual(['a', 'b']);
    expect(countCommits(file)).toBe(1);
  });

  it('may undo a part of itself', async () => {
    const { commit, orm } = buildFile();
    await commit((tx) => {
      add('a')(tx);
      expect(() =>
        tx.transaction((inner) => {
          add('part')(inner);
          throw new Error('not this');
        }),
      ).toThrow('not this');
    });
    expect(storedIds(orm)).toEqual(['a']);
  });

  it('is one that would end after the commit', async () => {
    const { commit, orm } = buildFile();
    const late = commit(async (tx) => void add('a')(tx));
    await expect(late).rejects.toThrow('a change cannot wait');
    expect(storedIds(orm)).toEqual([]);
  });

  it('keeps what succeeded and only that, whoever fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (plan) => {
        const database = openDatabase(':memory:');
        migrate(database.sqlite, testResources, () => {});
        const commit = createCommit(database);
        const jobs = plan.map((fails, index) =>
          commit((tx) => {
            add(`u${index}`)(tx);
            if (fails) throw new Error('no');
            return `u${index}`;
          }),
        );
        const ends = await Promise.allSettled(jobs);
        const kept = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
        expect(storedIds(database.orm)).toEqual(kept.toSorted());
        expect(ends.map(({ status }) => status === 'rejected')).toEqual(plan);
        database.sqlite.close();
      }),
      { numRuns: 30 },
    );
  });
});

describe('when the database refuses', () => {
  it('a full disk rejects whom it hits, half-stores nothing, and passes', async () => {
    const { commit, orm, sqlite } = buildFile();
    const pages = sqlite.pragma('page_count', { simple: true }) as number;
    sqlite.pragma(`max_page_count = ${pages + 2}`);
    const big = (id: string) =>
      commit((tx) => {
        add(`${id}-small`)(tx);
        return add(id, 'x'.repeat(100_000))(tx);
      });
    const ends = await Promise.allSettled([commit(add('a')), big('big'), commit(add('b')), big('large')]);
    expect(ends[1]).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_FULL' } });
    expect(ends[3]).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_FULL' } });
    // Whether the neighbours made it is SQLite's choice; what they were told must be the truth.
    const told = [ends[0], ends[2]].flatMap((end) => (end?.status === 'fulfilled' ? [end.value] : []));
    expect(storedIds(orm)).toEqual(told);
    expect(sqlite.inTransaction).toBe(false);

    sqlite.pragma('max_page_count = 100000');
    expect(await Promise.all([big('big'), commit(add('c'))])).toEqual(['big', 'c']);
    expect(storedIds(orm)).toEqual([...told, 'big', 'big-small', 'c'].toSorted());
  });

  it('a commit that fails fails everyone in it, and nothing is stored', async () => {
    const { commit, orm, sqlite } = buildFile();
    const dangling = commit((tx) => {
      add('a')(tx);
      // Checked only at the commit, so it is the commit itself that fails.
      sqlite.pragma('defer_foreign_keys = ON');
      sqlite.exec("insert into sessions values ('s', 'nobody', 1, 1, 1, null, null)");
    });
    const ends = await Promise.allSettled([dangling, commit(add('b'))]);
    expect(ends).toMatchObject([
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
    ]);
    expect(storedIds(orm)).toEqual([]);
    expect(sqlite.inTransaction).toBe(false);
    expect(await commit(add('c'))).toBe('c');
  });

  it('tells a change its own fault even when the commit fails too', async () => {
    const { commit, sqlite } = buildFile();
    const own = commit(() => {
      throw new Error('my own fault');
    });
    const dangling = commit(() => {
      sqlite.pragma('defer_foreign_keys = ON');
      sqlite.exec("insert into sessions values ('s', 'nobody', 1, 1, 1, null, null)");
    });
    const ends = await Promise.allSettled([own, dangling]);
    expect(ends).toMatchObject([
      { reason: { message: 'my own fault' } },
      { reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
    ]);
  });

  it('a locked file rejects all that wait, and passes', async () => {
    const { commit, orm, sqlite, file } = buildFile();
    sqlite.pragma('busy_timeout = 0');
    const other = openDatabase(file);
    other.sqlite.exec('begin immediate');
    const ends = await Promise.allSettled([commit(add('a')), commit(add('b'))]);
    expect(ends).toMatchObject([{ reason: { code: 'SQLITE_BUSY' } }, { reason: { code: 'SQLITE_BUSY' } }]);
    other.sqlite.exec('rollback');
    other.sqlite.close();
    expect(await commit(add('c'))).toBe('c');
    expect(orm.select({ n: count() }).from(users).get()).toEqual({ n: 1 });
  });
});
