import { and, type SQL, sql } from 'drizzle-orm';
import { users } from '../db/schema.ts';
import { anyContains, trigramQuery } from '../db/search.ts';

/**
 * The accounts whose name or e-mail contains `term`, ignoring letter case. A trigram index proposes them, and their texts decide
 * (docs/decisions/022-kept-sums-and-trigrams.md).
 */
export function userContains(term: string): SQL | undefined {
  const trigrams = trigramQuery(term);
  const isProposed =
    trigrams === null
      ? undefined
      : sql`${users}.rowid in (select rowid from user_words where user_words match ${trigrams})`;
  return and(isProposed, anyContains([users.name, users.email], term));
}
