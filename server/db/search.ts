import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

const NON_ASCII = /[^\p{ASCII}]/u;

/**
 * Whether a text column contains `term`, ignoring letter case. `%`, `_` and all other characters are literal (R-API-12).
 * SQLite's LIKE ignores the case of ASCII letters only. A term with other letters uses the slower GLOB with both cases of
 * each letter.
 */
export function containsText(column: AnyColumn, term: string): SQL {
  return NON_ASCII.test(term)
    ? sql`${column} glob ${globPattern(term)}`
    : sql`${column} like ${likePattern(term)} escape '\\'`;
}

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
