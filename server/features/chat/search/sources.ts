import { containsWords } from '#server/db/word-index.ts';
import { stopIfAbandoned } from '#server/db/abandoned-query.ts';
import { findTerms, indexQuery, type Term } from './terms.ts';
import type { Person, SearchQueries } from './search-queries.ts';

/** Ids of messages that may match, newest first. */
export type Source = AsyncIterable<number>;

/** Up to so many messages of all named persons together are read one by one, instead of asking the index. */
const READ_MAX = 5000;

/** The messages that contain all terms. */
export const indexedSource = (queries: SearchQueries, terms: readonly Term[], before: number): Source =>
  queries.readIndexed(containsWords(terms, indexQuery(terms)), before);

async function* inOrder(ids: readonly number[]): AsyncGenerator<number> {
  yield* ids;
}

/** The messages of conversations of some users that contain all terms. */
export async function personsSource(
  queries: SearchQueries,
  userIds: readonly string[],
  terms: readonly Term[],
  before: number,
): Promise<Source> {
  // To look so many accounts up would take longer than the index.
  if (terms.length > 0 && userIds.length > READ_MAX) return indexedOfPersons(queries, userIds, terms, before);
  const persons: Person[] = [];
  for (const id of userIds) {
    const person = await queries.findPerson(id);
    if (person && person.messageCount > 0) persons.push(person);
  }
  if (terms.length === 0) return newestOfPersons(queries, persons, before);
  const count = persons.reduce((sum, { messageCount }) => sum + messageCount, 0);
  if (count > READ_MAX) return indexedOfPersons(queries, userIds, terms, before);
  const ids: number[] = [];
  for (const person of persons)
    for await (const { id, content } of queries.readNewestOf(person, before))
      if (findTerms(content, terms)) ids.push(id);
  return inOrder(ids.toSorted((a, b) => b - a));
}

async function* newestOfPersons(
  queries: SearchQueries,
  persons: readonly Person[],
  before: number,
): AsyncGenerator<number> {
  // Each conversation stands here with its newest message that was not yet returned.
  const heads = new Map<number, Person>();
  const add = async (person: Person, from: number): Promise<void> => {
    const id = await queries.findNewestIdOf(person, from);
    if (id !== null) heads.set(id, person);
  };
  for (const person of persons) await add(person, before);
  while (heads.size > 0) {
    let newest = 0;
    for (const id of heads.keys()) if (id > newest) newest = id;
    const person = heads.get(newest);
    heads.delete(newest);
    if (person) await add(person, newest);
    yield newest;
  }
}

async function* indexedOfPersons(
  queries: SearchQueries,
  userIds: readonly string[],
  terms: readonly Term[],
  before: number,
): AsyncGenerator<number> {
  const ids = new Set(userIds);
  for await (const id of indexedSource(queries, terms, before)) {
    stopIfAbandoned();
    const message = await queries.findMessage(id);
    if (message && ids.has(message.userId)) yield id;
  }
}

/** Joins sources into one; an id that stands in several comes once. */
export async function* joinSources(sources: readonly Source[]): AsyncGenerator<number> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const heads: (number | null)[] = [];
  const advance = async (index: number): Promise<void> => {
    const next = await iterators[index]?.next();
    heads[index] = next && !next.done ? next.value : null;
  };
  try {
    for (const index of iterators.keys()) await advance(index);
    for (;;) {
      let newest = 0;
      for (const id of heads) if (id !== null && id > newest) newest = id;
      if (newest === 0) return;
      for (const [index, id] of heads.entries()) if (id === newest) await advance(index);
      yield newest;
    }
  } finally {
    // An unfinished statement would keep the connection busy.
    for (const iterator of iterators) await iterator.return?.(undefined);
  }
}
