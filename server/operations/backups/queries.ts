import type { Sqlite } from '#server/db/open.ts';

/** Plain SQL, because these ask databases of every version that an archive may hold. */

/** Names of all images that records point to. */
export function listReferencedProofs(sqlite: Sqlite): string[] {
  return sqlite.prepare<[], string>('select proof_file from tax_records where proof_file is not null').pluck().all();
}

export function isProofReferenced(sqlite: Sqlite, name: string): boolean {
  return sqlite.prepare('select 1 from tax_records where proof_file = ?').get(name) !== undefined;
}

/** In epoch milliseconds, by the book of the migrator; 0 for a database without one. */
export function readNewestMigrationMs(sqlite: Sqlite): number {
  if (!sqlite.prepare("select 1 from sqlite_schema where name = '__drizzle_migrations'").get()) return 0;
  return sqlite.prepare<[], number | null>('select max(created_at) from __drizzle_migrations').pluck().get() ?? 0;
}

/** Everybody has to sign in again. */
export function endAllSessions(sqlite: Sqlite): void {
  sqlite.prepare('delete from sessions').run();
}

/** What is wrong with a database file; null when nothing is. */
export function findCorruption(sqlite: Sqlite): string | null {
  const found = sqlite.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') return String(found).split('\n', 1)[0] ?? '';
  const dangling = sqlite.pragma('foreign_key_check') as unknown[];
  return dangling.length > 0 ? `${dangling.length} dangling references` : null;
}
