import { countDanglingReferences } from '#server/db/dangling-references.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';

/** Plain SQL, because an archive may contain a database of any version. */

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
