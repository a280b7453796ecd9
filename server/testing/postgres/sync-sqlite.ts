import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { runSync, type SyncResult } from './test-server.ts';

/** Statements for both engines have `?` for each parameter. */
function numberParameters(text: string): string {
  let count = 0;
  return text.replaceAll(/'(?:[^']|'')*'|"[^"]*"|`([^`]*)`|\?/g, (part, name?: string) => {
    if (part === '?') return `$${(count += 1)}`;
    return name === undefined ? part : `"${name}"`;
  });
}

/** A trigger of a test that refuses a change, as SQLite has it. */
const REFUSING =
  /create trigger (\w+) (before|after) (insert|update|delete) on (\w+) begin select raise\(abort, '([^']*)'\); end/g;

/** @returns the same trigger in the words of PostgreSQL; `close` drops it */
function translateTriggers(text: string, drops: string[]): string {
  const dropping = text.replaceAll(/drop trigger (\w+)/g, 'drop function $1_of_test cascade');
  return dropping.replaceAll(
    REFUSING,
    (_all, name: string, when: string, change: string, table: string, message: string) => {
      drops.push(`drop function if exists ${name}_of_test cascade`);
      return `create function ${name}_of_test() returns trigger language plpgsql as $$ begin raise exception '${message}'; end $$;
      create trigger "${name}" ${when} ${change} on ${table} for each row execute function ${name}_of_test()`;
    },
  );
}

function createStatement(database: string, text: string) {
  let isRaw = false;
  let isPlucked = false;
  const names: string[] = [];
  const unnamed = text.replaceAll(/@(\w+)/g, (_all, name: string) => {
    names.push(name);
    return '?';
  });
  const numbered = numberParameters(unnamed);
  const valuesOf = (given: readonly unknown[]): unknown[] => {
    const [named] = given as [Record<string, unknown>];
    return names.length > 0 ? names.map((name) => named[name]) : given.flat();
  };
  const run = (given: readonly unknown[]): SyncResult => runSync(database, numbered, valuesOf(given));
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
  const drops: string[] = [];
  const createTransaction =
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
    exec: (text: string) => runSync(database, translateTriggers(text, drops).replaceAll('`', '"')),
    // Drizzle begins a transaction by its kind.
    transaction: (work: () => unknown) => {
      const run = createTransaction(work);
      return Object.assign(run, { deferred: run, immediate: run, exclusive: run });
    },
    pragma: (text: string): never => {
      throw new Error(`only SQLite has a pragma: ${text}`);
    },
    close: () => {
      for (const drop of drops.splice(0)) runSync(database, drop);
      if (sqlite.open) close();
      sqlite.open = false;
    },
  };
  return sqlite as unknown as Sqlite;
}
