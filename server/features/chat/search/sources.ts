import { containsWords } from '#server/db/word-index.ts';
import { stopIfAbandoned } from '#server/db/abandoned-query.ts';
import { indexQuery, type Term } from './terms.ts';
import type { Person, SearchedMessage, SearchQueries } from './search-queries.ts';

/** Messages that may match, newest first. */
export type Source = AsyncIterable<SearchedMessage>;

/** Up to so many messages of all named persons together are read, instead of asking the index. */
const READ_MAX = 5000;

/** The messages that contain all terms. */
export const indexedSource = (queries: SearchQueries, terms: readonly Term[], before: number): Source =>
  queries.readIndexed(containsWords(terms, indexQuery(terms)), before);

/**
 * The messages of conversations of some users that contain all terms.
 * @param userIds null: too many; then the messages of others come too
 */
export async function personsSource(
  queries: SearchQueries,
  userIds: readonly string[] | null,
  terms: readonly Term[],
  before: number,
): Promise<Source> {
  if (userIds === null) return indexedSource(queries, terms, before);
  const persons = (await queries.findPersons(userIds)).filter(({ messageCount }) => messageCount > 0);
  if (terms.length === 0) return newestOfPersons(queries, persons, before);
  const count = persons.reduce((sum, { messageCount }) => sum + messageCount, 0);
  if (count > READ_MAX) return indexedOfPersons(queries, userIds, terms, before);
  const ids = persons.map(({ id }) => id);
  return queries.readNewestOfAll(ids, before);
}

async function* newestOfPersons(
  queries: SearchQueries,
  persons: readonly Person[],
  before: number,
): AsyncGenerator<SearchedMessage> {
  // Each conversation stands here with its newest message that was not yet returned.
  const heads = new Map<number, Person>();
  const byId = new Map(persons.map((person) => [person.id, person]));
  for (const [userId, newestId] of await queries.findNewestIds([...byId.keys()], before)) {
    const person = byId.get(userId);
    if (person && newestId !== null) heads.set(newestId, person);
  }
  while (heads.size > 0) {
    let newest = 0;
    for (const id of heads.keys()) if (id > newest) newest = id;
    const person = heads.get(newest);
    heads.delete(newest);
    const next = person ? await queries.findNewestIdOf(person, newest) : null;
    if (person && next !== null) heads.set(next, person);
    const message = await queries.findMessage(newest);
    if (message) yield message;
  }
}

async function* indexedOfPersons(
  queries: SearchQueries,
  userIds: readonly string[],
  terms: readonly Term[],
  before: number,
): AsyncGenerator<SearchedMessage> {
  const ids = new Set(userIds);
  for await (const message of indexedSource(queries, terms, before)) {
    stopIfAbandoned();
    if (ids.has(message.userId)) yield message;
  }
}

/** Merges the sources, newest message first. A message of more than one source is returned once. */
export async function* joinSources(sources: readonly Source[]): AsyncGenerator<SearchedMessage> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const heads: (SearchedMessage | null)[] = [];
  const advance = async (index: number): Promise<void> => {
    const next = await iterators[index]?.next();
    heads[index] = next && !next.done ? next.value : null;
  };
  try {
    for (const index of iterators.keys()) await advance(index);
    for (;;) {
      let newest: SearchedMessage | null = null;
      for (const head of heads) if (head !== null && head.id > (newest?.id ?? 0)) newest = head;
      if (newest === null) return;
      for (const [index, head] of heads.entries()) if (head?.id === newest.id) await advance(index);
      yield newest;
    }
  } finally {
    // An unfinished statement would keep the connection busy.
    for (const iterator of iterators) await iterator.return?.(undefined);
  }
}
