import { and, type AnyColumn, or, type SQL, sql } from 'drizzle-orm';
import { users } from '../db/schema.ts';
import { containsText, trigramQuery } from '../db/search.ts';

/**
 * The accounts with a text that contains `term`, ignoring letter case. A trigram index proposes them, and their texts decide
 * (docs/decisions/022-kept-sums-and-trigrams.md).
 */
export function userContains(term: string, columns: readonly AnyColumn[] = [users.name, users.email]): SQL | undefined {
  const trigrams = trigramQuery(term);
  const isProposed =
    trigrams === null
      ? undefined
      : sql`${users}.rowid in (select rowid from user_words where user_words match ${trigrams})`;
  return and(isProposed, or(...columns.map((column) => containsText(column, term))));
}
