import { countDanglingReferences } from '#server/db/dangling-references.ts';
import type { Sqlite } from '#server/db/open.ts';

/** Plain SQL, because an archive may contain a database of any version. */

/** Where names of files stand. Version 1.0.0 has no files of messages. */
const FILE_COLUMNS = [
  ['tax_records', 'proof_file'],
  ['attachments', 'file'],
  ['attachments', 'thumb_file'],
] as const;

function readFileColumns(sqlite: Sqlite): (typeof FILE_COLUMNS)[number][] {
  const tables = new Set(
    sqlite.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all(),
  );
  return FILE_COLUMNS.filter(([table]) => tables.has(table));
}

/** @returns the names of all files that the database refers to, sorted: proofs, and files of messages with their small images */
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

/** @returns the time of the newest applied migration (epoch milliseconds); 0 without one */
export function readNewestMigrationMs(sqlite: Sqlite): number {
  if (!sqlite.prepare("select 1 from sqlite_schema where name = '__drizzle_migrations'").get()) return 0;
  return sqlite.prepare<[], number | null>('select max(created_at) from __drizzle_migrations').pluck().get() ?? 0;
}

/** Every user must sign in again afterwards. */
export function endAllSessions(sqlite: Sqlite): void {
  sqlite.prepare('delete from sessions').run();
}

/** @returns what is wrong with the database file; null when it is intact */
export function findCorruption(sqlite: Sqlite): string | null {
  const found = sqlite.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') return String(found).split('\n', 1)[0] ?? '';
  const dangling = countDanglingReferences(sqlite);
  return dangling > 0 ? `${dangling} dangling references` : null;
}
