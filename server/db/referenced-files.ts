import type { Sqlite } from './sqlite/connect.ts';

/** The columns with names of uploaded files. Earlier versions do not have all of these tables. */
export const FILE_COLUMNS = [
  ['tax_records', 'proof_file'],
  ['attachments', 'file'],
  ['attachments', 'thumb_file'],
  ['office_identity', 'logo_file'],
  ['dhkp_batches', 'file'],
] as const;

/** Plain SQL, because the database may be of any version. */
function readFileColumns(sqlite: Sqlite): (typeof FILE_COLUMNS)[number][] {
  const tables = new Set(
    sqlite.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all(),
  );
  return FILE_COLUMNS.filter(([table]) => tables.has(table));
}

/** @returns the names of all uploaded files that the database refers to, sorted */
export function listReferencedFiles(sqlite: Sqlite): string[] {
  const selects = readFileColumns(sqlite).map(
    ([table, column]) => `select ${column} from ${table} where ${column} is not null`,
  );
  return sqlite
    .prepare<[], string>(`${selects.join(' union all ')} order by 1`)
    .pluck()
    .all();
}

export function isFileReferenced(sqlite: Sqlite, name: string): boolean {
  return readFileColumns(sqlite).some(
    ([table, column]) => sqlite.prepare(`select 1 from ${table} where ${column} = ?`).get(name) !== undefined,
  );
}
