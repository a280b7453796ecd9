import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { testServer } from './postgres/test-server.ts';

/** @returns the integer columns that hold a fraction; SQLite keeps it as it is, PostgreSQL refuses it */
export function findFractions(sqlite: Sqlite): string[] {
  if (testServer !== '') return [];
  const columns = sqlite
    .prepare<[], { table: string; column: string }>(
      `select m.name as "table", c.name as "column" from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and m.sql not like 'create virtual%' and lower(c.type) = 'integer'`,
    )
    .all();
  return columns
    .filter(({ table, column }) => {
      const count = sqlite.prepare<[], number>(`select count(*) from "${table}" where typeof("${column}") = 'real'`);
      return (count.pluck().get() ?? 0) > 0;
    })
    .map(({ table, column }) => `${table}.${column}`);
}
