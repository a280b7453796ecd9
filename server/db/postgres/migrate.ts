import type { Resources } from '#server/files/resources.ts';

/** The first migration of PostgreSQL makes the tables as that one of SQLite left them; later ones have the same names on both. */
const FIRST = '0031_retention';

/** The migrations of PostgreSQL that ship with the program, oldest first. */
export function readPostgresMigrations(resources: Resources): { tag: string; text: string }[] {
  return [{ tag: FIRST, text: resources.read(`migrations/postgres/${FIRST}.sql`).toString('utf8') }];
}
