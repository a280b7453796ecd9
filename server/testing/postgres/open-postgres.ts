import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseHandle } from '#server/db/sqlite/open.ts';
import { parsePostgresUrl, type PostgresAddress } from '#server/db/postgres/address.ts';
import { type Connections, connectHosts } from '#server/db/postgres/connect.ts';
import { openPostgres } from '#server/db/postgres/open.ts';
import { TEMPLATE } from './template.ts';
import { runSync, shared, testServer } from './test-server.ts';
import { syncSqlite } from './sync-sqlite.ts';

/** Deleted rows stay in the files, and every reading goes past them, until a vacuum; that takes 20 ms. */
const DELETED_MAX = 5000;

/** Resolves when no app of this worker of the tests waits for a statement. On SQLite statements answer at once. */
export async function statementsEnded(): Promise<void> {
  if (testServer === '') return;
  // The queue of changes begins a turn of the event loop later.
  for (let idleTurns = 0; idleTurns < 2;) {
    await nextTurn();
    idleTurns = [...shared().pools.values()].every((pool) => pool.inUse() === 0) ? idleTurns + 1 : 0;
  }
}

/** The app of the last test may still end a transaction, and emptying the tables would wait for it. */
function takeFree({ free, pools }: ReturnType<typeof shared>): string | undefined {
  // The one that was used last may still get a row of its test.
  const index = free.findIndex((name) => pools.get(name)?.inUse() === 0);
  return index < 0 ? undefined : free.splice(index, 1)[0];
}

function takeDatabase(): string {
  const databases = shared();
  const free = takeFree(databases);
  if (free !== undefined) {
    // A statement of the last test may have failed inside its transaction.
    runSync(free, 'rollback');
    const [[deleted] = []] = runSync(free, 'select empty_tables()', []).rows;
    const inFiles = (databases.deleted.get(free) ?? 0) + Number(deleted);
    if (inFiles > DELETED_MAX) runSync(free, 'vacuum');
    databases.deleted.set(free, inFiles > DELETED_MAX ? 0 : inFiles);
    return free;
  }
  const name = `pbb_test_${process.pid}_${(databases.made += 1)}`;
  runSync('postgres', `create database ${name} template ${TEMPLATE}`);
  return name;
}

function addressOf(name: string): PostgresAddress {
  const address = parsePostgresUrl(`${testServer}/${name}`);
  if (!address) throw new Error(`not an address of PostgreSQL: ${testServer}`);
  return address;
}
const connectTo = (name: string): Connections => connectHosts(addressOf(name), { max: 4 });

/** An empty database after all migrations, and its address. It is used again once the test has ended. */
export function openPostgresForTest(): DatabaseHandle & { address: PostgresAddress } {
  const { pools, free } = shared();
  const name = takeDatabase();
  const pool = pools.get(name) ?? connectTo(name);
  pools.set(name, pool);
  const sqlite = syncSqlite(name, () => void free.push(name));
  // Tests of what only SQLite has do not run here, so nothing asks for the rest of a handle.
  return { ...openPostgres(pool), sqlite, file: ':memory:', address: addressOf(name) } as unknown as ReturnType<
    typeof openPostgresForTest
  >;
}
