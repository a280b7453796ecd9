import { stopIfAbandoned } from '#server/db/abandoned-query.ts';
import { type Connection, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { readIndexRange, indexedPercent } from '#server/messages/message-index-queries.ts';
import { type MessageParts, readMessageParts } from '../message-parts.ts';
import type { MessageRow } from '../message-queries.ts';
import { asTyped, findTerms, type Mark, markTerms, parseTerms, type Term } from './terms.ts';
import {
  createSearchQueries,
  LISTED_ACCOUNTS_MAX,
  namedWord,
  type Person,
  readMessages,
  type SearchedMessage,
  type SearchQueries,
} from './search-queries.ts';
import { indexedSource, joinSources, personsSource, type Source } from './sources.ts';

export type MessageSearch = {
  query: string;
  /** Only this conversation; null: all. */
  userId: string | null;
  /** Only messages older than this one. */
  before: number;
  limit: number;
};
type FoundMessage = { id: number; person: Person; marks: Mark[] };
export type FoundMessages = {
  parts: MessageParts;
  found: { row: MessageRow; person: Person; marks: Mark[] }[];
  hasMore: boolean;
  indexedPercent: number;
};

/**
 * Number of the newest messages that are read before the index is asked. Words that fill a page within them are so common
 * that the index would have to join very long lists for the beginning of a word; all others have short ones.
 */
const READ_FIRST = 1000;
/** Words of longer queries are not looked for among the names. */
const NAMED_TERMS_MAX = 8;

/**
 * Finds messages, newest first. In one conversation a message must contain every term. Over all, a term may also stand in the
 * name of the conversation's user, so that a name finds that person's conversation.
 */
export function searchMessages(
  orm: Connection,
  search: MessageSearch,
  readFirst = READ_FIRST,
  listedMax = LISTED_ACCOUNTS_MAX,
): Promise<FoundMessages> {
  const terms = parseTerms(search.query);
  // One snapshot: the main thread writes between two queries.
  return readSnapshot(orm, async (tx) => {
    const queries = createSearchQueries(tx);
    const found =
      terms.length === 0
        ? []
        : search.userId === null
          ? await searchAll(tx, queries, terms, { ...search, readFirst, listedMax })
          : await searchConversation(queries, terms, search.userId, search);
    const hasMore = found.length > search.limit;
    if (hasMore) found.pop();
    const ids = found.map(({ id }) => id);
    const rows = new Map((await readMessages(tx, ids)).map((row) => [row.id, row]));
    return {
      parts: await readMessageParts(tx, [...rows.values()]),
      found: found.flatMap(({ id, person, marks }) => {
        const row = rows.get(id);
        return row ? [{ row, person, marks }] : [];
      }),
      hasMore,
      // One conversation is searched without the index.
      indexedPercent: search.userId === null ? indexedPercent(await readIndexRange(tx)) : 100,
    };
  });
}

type Page = Pick<MessageSearch, 'before' | 'limit'>;

/** Reads the conversation itself: its messages are few beside those of all that contain a common word. */
async function searchConversation(
  queries: SearchQueries,
  terms: readonly Term[],
  userId: string,
  { before, limit }: Page,
): Promise<FoundMessage[]> {
  const found: FoundMessage[] = [];
  const person = await queries.findPerson(userId);
  if (!person) return found;
  for await (const { id, content } of queries.readNewestOf(person, before)) {
    stopIfAbandoned();
    const marks = content === '' ? null : findTerms(content, terms);
    if (marks) found.push({ id, person, marks });
    if (found.length > limit) break;
  }
  return found;
}

/** @returns up to one more than the limit */
async function searchAll(
  tx: Transaction,
  queries: SearchQueries,
  terms: readonly Term[],
  { before, limit, readFirst, listedMax }: Page & { readFirst: number; listedMax: number },
): Promise<FoundMessage[]> {
  const names = createNames(queries, terms);
  const found: FoundMessage[] = [];
  const check = async (message: SearchedMessage): Promise<void> => {
    stopIfAbandoned();
    const match = await matchMessage(queries, names, terms, message);
    if (match) found.push(match);
  };

  // Messages that are not indexed yet are among the newest, so they are read too.
  const { upToId } = await readIndexRange(tx);
  let read = 0;
  let reachedId = 0;
  for await (const message of queries.readNewest(before)) {
    if (found.length > limit) return found;
    if (read >= readFirst && message.id <= upToId) {
      reachedId = message.id + 1;
      break;
    }
    read += 1;
    await check(message);
  }
  if (reachedId === 0 || found.length > limit) return found;

  const sources: Source[] = [indexedSource(queries, terms, reachedId)];
  for (const { userIds, others } of await names.listGroups(listedMax))
    sources.push(await personsSource(queries, userIds, others, reachedId));
  for await (const message of joinSources(sources)) {
    await check(message);
    if (found.length > limit) break;
  }
  return found;
}

/** The users whose names contain the same terms, null: too many; and the terms that a message of theirs must contain. */
type NameGroup = { userIds: string[] | null; others: Term[] };

/** The names of users beside the terms. Most searches find a page before all names have to be compared. */
function createNames(queries: SearchQueries, terms: readonly Term[]) {
  const isCompared = terms.length <= NAMED_TERMS_MAX;
  const othersByUser = new Map<string, Term[]>();
  const isMissingIn = (name: string) => (term: Term) => !findTerms(name, [asTyped(term)]);

  return {
    /** @returns the terms that the person's name does not contain, so that a message must contain them */
    othersFor({ id, name }: Person): readonly Term[] {
      if (!isCompared) return terms;
      const known = othersByUser.get(id);
      if (known) return known;
      const others = terms.filter(isMissingIn(name));
      othersByUser.set(id, others);
      return others;
    },
    /** Compares the names of all users. */
    async listGroups(listedMax: number): Promise<NameGroup[]> {
      if (!isCompared) return [];
      const words = terms.map(({ words: all, isPrefix }) => {
        const longest = all.toSorted((a, b) => b.length - a.length)[0] ?? '';
        return namedWord(longest, isPrefix || all.length > 1, all.length > 1);
      });
      const groups = new Map<string, NameGroup>();
      const add = (userIds: string[] | null, isMissing: (term: Term, bit: number) => boolean): void => {
        const others = terms.filter(isMissing);
        if (others.length === terms.length) return;
        const key = others.map(({ phrase }) => phrase).join(' ');
        const group = groups.get(key);
        if (!group) groups.set(key, { userIds, others });
        else if (userIds === null) group.userIds = null;
        else group.userIds?.push(...userIds);
      };
      const named = await queries.listNamed(words, listedMax);
      for (const { bits, userIds } of named.groups) add(userIds, (_term, bit) => (bits & (1 << bit)) === 0);
      for (const { id, name } of named.others) add([id], isMissingIn(name));
      return [...groups.values()];
    },
  };
}
type Names = ReturnType<typeof createNames>;

async function matchMessage(
  queries: SearchQueries,
  names: Names,
  terms: readonly Term[],
  { id, userId, content }: SearchedMessage,
): Promise<FoundMessage | null> {
  if (content === '') return null;
  const person = await queries.findPerson(userId);
  if (!person || id <= person.clearedId) return null;
  if (!findTerms(content, names.othersFor(person))) return null;
  return { id, person, marks: markTerms(content, terms) };
}
