import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { containsLetters, isLike, perEngine, unlessAbandoned } from './dialect.ts';
import { engineOf, type Statements } from './engine.ts';
import { users } from './schema.ts';
import { questionOf } from './word-index.ts';

const NON_ASCII = /[^\p{ASCII}]/u;

/**
 * Whether a text column contains `term`, ignoring letter case. `%`, `_` and all other characters are literal (R-API-12).
 * SQLite's LIKE ignores the case of ASCII letters only. A term with other letters uses the slower GLOB with both cases of
 * each letter.
 */
export const containsText = (column: AnyColumn, term: string): SQL => anyContains([column], term);

/** The same of any of these columns of one table. */
export function anyContains(columns: readonly [AnyColumn, ...AnyColumn[]], term: string): SQL {
  const matches = columns.map((column) =>
    NON_ASCII.test(term) ? containsLetters(column, lettersOf(term)) : isLike(column, likePattern(term)),
  );
  // A search may read every row. Checking more often whether its caller has hung up costs more.
  return sql`(${unlessAbandoned(columns[0].table as SQLiteTable)} and (${sql.join(matches, sql` or `)}))`;
}

/**
 * The question to a trigram index for the rows whose texts may contain `term`: `containsText` decides which of them do.
 * @returns null where the index cannot help
 */
export function trigramQuery(term: string): string | null {
  const trigrams = trigramsOf(term);
  return trigrams.length === 0 ? null : matchOfTrigrams(trigrams);
}

/** Whether trigrams are kept in tables beside the texts. PostgreSQL has an index of them. */
export const hasTrigramTables = (statements: Statements): boolean => engineOf(statements) === 'sqlite';

/** Whether the trigram index of SQLite proposes an account. PostgreSQL looks for the texts themselves in an index of trigrams. */
export const isProposedUser = (question: string): SQL =>
  perEngine({
    sqlite: sql`${users}.rowid in (select rowid from user_words where user_words match ${question})`,
    postgres: sql`true`,
  });

/** A word at the beginning of another one or as a whole. */
type NamedWord = { word: string; isBeginning: boolean };

/**
 * Whether an index proposes an account for one of these words in its name. It may be missing where the name has letters outside
 * of ASCII. SQLite has trigrams of the names and cannot look for shorter words; PostgreSQL has their words.
 */
export function isProposedName(words: readonly NamedWord[]): SQL {
  const trigrams = words.flatMap(({ word }) => trigramQuery(word) ?? []);
  const isAmongWords = sql`words_of_name(${users.name}) @@ ${words.map(({ word, isBeginning }) => questionOf([word], isBeginning)).join(' | ')}::tsquery`;
  if (trigrams.length < words.length) return perEngine({ sqlite: sql`true`, postgres: isAmongWords });
  const isInIndex = isProposedUser(trigrams.map((question) => `(${question})`).join(' OR '));
  return perEngine({ sqlite: isInIndex, postgres: isAmongWords });
}

/** Only ASCII letters are asked for, because the index compares others by rules of its own. */
export function trigramsOf(term: string): string[] {
  const trigrams = new Set<string>();
  // A zero would end the question.
  const runs = term.split('\0').flatMap((part) => part.match(/\p{ASCII}{3,}/gu) ?? []);
  for (const run of runs) {
    for (let start = 0; start + 3 <= run.length; start += 1) trigrams.add(run.slice(start, start + 3).toLowerCase());
  }
  return [...trigrams];
}

/** The question of FTS5 for rows with all of these. */
export const matchOfTrigrams = (trigrams: readonly string[]): string =>
  trigrams.map((text) => `"${text.replaceAll('"', '""')}"`).join(' AND ');

function likePattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** @returns the cases of each letter, that of the term first */
const lettersOf = (term: string): string[][] =>
  Array.from(term, (letter) => {
    const cases = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])];
    // 'ß' has no single capital letter.
    return cases.filter((text) => Array.from(text).length === 1);
  });
