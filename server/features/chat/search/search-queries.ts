import { and, inArray, not, type SQL, sql } from 'drizzle-orm';
import { computedOnce, containsWord, hasWideLetters, isLike, jsonList, withoutIndex } from '#server/db/dialect.ts';
import { listOf, listOfNumbers } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { messages, users } from '#server/db/schema.ts';
import { isProposedName } from '#server/db/search.ts';
import type { MessageRow } from '../message-queries.ts';

/** The user of a conversation, and what of it is there. */
export type Person = { id: string; name: string; clearedId: number; messageCount: number };
export type SearchedMessage = { id: number; userId: string; content: string };

/** Accounts of admins and deleted accounts have no conversation in the inbox, so their messages are in no answer. */
const selectPerson = sql`
  select users.id, users.name, cleared_id as "clearedId", user_ordinal + admin_ordinal - cleared_count as "messageCount"
  from users join conversations on conversations.user_id = users.id
  where ${withoutIndex(users.isAdmin)} = 0`;
const selectMessage = 'select id, user_id as "userId", content from messages';
/** With the person, because a look for each would take four times as long. */
const withPerson = sql`messages.id, messages.user_id, messages.content,
  users.name, cleared_id, user_ordinal + admin_ordinal - cleared_count`;
const joinPerson = sql`left join users on users.id = messages.user_id and is_admin = 0
  left join conversations on conversations.user_id = users.id`;

/** A word at the beginning of another one or as a whole, as two patterns; the first one sorts most names out sooner. */
/** `isPart`: other words must stand beside it. */
export type NamedWord = { word: string; like: string; letters: string[][]; isBeginning: boolean; isPart: boolean };
/** `bits`: which of the words the names contain, the first one in the lowest bit. `userIds`: null where there are too many. */
export type NamedGroup = { bits: number; userIds: string[] | null };
export type NamedAccount = { id: string; name: string };
type NamedAccounts = { groups: NamedGroup[]; others: NamedAccount[] };

/** A page is mostly found in so many messages that the index proposes. */
const READ_AT_ONCE = 50;

/** To filter by more accounts would take longer than to look at the person of each message. */
export const LISTED_ACCOUNTS_MAX = 5000;

export function namedWord(word: string, isBeginning: boolean, isPart: boolean): NamedWord {
  const letters = Array.from(word, (letter) => (/[a-z]/.test(letter) ? [letter, letter.toUpperCase()] : [letter]));
  return { word, like: `%${word}%`, letters, isBeginning, isPart };
}

type MessageTuple = [id: number, userId: string, content: string];
type MessageWithPerson = [...MessageTuple, name: string | null, clearedId: number | null, messageCount: number];

