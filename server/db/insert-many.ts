import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Transaction } from './open.ts';

type Insert = { text: string; valuesOf: (row: Record<string, unknown>) => unknown[] };
const inserts = new WeakMap<SQLiteTable, Insert>();

function insertOf(table: SQLiteTable): Insert {
  const known = inserts.get(table);
  if (known) return known;
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, { name }]) => `"${name}"`).join(', ');
  const values = columns.map((_column, index) => `value ->> ${index}`).join(', ');
  const insert: Insert = {
    text: `insert into "${getTableName(table)}" (${names}) select ${values} from json_each(?)`,
    valuesOf: (row) => columns.map(([key, column]) => (row[key] === null ? null : column.mapToDriverValue(row[key]))),
  };
  inserts.set(table, insert);
  return insert;
}

/**
 * Inserts whole rows by one statement, which is prepared once: for thousands of rows it takes half the time of an insert that
 * has a parameter for each value.
 */
export async function insertMany<T extends SQLiteTable>(
  tx: Transaction,
  table: T,
  rows: readonly T['$inferSelect'][],
): Promise<void> {
  if (rows.length === 0) return;
  const { text, valuesOf } = insertOf(table);
  await tx.run(text, JSON.stringify(rows.map(valuesOf)));
}
