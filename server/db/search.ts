import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { STOP_FUNCTION } from './abandoned-query.ts';

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
    NON_ASCII.test(term)
      ? sql`${column} glob ${globPattern(term)}`
      : sql`${column} like ${likePattern(term)} escape '\\'`,
  );
  // A search may read every row. At each 1,024th row it checks whether its caller has hung up: checking more often costs more.
  const { table } = columns[0];
  return sql`(((${table}.rowid & 1023) <> 0 or ${sql.raw(STOP_FUNCTION)}()) and (${sql.join(matches, sql` or `)}))`;
}

/**
 * The question to a trigram index for the rows whose texts may contain `term`: `containsText` decides which of them do.
 * @returns null where the index cannot help
 */
export function trigramQuery(term: string): string | null {
  const trigrams = trigramsOf(term);
  return trigrams.length === 0 ? null : matchOfTrigrams(trigrams);
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

function globPattern(term: string): string {
  const characters = Array.from(term, (character) => {
    const cases = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
    // A character class can only list single characters, and 'ß' has no single capital letter.
    const single = cases.filter((text) => Array.from(text).length === 1);
    return single.length > 1 || '*?['.includes(character) ? `[${single.join('')}]` : character;
  });
  return `*${characters.join('')}*`;
}
