import { inArray } from 'drizzle-orm';
import type { Connection, ConnectionOrTransaction } from '#server/db/open.ts';
import { messages } from '#server/db/schema.ts';
import type { MessageRow } from '../message-queries.ts';

/** The user of a conversation, and what of it is there. */
export type Person = { id: string; name: string; clearedId: number; messageCount: number };
export type SearchedMessage = { id: number; userId: string; content: string };

/** Accounts of admins and deleted accounts have no conversation in the inbox, so their messages are in no answer. */
const selectPerson = `
  select users.id, users.name, cleared_id as clearedId, user_ordinal + admin_ordinal - cleared_count as messageCount
  from users join conversations on conversations.user_id = users.id
  where is_admin = 0`;
const selectMessage = 'select id, user_id as userId, content from messages';

const selectIndexed = 'select rowid from message_words where message_words match ? and rowid < ? order by rowid desc';

/** A word at the beginning of another one or as a whole, as two patterns; the first one sorts most names out sooner. */
export type NamedWord = { like: string; glob: string };
/** `bits`: which of the words the name contains, the first one in the lowest bit; not right for a name with other than ASCII. */
export type NamedAccount = { id: string; name: string; bits: number; isOther: 0 | 1 };

/** Words are between two characters that are no letters and no digits. */
const PADDED_NAME = "(' ' || name || ' ')";
const OTHER = '[^0-9A-Za-z]';

export function namedWord(word: string, isBeginning: boolean): NamedWord {
  const bothCases = word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return { like: `%${word}%`, glob: `*${OTHER}${bothCases}${isBeginning ? '' : OTHER}*` };
}

/** Prepared once for a search, which may run them thousands of times; without Drizzle, as in `message-queries.ts`. */
export function createSearchQueries({ $client: sqlite }: Connection) {
  const personById = sqlite.prepare<[string], Person>(`${selectPerson} and users.id = ?`);
  const messageById = sqlite.prepare<[number], SearchedMessage>(`${selectMessage} where id = ?`);
  const newest = sqlite.prepare<[number], SearchedMessage>(`${selectMessage} where id < ? order by id desc`);
  const newestOf = sqlite.prepare<[string, number, number], SearchedMessage>(
    `${selectMessage} where user_id = ? and id < ? and id > ? order by id desc`,
  );
  const newestIdOf = sqlite
    .prepare<[string, number, number], number | null>(
      'select max(id) from messages where user_id = ? and id < ? and id > ?',
    )
    .pluck();
  const persons = new Map<string, Person | null>();

  return {
    /** @returns null where the inbox shows no conversation */
    findPerson(userId: string): Person | null {
      const known = persons.get(userId);
      if (known !== undefined) return known;
      const person = personById.get(userId) ?? null;
      persons.set(userId, person);
      return person;
    },
    /** The accounts of users with one of these words in their name, or with a name that SQLite cannot compare. */
    listNamed(words: readonly NamedWord[]): NamedAccount[] {
      // Without a case SQLite would compare each name with both patterns.
      const matched = words
        .map((_word, bit) => `(case when name like ? then ${PADDED_NAME} glob ? else 0 end << ${bit})`)
        .join(' | ');
      const values = words.flatMap(({ like, glob }) => [like, glob]);
      return sqlite
        .prepare<string[], NamedAccount>(
          `select * from (
            select id, name, ${matched} as bits, octet_length(name) > length(name) as isOther from users where is_admin = 0
          ) where bits or isOther`,
        )
        .all(...values);
    },
    findMessage: (id: number): SearchedMessage | undefined => messageById.get(id),
    /** Messages of all, newest first. */
    readNewest: (before: number): Iterable<SearchedMessage> => newest.iterate(before),
    /** Messages of one conversation, newest first. */
    readNewestOf: ({ id, clearedId }: Person, before: number): Iterable<SearchedMessage> =>
      newestOf.iterate(id, before, clearedId),
    findNewestIdOf: ({ id, clearedId }: Person, before: number): number | null =>
      newestIdOf.get(id, before, clearedId) ?? null,
    /** Messages that the index finds, newest first; deleted ones too, for a moment. */
    readIndexed: (question: string, before: number): Iterable<number> =>
      // A statement of its own, because several of them are read in turns.
      sqlite.prepare<[string, number], number>(selectIndexed).pluck().iterate(question, before),
  };
}
export type SearchQueries = ReturnType<typeof createSearchQueries>;

/** Whole rows, in no order. */
export function readMessages(orm: ConnectionOrTransaction, ids: readonly number[]): MessageRow[] {
  return orm
    .select()
    .from(messages)
    .where(inArray(messages.id, [...ids]))
    .all();
}
