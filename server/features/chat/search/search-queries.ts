import { and, inArray, not, type SQL, sql } from 'drizzle-orm';
import { containsWord, hasWideLetters, isLike, withoutIndex } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { messages, users } from '#server/db/schema.ts';
import { isProposedUser, trigramQuery } from '#server/db/search.ts';
import type { MessageRow } from '../message-queries.ts';

/** The user of a conversation, and what of it is there. */
export type Person = { id: string; name: string; clearedId: number; messageCount: number };
export type SearchedMessage = { id: number; userId: string; content: string };

/** Accounts of admins and deleted accounts have no conversation in the inbox, so their messages are in no answer. */
const selectPerson = `
  select users.id, users.name, cleared_id as "clearedId", user_ordinal + admin_ordinal - cleared_count as "messageCount"
  from users join conversations on conversations.user_id = users.id
  where is_admin = 0`;
const selectMessage = 'select id, user_id as "userId", content from messages';
/** With the person, because a look for each would take four times as long. */
const selectNewest = `
  select messages.id, messages.user_id, content, name, cleared_id, user_ordinal + admin_ordinal - cleared_count
  from messages left join users on users.id = messages.user_id and is_admin = 0
    left join conversations on conversations.user_id = users.id
  where messages.id < ? order by messages.id desc`;

/** A word at the beginning of another one or as a whole, as two patterns; the first one sorts most names out sooner. */
export type NamedWord = { like: string; letters: string[][]; isBeginning: boolean; trigrams: string | null };
/** `bits`: which of the words the name contains, the first one in the lowest bit; not right for a name with other than ASCII. */
export type NamedAccount = { id: string; name: string; bits: number; isOther: 0 | 1 };

export function namedWord(word: string, isBeginning: boolean): NamedWord {
  const letters = Array.from(word, (letter) => (/[a-z]/.test(letter) ? [letter, letter.toUpperCase()] : [letter]));
  return { like: `%${word}%`, letters, isBeginning, trigrams: trigramQuery(word) };
}

type MessageTuple = [id: number, userId: string, content: string];
type NewestTuple = [...MessageTuple, name: string | null, clearedId: number | null, messageCount: number];

/** The statements of a search, which may run them thousands of times; without Drizzle, as in `message-queries.ts`. */
export function createSearchQueries(tx: ConnectionOrTransaction) {
  const persons = new Map<string, Person | null>();

  async function* read(query: string, ...parameters: (string | number)[]): AsyncGenerator<SearchedMessage> {
    for await (const [id, userId, content] of tx.iterate<MessageTuple>(query, ...parameters))
      yield { id, userId, content };
  }

  return {
    /** @returns null where the inbox shows no conversation */
    async findPerson(userId: string): Promise<Person | null> {
      const known = persons.get(userId);
      if (known !== undefined) return known;
      const person = (await tx.get<Person>(`${selectPerson} and users.id = ?`, userId)) ?? null;
      persons.set(userId, person);
      return person;
    },
    /** The accounts of users with one of these words in their name, or with a name that SQLite cannot compare. */
    listNamed(words: readonly NamedWord[]): Promise<NamedAccount[]> {
      const { id, name, isAdmin } = users;
      // Without a case SQLite would compare each name with both patterns.
      const matched = words.map(({ like, letters, isBeginning }, bit) => {
        const isFound = sql`${isLike(name, like)} and ${containsWord(name, letters, isBeginning)}`;
        return sql`((case when ${isFound} then 1 else 0 end) << ${sql.raw(String(bit))})`;
      });
      const bits = sql.join(matched, sql` | `);
      const isOther = hasWideLetters(name);
      const questions = words.flatMap(({ trigrams }) => (trigrams === null ? [] : [`(${trigrams})`]));
      // The trigram index holds e-mails too: the patterns decide.
      const isProposed = questions.length < words.length ? undefined : isProposedUser(questions.join(' OR '));
      const isUser = sql`${withoutIndex(isAdmin)} = 0`;
      return tx.all(sql`
        select * from (
          select ${id}, ${name}, ${bits} as bits, 0 as "isOther" from ${users} where ${and(isProposed, isUser, not(isOther))}
        ) as named where bits <> 0
        union all select ${id}, ${name}, ${bits}, 1 from ${users} where ${and(isUser, isOther)}`);
    },
    findMessage: (id: number): Promise<SearchedMessage | undefined> => tx.get(`${selectMessage} where id = ?`, id),
    /** Messages of all, newest first. */
    async *readNewest(before: number): AsyncGenerator<SearchedMessage> {
      for await (const row of tx.iterate<NewestTuple>(selectNewest, before)) {
        const [id, userId, content, name, clearedId, messageCount] = row;
        if (!persons.has(userId))
          persons.set(
            userId,
            name === null || clearedId === null ? null : { id: userId, name, clearedId, messageCount },
          );
        yield { id, userId, content };
      }
    },
    /** Messages of one conversation, newest first. */
    readNewestOf: ({ id, clearedId }: Person, before: number): AsyncIterable<SearchedMessage> =>
      read(`${selectMessage} where user_id = ? and id < ? and id > ? order by id desc`, id, before, clearedId),
    async findNewestIdOf({ id, clearedId }: Person, before: number): Promise<number | null> {
      const newest = 'select max(id) from messages where user_id = ? and id < ? and id > ?';
      return (await tx.value<number | null>(newest, id, before, clearedId)) ?? null;
    },
    /** Messages that the index finds, newest first; deleted ones too, for a moment. */
    async *readIndexed(isFound: SQL, before: number): AsyncGenerator<number> {
      const found = sql`select rowid from message_words where ${isFound} and rowid < ${before} order by rowid desc`;
      for await (const [id] of tx.iterate<[number]>(found)) yield id;
    },
  };
}
export type SearchQueries = ReturnType<typeof createSearchQueries>;

/** Whole rows, in no order. */
export function readMessages(orm: ConnectionOrTransaction, ids: readonly number[]): Promise<MessageRow[]> {
  return orm
    .select()
    .from(messages)
    .where(inArray(messages.id, [...ids]))
    .all();
}
