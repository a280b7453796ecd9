import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { STOP_FUNCTION } from './abandoned-query.ts';

/**
 * Texts that SQLite and PostgreSQL write differently. Each difference is one function with both texts; all other queries are in
 * the part of SQL that both know. No query asks which engine runs: the text is chosen when the statement is compiled.
 */

export type EngineName = 'sqlite' | 'postgres';

/** The engine for which a statement is compiled at the moment; compiling never waits for anything. */
let compiledFor: EngineName = 'sqlite';

/** Compiles the text of a statement for an engine. */
export function compileFor<T>(engine: EngineName, compile: () => T): T {
  const before = compiledFor;
  compiledFor = engine;
  try {
    return compile();
  } finally {
    compiledFor = before;
  }
}

type Texts = Record<EngineName, SQL>;

/** A part of a statement with one text for each engine. */
class EngineText implements SQLWrapper {
  readonly #texts: Texts;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  getSQL(): SQL {
    return this.#texts[compiledFor];
  }

  shouldOmitSQLParens(): boolean {
    return true;
  }
}

/** @returns a part of a statement that has another text on each engine */
export const perEngine = <T>(texts: Texts): SQL<T> => sql<T>`${new EngineText(texts)}`;

/** A flag as a condition: SQLite keeps truth as 1, and an index on it is written without a comparison. */
export const isTrue = (flag: SQLWrapper): SQL => perEngine({ sqlite: sql`${flag}`, postgres: sql`${flag} = 1` });

/** Whether a text has letters outside of ASCII. */
export const hasWideLetters = (text: SQLWrapper): SQL =>
  perEngine({
    sqlite: sql`length(cast(${text} as blob)) > length(${text})`,
    postgres: sql`octet_length(${text}) > length(${text})`,
  });

/** A subquery whose expressions are computed once for each row, however often the statement around it names them. SQLite has no such text. */
export const computedOnce = (query: SQL): SQL => perEngine({ sqlite: query, postgres: sql`${query} offset 0` });

/** A column that SQLite is not to look for in an index, because another condition finds fewer rows. PostgreSQL decides by its counts. */
export const withoutIndex = (column: SQLWrapper): SQL =>
  perEngine({ sqlite: sql`+${column}`, postgres: sql`${column}` });

/** A table that SQLite is to read by this index. */
export const byIndex = (table: SQLiteTable, index: string): SQL =>
  perEngine({ sqlite: sql`${table} indexed by ${sql.identifier(index)}`, postgres: sql`${table}` });

/** Rows of such a table are numbered, as the rows of SQLite are by an integer primary key. */
export const isNumbered = (column: SQLiteColumn): boolean => column.primary && column.getSQLType() === 'integer';

/** The number of a row, in the order of insertion. SQLite has it by itself, and another name for it where a column numbers the rows. */
export function rowNumber(table: SQLiteTable): SQL<number> {
  const numbered = Object.values(getTableColumns(table)).find(isNumbered);
  return perEngine({ sqlite: sql`${table}.rowid`, postgres: numbered ? sql`${numbered}` : sql`${table}.rowid` });
}

/** A condition that is true, and at each 1,024th row ends a query whose caller has hung up. PostgreSQL is told to cancel it (`postgres/cancel.ts`). */
export const unlessAbandoned = (table: SQLiteTable): SQL =>
  perEngine({
    sqlite: sql`((${table}.rowid & 1023) <> 0 or ${sql.raw(STOP_FUNCTION)}())`,
    postgres: sql`true`,
  });

/** A text to order by, without regard to the case of ASCII letters. */
export const ignoringCase = (text: SQLWrapper): SQL =>
  perEngine({ sqlite: sql`${text} collate nocase`, postgres: sql`lower(${text})` });

/** The orders of SQLite, which puts nulls first. PostgreSQL reads its indexes in these orders only when they are written so. */
export const ascending = (column: SQLWrapper): SQL => sql`${column} asc nulls first`;
export const descending = (column: SQLWrapper): SQL => sql`${column} desc nulls last`;

/** The place of the first occurrence of a text in another one, from 1; 0 without one. */
export const placeIn = (text: SQLWrapper, part: SQLWrapper): SQL<number> =>
  perEngine({ sqlite: sql`instr(${text}, ${part})`, postgres: sql`strpos(${text}, ${part})` });

