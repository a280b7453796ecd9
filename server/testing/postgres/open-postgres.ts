import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { DatabaseHandle } from '#server/db/open.ts';
import { connectPool } from '#server/db/postgres/connect.ts';
import { openPostgres } from '#server/db/postgres/open.ts';
import { TEMPLATE } from './template.ts';
import { runSync, shared, testServer } from './test-server.ts';
import { syncSqlite } from './sync-sqlite.ts';

const EMPTY = readFileSync(new URL('empty-tables.sql', import.meta.url), 'utf8');

const isIdle = (pool: Pool): boolean => pool.idleCount === pool.totalCount && pool.waitingCount === 0;

/** Resolves when no app of this worker of the tests waits for a statement. On SQLite statements answer at once. */
export async function statementsEnded(): Promise<void> {
  if (testServer === '') return;
  // The queue of changes begins a turn of the event loop later.
  for (let idleTurns = 0; idleTurns < 2;) {
    await nextTurn();
    idleTurns = [...shared().pools.values()].every(isIdle) ? idleTurns + 1 : 0;
  }
}

/** The app of the last test may still end a transaction, and emptying the tables would wait for it. */
function takeFree({ free, pools }: ReturnType<typeof shared>): string | undefined {
  const index = free.findIndex((name) => {
    const pool = pools.get(name);
    return pool !== undefined && isIdle(pool);
  });
  return index < 0 ? undefined : free.splice(index, 1)[0];
}

function takeDatabase(): string {
  const databases = shared();
  const free = takeFree(databases);
  if (free !== undefined) {
    // A statement of the last test may have failed inside its transaction.
    runSync(free, 'rollback');
    runSync(free, EMPTY);
    return free;
  }
  const name = `pbb_test_${process.pid}_${(databases.made += 1)}`;
  runSync('postgres', `create database ${name} template ${TEMPLATE}`);
  return name;
}

/** An empty database after all migrations. It is used again once the test has ended. */
export function openPostgresForTest(): DatabaseHandle {
  const { pools, free } = shared();
  const name = takeDatabase();
  const pool = pools.get(name) ?? connectPool(`${testServer}/${name}`, 4);
  pools.set(name, pool);
  const sqlite = syncSqlite(name, () => void free.push(name));
  // Tests of what only SQLite has do not run here, so nothing asks for the rest of a handle.
  return { ...openPostgres(pool), sqlite, file: ':memory:' } as unknown as DatabaseHandle;
}
