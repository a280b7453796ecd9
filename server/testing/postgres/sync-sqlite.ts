import type { Sqlite } from '#server/db/open.ts';
import { runSync, type SyncResult } from './test-server.ts';

/** Statements for both engines have `?` for each parameter. */
function numberParameters(text: string): string {
  let count = 0;
  return text.replaceAll(/'(?:[^']|'')*'|"[^"]*"|`([^`]*)`|\?/g, (part, name?: string) => {
    if (part === '?') return `$${(count += 1)}`;
    return name === undefined ? part : `"${name}"`;
  });
}

function createStatement(database: string, text: string) {
  let isRaw = false;
  let isPlucked = false;
  const numbered = numberParameters(text);
  const run = (values: readonly unknown[]): SyncResult => runSync(database, numbered, values.flat());
  const shape = ({ rows, columns }: SyncResult): unknown[] => {
    if (isPlucked) return rows.map(([value]) => value);
    if (isRaw) return rows;
    return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
  };
  const statement = {
    source: text,
    reader: /^\s*(select|with)|returning/i.test(text),
    raw: (isOn = true) => {
      isRaw = isOn;
      return statement;
    },
    pluck: (isOn = true) => {
      isPlucked = isOn;
      return statement;
    },
    all: (...values: unknown[]) => shape(run(values)),
    get: (...values: unknown[]) => shape(run(values))[0],
    run: (...values: unknown[]) => ({ changes: run(values).changes, lastInsertRowid: 0 }),
    *iterate(...values: unknown[]) {
      yield* shape(run(values));
    },
  };
  return statement;
}

/** What tests use of better-sqlite3, on a database of PostgreSQL. @param close called when the test has ended */
export function syncSqlite(database: string, close: () => void): Sqlite {
  const transaction =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      runSync(database, 'begin');
      try {
        const result = work(...args);
        runSync(database, 'commit');
        return result;
      } catch (error) {
        runSync(database, 'rollback');
        throw error;
      }
    };
  const sqlite = {
    open: true,
    inTransaction: false,
    name: ':memory:',
    prepare: (text: string) => createStatement(database, text),
    exec: (text: string) => runSync(database, text.replaceAll('`', '"')),
    transaction,
    pragma: (text: string): never => {
      throw new Error(`only SQLite has a pragma: ${text}`);
    },
    close: () => {
      if (sqlite.open) close();
      sqlite.open = false;
    },
  };
  return sqlite as unknown as Sqlite;
}
