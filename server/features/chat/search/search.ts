import { stopIfAbandoned } from '#server/db/abandoned-query.ts';
import { type Connection, readSnapshot, type Transaction } from '#server/db/open.ts';
import { readIndexRange, indexedPercent } from '#server/messages/message-index-queries.ts';
import { type MessageParts, readMessageParts } from '../message-parts.ts';
import type { MessageRow } from '../message-queries.ts';
import { findTerms, type Mark, markTerms, parseTerms, type Term } from './terms.ts';
import {
  createSearchQueries,
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
export function searchMessages(orm: Connection, search: MessageSearch, readFirst = READ_FIRST): FoundMessages {
  const terms = parseTerms(search.query);
  // One snapshot: the main thread writes between two queries.
  return readSnapshot(orm, (tx) => {
    const queries = createSearchQueries(orm);
    const found =
      terms.length === 0
        ? []
        : search.userId === null
          ? searchAll(tx, queries, terms, { ...search, readFirst })
          : searchConversation(queries, terms, search.userId, search);
    const hasMore = found.length > search.limit;
    if (hasMore) found.pop();
    const rows = new Map(
      readMessages(
        tx,
        found.map(({ id }) => id),
      ).map((row) => [row.id, row]),
    );
    return {
      parts: readMessageParts(tx, [...rows.values()]),
      found: found.flatMap(({ id, person, marks }) => {
        const row = rows.get(id);
        return row ? [{ row, person, marks }] : [];
      }),
      hasMore,
      // One conversation is searched without the index.
      indexedPercent: search.userId === null ? indexedPercent(readIndexRange(tx)) : 100,
    };
  });
}

type Page = Pick<MessageSearch, 'before' | 'limit'>;

/** Reads the conversation itself: its messages are few beside those of all that contain a common word. */
function searchConversation(
  queries: SearchQueries,
  terms: readonly Term[],
  userId: string,
  { before, limit }: Page,
): FoundMessage[] {
  const found: FoundMessage[] = [];
  const person = queries.findPerson(userId);
  if (!person) return found;
  for (const { id, content } of queries.readNewestOf(person, before)) {
    stopIfAbandoned();
    const marks = content === '' ? null : findTerms(content, terms);
    if (marks) found.push({ id, person, marks });
    if (found.length > limit) break;
  }
  return found;
}

/** @returns up to one more than the limit */
function searchAll(
  tx: Transaction,
  queries: SearchQueries,
  terms: readonly Term[],
  { before, limit, readFirst }: Page & { readFirst: number },
): FoundMessage[] {
  const names = matchNames(queries, terms);
  const found: FoundMessage[] = [];
  const check = (message: SearchedMessage): void => {
    stopIfAbandoned();
    const match = matchMessage(queries, names, terms, message);
    if (match) found.push(match);
  };

  // Messages that are not indexed yet are among the newest, so they are read too.
  const { upToId } = readIndexRange(tx);
  let read = 0;
  let reachedId = 0;
  for (const message of queries.readNewest(before)) {
    if (found.length > limit) return found;
    if (read >= readFirst && message.id <= upToId) {
      reachedId = message.id + 1;
      break;
    }
    read += 1;
    check(message);
  }
  if (reachedId === 0 || found.length > limit) return found;

  const sources: Source[] = [indexedSource(queries, terms, reachedId)];
  for (const { persons, named } of groupByTerms(names)) {
    const others = terms.filter((term) => !named.has(term));
    sources.push(personsSource(queries, persons, others, reachedId));
  }
  for (const id of joinSources(sources)) {
    const message = queries.findMessage(id);
    if (message) check(message);
    if (found.length > limit) break;
  }
  return found;
}

/** The terms that stand in the name of a user. */
type Names = Map<string, { person: Person; named: Set<Term> }>;

function matchNames(queries: SearchQueries, terms: readonly Term[]): Names {
  const names: Names = new Map();
  if (terms.length > NAMED_TERMS_MAX) return names;
  for (const term of terms) {
    const longest = term.words.toSorted((a, b) => b.length - a.length)[0] ?? '';
    for (const person of queries.listPersonsLike(longest)) {
      if (!findTerms(person.name, [term])) continue;
      const known = names.get(person.id);
      if (known) known.named.add(term);
      else names.set(person.id, { person, named: new Set([term]) });
    }
  }
  return names;
}

/** Persons with the same terms in their name are looked up together. */
function groupByTerms(names: Names): { persons: Person[]; named: Set<Term> }[] {
  const groups = new Map<string, { persons: Person[]; named: Set<Term> }>();
  for (const { person, named } of names.values()) {
    const key = [...named].map(({ phrase }) => phrase).join(' ');
    const group = groups.get(key);
    if (group) group.persons.push(person);
    else groups.set(key, { persons: [person], named });
  }
  return [...groups.values()];
}

function matchMessage(
  queries: SearchQueries,
  names: Names,
  terms: readonly Term[],
  { id, userId, content }: SearchedMessage,
): FoundMessage | null {
  if (content === '') return null;
  const named = names.get(userId)?.named;
  const needed = named ? terms.filter((term) => !named.has(term)) : terms;
  if (!findTerms(content, needed)) return null;
  const person = queries.findPerson(userId);
  if (!person || id <= person.clearedId) return null;
  return { id, person, marks: markTerms(content, terms) };
}
