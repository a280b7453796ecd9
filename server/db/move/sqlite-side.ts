import type { Sqlite } from '../sqlite/connect.ts';
import { columnList, lastNumber, movedTables, type MovedTable, quote, type Row, type Value } from './moved-tables.ts';

/** The file of SQLite from which or into which an office moves. */

const PAGE_ROWS = 5000;

export const readPages = (sqlite: Sqlite) =>
  async function* (table: MovedTable): AsyncGenerator<Row[]> {
    const number = quote(table.number);
    const read = sqlite
      .prepare<[number], Value[]>(
        `select ${columnList(table)} from ${quote(table.name)} where ${number} > ? order by ${number} limit ${PAGE_ROWS}`,
      )
      .raw();
    for (let after = -1; ;) {
      const page = read.all(after);
      if (page.length > 0) yield page;
      if (page.length < PAGE_ROWS) return;
      after = lastNumber(page);
    }
  };

/** @returns a function that inserts rows; each statement is prepared once */
export function createInserts(sqlite: Sqlite): (table: MovedTable, rows: readonly Row[]) => void {
  const statements = new Map<string, ReturnType<Sqlite['prepare']>>();
  return (table, rows) => {
    const marks = table.columns.map(() => '?').join(', ');
    const statement =
      statements.get(table.name) ??
      sqlite.prepare(`insert into ${quote(table.name)} (${columnList(table)}) values (${marks})`);
    statements.set(table.name, statement);
    for (const row of rows) statement.run(...row);
  };
}

type Part = { type: 'index' | 'trigger'; name: string; sql: string };

/** Fills the tables without indexes and triggers, which takes a fraction of the time. */
export async function withoutParts<T>(sqlite: Sqlite, fill: () => Promise<T>): Promise<T> {
  const parts = sqlite
    .prepare<[], Part>(
      "select type, name, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null order by type",
    )
    .all();
  for (const { type, name } of parts) sqlite.exec(`drop ${type} ${quote(name)}`);
  for (const { name } of movedTables) sqlite.exec(`delete from ${quote(name)}`);
  const filled = await fill();
  for (const { sql } of parts) sqlite.exec(sql);
  return filled;
}

/** Divides all texts for the searches. The server would do it in small steps, and find little until it is done. */
export function fillSearchIndexes(sqlite: Sqlite): void {
  for (const index of ['message_words', 'record_words', 'user_words']) {
    sqlite.exec(`insert into ${index} (${index}) values ('rebuild')`);
    sqlite.exec(`insert into ${index} (${index}) values ('optimize')`);
  }
  sqlite.exec(`delete from record_words_pending;
    update message_index set after_id = 0, up_to_id = (select coalesce(max(id), 0) from messages)`);
}

const listNumbered = (sqlite: Sqlite): Set<string> =>
  new Set(
    sqlite
      .prepare<[], string>("select name from sqlite_schema where type = 'table' and sql like '%autoincrement%'")
      .pluck()
      .all(),
  );

/** The last number that was given to a row, also to one that is gone where SQLite remembers it; 0: none. */
export function readLastNumber(sqlite: Sqlite, { name, number }: MovedTable): number {
  const read = sqlite
    .prepare<[string], number>(
      `select max(coalesce((select seq from sqlite_sequence where name = ?), 0), coalesce((select max(${quote(number)}) from ${quote(name)}), 0))`,
    )
    .pluck();
  return read.get(name) ?? 0;
}

/** No number of a row is given twice, also none of a row that is gone. */
export function continueNumbers(sqlite: Sqlite, lastNumbers: ReadonlyMap<string, number>): void {
  const remembered = listNumbered(sqlite);
  for (const [name, last] of lastNumbers) {
    if (!remembered.has(name)) continue;
    sqlite.prepare('delete from sqlite_sequence where name = ?').run(name);
    if (last > 0) sqlite.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last);
  }
}

/** @returns the reason for which the file must not be used; null: it is whole */
export function findDamage(sqlite: Sqlite): string | null {
  const dangling = (sqlite.pragma('foreign_key_check') as unknown[]).length;
  if (dangling > 0) return `${dangling} dangling references`;
  const found = String(sqlite.pragma('integrity_check(1)', { simple: true }));
  return found === 'ok' ? null : found;
}
