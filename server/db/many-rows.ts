import { getTableColumns, getTableName, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type EngineName, isNumbered, numbersIn, textsIn } from './dialect.ts';
import { engineOf, type Transaction } from './engine.ts';

/**
 * Many rows by one statement with one parameter, which is prepared once: for thousands of rows it takes half the time of a
 * statement that has a parameter for each value.
 */

type Text = { text: string; valuesOf: (row: Record<string, unknown>) => unknown[] };
type Texts = { insert: Text; update: Text };
const textsByTable: Record<EngineName, WeakMap<SQLiteTable, Texts>> = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
};

/** The source from which a statement reads the rows of its parameter. */
const READ_ROWS = { sqlite: 'json_each(?)', postgres: 'jsonb_array_elements(?::jsonb) as value' };
const TYPES = new Map([
  ['integer', 'bigint'],
  ['real', 'double precision'],
]);

function valueText(engine: EngineName, column: SQLiteColumn, index: number): string {
  const value = `value ->> ${index}`;
  if (engine === 'sqlite') return value;
  const typed = `(${value})::${TYPES.get(column.getSQLType()) ?? 'text'}`;
  if (!isNumbered(column)) return typed;
  return `coalesce(${typed}, nextval(pg_get_serial_sequence('${getTableName(column.table)}', '${column.name}')))`;
}

function textsOf(table: SQLiteTable, engine: EngineName): Texts {
  const known = textsByTable[engine].get(table);
  if (known) return known;
  const columns = Object.entries(getTableColumns(table));
  const valuesOf = (row: Record<string, unknown>) =>
    columns.map(([key, column]) => (row[key] === null ? null : column.mapToDriverValue(row[key])));
  const names = columns.map(([, { name }]) => `"${name}"`);
  const values = columns.map(([, column], index) => valueText(engine, column, index));
  const tableName = `"${getTableName(table)}"`;
  const idAt = names.indexOf('"id"');
  const changes = names.flatMap((name, index) => (index === idAt ? [] : [`${name} = ${values[index]}`]));
  const texts = {
    insert: {
      text: `insert into ${tableName} (${names.join(', ')}) select ${values.join(', ')} from ${READ_ROWS[engine]}`,
      valuesOf,
    },
    update: {
      text: `update ${tableName} set ${changes.join(', ')} from ${READ_ROWS[engine]} where ${tableName}."id" = value ->> ${idAt}`,
      valuesOf,
    },
  };
  textsByTable[engine].set(table, texts);
  return texts;
}

/** JSON for a parameter. Half a surrogate pair becomes U+FFFD, as in a parameter that is a text: PostgreSQL refuses its escape. */
export function jsonParameter(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes(String.raw`\ud`)) return json;
  return json.replaceAll(/\\(?:ud[\da-f]{3}|.)/g, (escape) => (escape.length > 2 ? '\ufffd' : escape));
}

async function runFor(tx: Transaction, { text, valuesOf }: Text, rows: readonly Record<string, unknown>[]) {
  if (rows.length > 0) await tx.run(text, jsonParameter(rows.map(valuesOf)));
}

/** A row to insert; where ids are numbers, null is the next one. */
type NewRow<Row> = { [Column in keyof Row]: Column extends 'id' ? Row[Column] | null : Row[Column] };

/** Inserts whole rows. */
export const insertMany = <T extends SQLiteTable>(
  tx: Transaction,
  table: T,
  rows: readonly NewRow<T['$inferSelect']>[],
): Promise<void> => runFor(tx, textsOf(table, engineOf(tx)).insert, rows);

/** Stores whole rows in place of those with their ids. */
export const updateMany = <T extends SQLiteTable>(
  tx: Transaction,
  table: T,
  rows: readonly (T['$inferSelect'] & { id: string })[],
): Promise<void> => runFor(tx, textsOf(table, engineOf(tx)).update, rows);

/** The right side of `in`: a single parameter for all values, so that the text is always the same. */
export const listOf = (values: Iterable<string>): SQL => textsIn(jsonParameter([...new Set(values)]));
export const listOfNumbers = (values: Iterable<number>): SQL => numbersIn(JSON.stringify([...new Set(values)]));
