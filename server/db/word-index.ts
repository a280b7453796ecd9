import { type SQL, sql } from 'drizzle-orm';
import { perEngine } from './dialect.ts';
import { engineOf, type Transaction } from './engine.ts';
import { jsonParameter } from './many-rows.ts';

/**
 * The search index over messages, `message_words`. SQLite divides the texts by itself (FTS5); PostgreSQL gets the words as the search
 * compares them. Both find the messages with given words, and the texts decide.
 */

/** Words in a row, or others in their place; the last one may be the beginning of a word. */
type WordsInRow = { words: readonly string[]; otherWords: readonly string[] | null; isPrefix: boolean };

/** A word of PostgreSQL has 2 KB at most. Longer ones are found by their beginning. */
const WORD_MAX = 500;

/** Adds a range of messages to the index. @param wordsOf the words of a text, which PostgreSQL keeps */
export async function addMessageWords(
  tx: Transaction,
  { after, upTo }: { after: number; upTo: number },
  wordsOf: (content: string) => string[],
): Promise<void> {
  const range = sql`from messages where id > ${after} and id <= ${upTo} and content <> '' order by id`;
  if (engineOf(tx) === 'sqlite') {
    await tx.run(sql`insert into message_words (rowid, content) select id, content ${range}`);
    return;
  }
  const rows = await tx.tuples<[number, string]>(sql`select id, content ${range}`);
  const wordsById = rows.map(([id, content]) => [
    id,
    [...new Set(wordsOf(content).map((word) => word.slice(0, WORD_MAX)))],
  ]);
  await tx.run(
    sql`insert into message_words (rowid, words)
      select (value ->> 0)::bigint, array_to_tsvector(array(select jsonb_array_elements_text(value -> 1)))
      from jsonb_array_elements(${jsonParameter(wordsById)}::jsonb) as value`,
  );
}

/**
 * A condition on `message_words`: messages that contain all of these, or a few more.
 * @param question the same for FTS5
 */
export function containsWords(all: readonly WordsInRow[], question: string): SQL {
  const questions = all.map(({ words, otherWords, isPrefix }) => {
    const forms = otherWords === null ? [words] : [words, otherWords];
    return `(${forms.map((form) => questionOf(form, isPrefix)).join(' | ')})`;
  });
  return perEngine({
    sqlite: sql`message_words match ${question}`,
    postgres: sql`words @@ ${questions.join(' & ')}::tsquery`,
  });
}

/** The question of PostgreSQL for all of these words; the last one may be the beginning of a word. */
export function questionOf(words: readonly string[], isPrefix: boolean): string {
  const last = words.length - 1;
  const quoted = words.map((word, index) => {
    const isBeginning = (isPrefix && index === last) || word.length > WORD_MAX;
    const text = word
      .slice(0, WORD_MAX)
      .replaceAll('\\', String.raw`\\`)
      .replaceAll("'", "''");
    return `'${text}'${isBeginning ? ':*' : ''}`;
  });
  return quoted.join(' & ');
}