/** The statements of a search, which may run them thousands of times; without Drizzle, as in `message-queries.ts`. */
export function createSearchQueries(tx: ConnectionOrTransaction) {
  const persons = new Map<string, Person | null>();

  async function* read(query: string | SQL, ...parameters: (string | number)[]): AsyncGenerator<SearchedMessage> {
    for await (const [id, userId, content] of tx.iterate<MessageTuple>(query, ...parameters))
      yield { id, userId, content };
  }

  /** Keeps the person of a message. */
  function withoutPerson([id, userId, content, name, clearedId, messageCount]: MessageWithPerson): SearchedMessage {
    if (!persons.has(userId))
      persons.set(userId, name === null || clearedId === null ? null : { id: userId, name, clearedId, messageCount });
    return { id, userId, content };
  }

  async function readSome(ids: readonly number[]): Promise<SearchedMessage[]> {
    const rows = await tx.tuples<MessageWithPerson>(sql`
      select ${withPerson} from messages ${joinPerson}
      where messages.id in ${listOfNumbers(ids)} order by messages.id desc`);
    return rows.map(withoutPerson);
  }

  return {
    /** @returns null where the inbox shows no conversation */
    async findPerson(userId: string): Promise<Person | null> {
      const known = persons.get(userId);
      if (known !== undefined) return known;
      const person = (await tx.get<Person>(sql`${selectPerson} and users.id = ${userId}`)) ?? null;
      persons.set(userId, person);
      return person;
    },
    /** @returns those of whom the inbox shows a conversation */
    async findPersons(userIds: readonly string[]): Promise<Person[]> {
      const found = await tx.all<Person>(sql`${selectPerson} and users.id in ${listOf(userIds)}`);
      for (const person of found) persons.set(person.id, person);
      return found;
    },
    /**
     * The accounts of users with one of these words in their name, grouped by the words. `others` have a name that SQLite cannot
     * compare, or one of the words that are only a part of what is looked for.
     */
    async listNamed(words: readonly NamedWord[], listedMax: number): Promise<NamedAccounts> {
      const { id, name, isAdmin } = users;
      // Without a case SQLite would compare each name with both patterns.
      const matched = words.map(({ like, letters, isBeginning }, bit) => {
        const isFound = sql`${isLike(name, like)} and ${containsWord(name, letters, isBeginning)}`;
        return sql`((case when ${isFound} then 1 else 0 end) << ${sql.raw(String(bit))})`;
      });
      const isOther = hasWideLetters(name);
      const isUser = sql`${withoutIndex(isAdmin)} = 0`;
      // The indexes may propose others too: the patterns decide.
      const named = sql`(${computedOnce(sql`select ${id}, ${name}, ${sql.join(matched, sql` | `)} as bits
        from ${users} where ${and(isProposedName(words), isUser, not(isOther))}`)}) as named`;
      const bitsOf = (isChosen: (word: NamedWord) => boolean): SQL =>
        sql.raw(String(words.reduce((bits, word, bit) => (isChosen(word) ? bits | (1 << bit) : bits), 0)));
      const parts = bitsOf(({ isPart }) => isPart);
      // Without other words nothing else sorts the messages of all out.
      const isListed = sql`count(*) <= ${sql.raw(String(listedMax))} or bits = ${bitsOf(() => true)}`;
      const groups = await tx.tuples<[bits: number, userIds: string | null]>(sql`
        select bits, case when ${isListed} then ${jsonList(sql`id`)} end from ${named}
        where bits <> 0 and bits & ${parts} = 0 group by bits`);
      const others = await tx.all<NamedAccount>(sql`
        select ${id}, ${name} from ${users} where ${and(isUser, isOther)}
        ${words.some(({ isPart }) => isPart) ? sql`union all select id, name from ${named} where bits & ${parts} <> 0` : sql``}`);
      return {
        groups: groups.map(([bits, ids]) => ({ bits, userIds: ids === null ? null : JSON.parse(ids) })),
        others,
      };
    },
    findMessage: (id: number): Promise<SearchedMessage | undefined> => tx.get(`${selectMessage} where id = ?`, id),
    /** Messages of all, newest first. */
    async *readNewest(before: number): AsyncGenerator<SearchedMessage> {
      const newest = sql`select ${withPerson} from messages ${joinPerson} where messages.id < ${before} order by messages.id desc`;
      for await (const row of tx.iterate<MessageWithPerson>(newest)) yield withoutPerson(row);
    },
    /** Messages of one conversation, newest first. */
    readNewestOf: ({ id, clearedId }: Person, before: number): AsyncIterable<SearchedMessage> =>
      read(`${selectMessage} where user_id = ? and id < ? and id > ? order by id desc`, id, before, clearedId),
    /** Messages of some conversations, newest first. All are read before the first one is returned. */
    readNewestOfAll: (userIds: readonly string[], before: number): AsyncIterable<SearchedMessage> =>
      read(sql`
        select messages.id, messages.user_id, content from conversations cross join messages
        where conversations.user_id in ${listOf(userIds)} and messages.user_id = conversations.user_id
          and messages.id < ${before} and messages.id > cleared_id
        order by messages.id desc`),
    async findNewestIdOf({ id, clearedId }: Person, before: number): Promise<number | null> {
      const newest = 'select max(id) from messages where user_id = ? and id < ? and id > ?';
      return (await tx.value<number | null>(newest, id, before, clearedId)) ?? null;
    },
    /** The same of many persons. */
    findNewestIds: (userIds: readonly string[], before: number) =>
      tx.tuples<[userId: string, id: number | null]>(sql`
        select user_id, (
          select max(id) from messages
          where messages.user_id = conversations.user_id and id < ${before} and id > cleared_id
        ) from conversations where user_id in ${listOf(userIds)}`),
    /** Messages that the index finds, newest first. */
    async *readIndexed(isFound: SQL, before: number): AsyncGenerator<SearchedMessage> {
      const found = sql`select rowid from message_words where ${isFound} and rowid < ${before} order by rowid desc`;
      let ids: number[] = [];
      for await (const [id] of tx.iterate<[number]>(found)) {
        ids.push(id);
        if (ids.length < READ_AT_ONCE) continue;
        yield* await readSome(ids);
        ids = [];
      }
      if (ids.length > 0) yield* await readSome(ids);
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
