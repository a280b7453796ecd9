import { createHash } from 'node:crypto';
import { sql, getTableColumns, is, type Query as CompiledQuery, SQL } from 'drizzle-orm';
import { SQLiteColumn, SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { SqliteRemoteDatabase, SQLiteRemoteSession } from 'drizzle-orm/sqlite-proxy';
import type { ClientBase } from 'pg';
import { stopIfAbandoned } from '../abandoned-query.ts';
import { compileFor, isNumbered } from '../dialect.ts';
import type * as schema from '../schema.ts';
import type { Parameter, Query, Statements } from '../engine.ts';

/** Runs the statements of a handle on its connection: that of its transaction, or any of the pool. */
export type UseClient = <T>(use: (client: ClientBase) => Promise<T>) => Promise<T>;
/** A connection for several statements, in a transaction. */
type HeldClient = { use: UseClient; release: () => Promise<void> };
export type Access = { use: UseClient; hold: () => Promise<HeldClient> };

type InsertConfig = Parameters<SQLiteAsyncDialect['buildInsertQuery']>[0];

/** SQLite knows the columns of a conflict also by the name of their table, and Drizzle writes it. */
function withPlainTarget(onConflict: SQL): SQL {
  const chunks = onConflict.queryChunks.map((chunk) => {
    if (!is(chunk, SQL)) return chunk;
    const [, columns] = chunk.queryChunks;
    if (!Array.isArray(columns)) return chunk;
    return sql`${columns.map((column) => (is(column, SQLiteColumn) ? sql.identifier(column.name) : column))}`;
  });
  return new SQL(chunks);
}

/** Drizzle's dialect of SQLite with what PostgreSQL needs otherwise: the text of a parameter, and the next number of a row. */
class PostgresDialect extends SQLiteAsyncDialect {
  override escapeParam(index: number): string {
    return `$${index + 1}`;
  }

  override sqlToQuery(text: SQL, invokeSource?: 'indexes'): CompiledQuery {
    return compileFor('postgres', () => super.sqlToQuery(text, invokeSource));
  }

  override buildInsertQuery(config: InsertConfig): SQL {
    const { table, values, select = false } = config;
    const onConflict = (config.onConflict ?? []).map(withPlainTarget);
    if (select || !Array.isArray(values)) return super.buildInsertQuery({ ...config, onConflict });
    const numbered = Object.entries(getTableColumns(table)).flatMap(([key, column]) =>
      isNumbered(column) ? [key] : [],
    );
    // Drizzle writes null where SQLite chooses the next number.
    const filled = (values as Record<string, unknown>[]).map((row) => {
      const missing = numbered.filter((key) => row[key] === undefined);
      return Object.assign({}, row, Object.fromEntries(missing.map((key) => [key, sql`default`])));
    });
    return super.buildInsertQuery({ ...config, onConflict, values: filled as typeof values });
  }
}

export const dialect = new PostgresDialect();

/** Statements of our own have `?` for each parameter, as on SQLite. */
const numberedTexts = new Map<string, string>();

function numberParameters(text: string): string {
  const known = numberedTexts.get(text);
  if (known !== undefined) return known;
  let count = 0;
  // Quoted texts and names stay as they are.
  const numbered = text.replaceAll(/'(?:[^']|'')*'|"[^"]*"|\?/g, (part) => (part === '?' ? `$${(count += 1)}` : part));
  if (numberedTexts.size < PREPARED_MAX) numberedTexts.set(text, numbered);
  return numbered;
}

/** Each connection keeps what it prepared, so there is an end to it: the first texts are those that run often. */
const PREPARED_MAX = 1000;
const nameByText = new Map<string, string>();

/** A text has the same name on every connection. @returns undefined for one that is not prepared */
function nameOf(text: string): string | undefined {
  const known = nameByText.get(text);
  if (known !== undefined || nameByText.size >= PREPARED_MAX) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  nameByText.set(text, name);
  return name;
}

type Rows = { rows: unknown[]; changes: number };

async function runOn(
  client: ClientBase,
  text: string,
  parameters: readonly unknown[],
  isArray: boolean,
): Promise<Rows> {
  stopIfAbandoned();
  const name = nameOf(text);
  const result = await client.query({
    text,
    values: [...parameters],
    ...(name === undefined ? {} : { name }),
    ...(isArray ? { rowMode: 'array' } : {}),
  });
  return { rows: result.rows, changes: result.rowCount ?? 0 };
}

const compile = (query: Query, given: readonly Parameter[]): { text: string; parameters: readonly unknown[] } => {
  if (typeof query === 'string') return { text: numberParameters(query), parameters: given };
  const { sql: text, params: parameters } = dialect.sqlToQuery(query);
  return { text, parameters };
};

/** Rows of a long read that are fetched at once: few at first, because many a caller needs no more. */
const FETCHED_ROWS = { first: 50, max: 500 };

let cursors = 0;

export function createStatements({ use, hold }: Access): Statements {
  const session = new SQLiteRemoteSession<typeof schema, never>(
    async (text: string, parameters: unknown[], method: string) => {
      const { rows } = await use((client) => runOn(client, text, parameters, true));
      return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
    },
    dialect,
    undefined,
    undefined,
  );
  const orm = new SqliteRemoteDatabase<typeof schema>('async', dialect, session, undefined);

  async function execute(query: Query, given: readonly Parameter[], isArray: boolean): Promise<Rows> {
    const { text, parameters } = compile(query, given);
    return use((client) => runOn(client, text, parameters, isArray));
  }

  const statements = {
    all: async <R>(query: Query, ...given: Parameter[]) => (await execute(query, given, false)).rows as R[],
    get: async <R>(query: Query, ...given: Parameter[]) =>
      (await execute(query, given, false)).rows[0] as R | undefined,
    tuples: async <R extends readonly unknown[]>(query: Query, ...given: Parameter[]) =>
      (await execute(query, given, true)).rows as unknown as R[],
    column: async <V>(query: Query, ...given: Parameter[]) =>
      ((await execute(query, given, true)).rows as [V][]).map(([value]) => value),
    value: async <V>(query: Query, ...given: Parameter[]) =>
      ((await execute(query, given, true)).rows as [V][])[0]?.[0],
    run: async (query: Query, ...given: Parameter[]) => ({ changes: (await execute(query, given, true)).changes }),
    async *iterate<R extends readonly unknown[]>(query: Query, ...given: Parameter[]) {
      const { text, parameters } = compile(query, given);
      const { use: useHeld, release } = await hold();
      const cursor = `rows_${(cursors += 1)}`;
      try {
        await useHeld((client) => client.query(`declare ${cursor} no scroll cursor for ${text}`, [...parameters]));
        for (let count = FETCHED_ROWS.first; ; count = Math.min(2 * count, FETCHED_ROWS.max)) {
          const fetch = { text: `fetch ${count} from ${cursor}`, rowMode: 'array' as const };
          stopIfAbandoned();
          const { rows } = await useHeld((client) => client.query<unknown[]>(fetch));
          yield* rows as unknown as R[];
          if (rows.length < count) break;
        }
        await useHeld((client) => client.query(`close ${cursor}`));
      } finally {
        await release();
      }
    },
  };
  return Object.assign(orm, statements);
}
