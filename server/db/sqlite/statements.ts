import type Database from 'better-sqlite3';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Builders, Parameter, Query, Statements } from '../engine.ts';
import * as schema from '../schema.ts';
import type { Sqlite } from './connect.ts';

/** Texts of Drizzle differ by the number of their parameters, so there is no end of them. */
const PREPARED_MAX = 1000;
const dialect = new SQLiteAsyncDialect();

type Prepared = Database.Statement;

/** Prepared statements by text, the least used ones forgotten. */
function createCache(prepare: (text: string) => Prepared): (text: string) => Prepared {
  const byText = new Map<string, Prepared>();
  return (text) => {
    const known = byText.get(text);
    if (known && byText.size < PREPARED_MAX / 2) return known;
    const statement = known ?? prepare(text);
    byText.delete(text);
    byText.set(text, statement);
    const [oldest] = byText.keys();
    if (byText.size > PREPARED_MAX && oldest !== undefined) byText.delete(oldest);
    return statement;
  };
}

export type PreparedStatements = { objects: (text: string) => Prepared; arrays: (text: string) => Prepared };

/** The statements of one connection, each prepared once. */
export function prepareStatements(sqlite: Sqlite): PreparedStatements {
  const objects = createCache((text) => sqlite.prepare(text));
  const arrays = createCache((text) => {
    const statement = sqlite.prepare(text);
    return statement.reader ? statement.raw() : statement;
  });
  return { objects, arrays };
}

/**
 * @param turn called before each statement: a promise to wait for while it is not this caller's turn
 * @throws what `turn` throws, and errors of SQLite
 */
export function createStatements(
  sqlite: Sqlite,
  { objects, arrays }: PreparedStatements,
  turn: () => Promise<void> | null,
): Statements {
  const orm = drizzle(
    async (text, parameters: unknown[], method) => {
      for (let waiting = turn(); waiting; waiting = turn()) await waiting;
      const statement = arrays(text);
      if (method === 'get') return { rows: statement.get(...parameters) as unknown[] };
      if (method !== 'run') return { rows: statement.all(...parameters) };
      statement.run(...parameters);
      return { rows: [] };
    },
    { schema },
  );

  async function execute<T>(
    query: Query,
    given: readonly unknown[],
    use: (text: string, parameters: readonly unknown[]) => T,
  ): Promise<T> {
    for (let waiting = turn(); waiting; waiting = turn()) await waiting;
    if (typeof query === 'string') return use(query, given);
    const { sql, params } = dialect.sqlToQuery(query);
    return use(sql, params);
  }

  const statements: Omit<Statements, keyof Builders> = {
    all: (query, ...given) => execute(query, given, (text, parameters) => objects(text).all(...parameters) as never[]),
    get: (query, ...given) => execute(query, given, (text, parameters) => objects(text).get(...parameters) as never),
    tuples: (query, ...given) =>
      execute(query, given, (text, parameters) => arrays(text).all(...parameters) as never[]),
    column: (query, ...given) =>
      execute(query, given, (text, parameters) =>
        (arrays(text).all(...parameters) as [never][]).map(([value]) => value),
      ),
    value: (query, ...given) =>
      execute(query, given, (text, parameters) => (arrays(text).get(...parameters) as [never] | undefined)?.[0]),
    run: (query, ...given) =>
      execute(query, given, (text, parameters) => {
        const { changes } = objects(text).run(...parameters);
        return { changes };
      }),
    async *iterate<R extends readonly unknown[]>(query: Query, ...given: Parameter[]) {
      // A statement of its own, because several of them may be read in turns.
      yield* await execute(query, given, (text, parameters) => {
        const statement = sqlite.prepare(text).raw();
        return statement.iterate(...parameters) as IterableIterator<R>;
      });
    },
  };
  return Object.assign(orm, statements);
}
