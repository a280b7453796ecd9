import type { Resources } from '#server/files/resources.ts';

/** The first migration of PostgreSQL makes the tables as that one of SQLite left them; later ones have the same names on both. */
const TAGS = ['0031_retention', '0032_nul_texts'];

/** The migrations of PostgreSQL that ship with the program, oldest first. */
export function readPostgresMigrations(resources: Resources): { tag: string; text: string }[] {
  return TAGS.map((tag) => ({ tag, text: resources.read(`migrations/postgres/${tag}.sql`).toString('utf8') }));
}
