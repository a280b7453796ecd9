import type { Sqlite } from './sqlite/connect.ts';

/**
 * Counts rows that refer to something that does not exist: by a foreign key, or records and messages without their account
 * whose deletion does not run (R-USER-7). In a database of an earlier version, foreign keys tell of these too.
 */
export function countDanglingReferences(sqlite: Sqlite): number {
  const byForeignKey = sqlite.pragma('foreign_key_check') as unknown[];
  const hasForeignKeysOnly =
    sqlite.prepare("select 1 from sqlite_schema where name = 'account_deletions'").get() === undefined;
  if (hasForeignKeysOnly) return byForeignKey.length;
  const count = (table: 'tax_records' | 'messages'): number =>
    sqlite
      .prepare<[], number>(
        `select count(*) from ${table}
          where user_id not in (select id from users) and user_id not in (select user_id from account_deletions)`,
      )
      .pluck()
      .get() ?? 0;
  return byForeignKey.length + count('tax_records') + count('messages');
}