/** A sum to order by: it may lose digits, and never fails. */
export const roughSum = (amount: SQLWrapper): SQL =>
  perEngine({ sqlite: sql`total(${amount})`, postgres: sql`coalesce(sum(${amount}), 0)` });

/** All values of a column as JSON. */
export const jsonList = (value: SQLWrapper): SQL<string> =>
  perEngine({ sqlite: sql`json_group_array(${value})`, postgres: sql`coalesce(json_agg(${value})::text, '[]')` });

/** The values of a JSON list of numbers or of texts, as rows: one parameter, so that the text is always the same. */
export const numbersIn = (json: unknown): SQL =>
  perEngine({
    sqlite: sql`(select value from json_each(${json}))`,
    postgres: sql`(select value::bigint from jsonb_array_elements_text(${json}::jsonb) as value)`,
  });
export const textsIn = (json: unknown): SQL =>
  perEngine({
    sqlite: sql`(select value from json_each(${json}))`,
    postgres: sql`(select value collate "C" from jsonb_array_elements_text(${json}::jsonb) as value)`,
  });

/** Whether a text is like a pattern, without regard to the case of ASCII letters; a backslash takes a character literally. */
export const isLike = (text: SQLWrapper, pattern: string): SQL =>
  perEngine({
    sqlite: sql`${text} like ${pattern} escape '\\'`,
    postgres: sql`${text} ilike ${pattern} escape '\\'`,
  });

/** Whether a text contains these letters in a row, each in any of its cases. */
export const containsLetters = (text: SQLWrapper, letters: readonly (readonly string[])[]): SQL =>
  perEngine({ sqlite: sql`${text} glob ${globOf(letters)}`, postgres: sql`${text} ~ ${expressionOf(letters)}` });

const globOf = (letters: readonly (readonly string[])[]): string =>
  `*${letters.map((cases) => (cases.length > 1 || '*?['.includes(cases.join('')) ? `[${cases.join('')}]` : cases.join(''))).join('')}*`;

/** In brackets these four have a meaning of their own. */
const expressionOf = (letters: readonly (readonly string[])[]): string =>
  letters
    .map((cases) => `(?:${cases.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`)
    .join('');

/** A number inside a text of JSON; null where it is missing. */
export const numberAt = (json: SQLWrapper, name: string): SQL<number | null> =>
  perEngine({
    sqlite: sql`json_extract(${json}, ${sql.raw(`'$.${name}'`)})`,
    postgres: sql`(${json}::jsonb ->> ${sql.raw(`'${name}'`)})::bigint`,
  });

/** The values of a JSON list of lists of numbers, as columns of these names. */
export function numberRows(json: string, names: readonly string[]): SQL {
  const columns = (value: (index: number) => SQL): SQL =>
    sql.join(
      names.map((name, index) => sql`${value(index)} as ${sql.identifier(name)}`),
      sql`, `,
    );
  return perEngine({
    sqlite: sql`(select ${columns((index) => sql.raw(`value ->> ${index}`))} from json_each(${json}))`,
    postgres: sql`(select ${columns((index) => sql.raw(`(value ->> ${index})::bigint`))} from jsonb_array_elements(${json}::jsonb) as value)`,
  });
}

/** No letter and no digit, as a class of both kinds of patterns. */
const NO_LETTER = '[^0-9A-Za-z]';

/** Whether a text contains a word of these letters in any of their cases, as a whole or as the beginning of another one. */
export function containsWord(text: SQLWrapper, letters: readonly (readonly string[])[], isBeginning: boolean): SQL {
  const pattern = `${NO_LETTER}${letters.map((cases) => `[${cases.join('')}]`).join('')}${isBeginning ? '' : NO_LETTER}`;
  const padded = sql`(' ' || ${text} || ' ')`;
  return perEngine({ sqlite: sql`${padded} glob ${`*${pattern}*`}`, postgres: sql`${padded} ~ ${pattern}` });
}

/** Whether a JSON list of changes has one of this field, from this truth. */
export const isListedChange = (changes: SQLWrapper, field: string, from: boolean): SQL =>
  perEngine({
    sqlite: sql`exists (select 1 from json_each(${changes}) as change
      where json_extract(change.value, '$.field') = ${field} and json_extract(change.value, '$.from') = ${Number(from)})`,
    postgres: sql`exists (select 1 from jsonb_array_elements(${changes}::jsonb) as change
      where change ->> 'field' = ${field} and change ->> 'from' in (${String(from)}, ${String(Number(from))}))`,
  });
