import type { Candidate } from '#shared/api/dhkp/linking.ts';
import { MATCH_REASONS, type MatchReason, scoreOf } from '#shared/domain/dhkp/match-reasons.ts';
import { addressKey, isBeginningOf, isPossiblyCut, nameKey, nameWords } from '#shared/domain/dhkp/name-match.ts';
import { findNop } from '#shared/domain/dhkp/nop.ts';
import { CANDIDATES_MAX } from '#shared/limits.ts';
import type { RecordName, UnlinkedObject, Wanted } from './match-queries.ts';

/** Compares objects without an account with accounts and their records (R-DHKP-30). */

type Sources = {
  year: number;
  objects: readonly UnlinkedObject[];
  users: readonly { id: string; name: string }[];
  records: readonly RecordName[];
};
export type FoundMatch = { object: UnlinkedObject; candidates: Candidate[] };

/** Objects with candidates, the best ones first, and then in the order of their NOPs. */
export function findMatches({ year, objects, users, records }: Sources): FoundMatch[] {
  const nameOf = new Map(users.map(({ id, name }) => [id, name]));
  const own = records.filter(({ userId }) => nameOf.has(userId)).toSorted(byCloseness(year));
  const index = indexNames(users, own);
  const byNop = Map.groupBy(
    own.filter(({ sptNumber }) => findNop(sptNumber) !== null),
    ({ sptNumber }) => findNop(sptNumber) ?? '',
  );
  const recordsOf = Map.groupBy(own, ({ userId }) => userId);

  return objects
    .flatMap((object) => {
      const found = new Map<string, Found>();
      const add = (userId: string, reason: MatchReason, recordId: string | null): void => {
        const before = found.get(userId) ?? { reasons: new Set(), recordId: null };
        before.reasons.add(reason);
        found.set(userId, { ...before, recordId: before.recordId ?? recordId });
      };
      for (const { userId, id } of byNop.get(object.nop) ?? []) add(userId, 'nop', id);
      for (const { userId, recordId } of index.find(object.name)) add(userId, 'name', recordId);
      // Many accounts have the same street, so an equal address alone is no reason to propose one.
      const places = new Set(object.addresses.map((address) => addressKey(address ?? '')).filter((key) => key !== ''));
      for (const userId of found.keys()) {
        const near = (recordsOf.get(userId) ?? []).find(({ address }) => places.has(addressKey(address)));
        if (near) add(userId, 'address', near.id);
      }
      const candidates = rank(found, nameOf);
      return candidates.length === 0 ? [] : [{ object, candidates }];
    })
    .toSorted((a, b) => best(b) - best(a) || (a.object.nop < b.object.nop ? -1 : 1));
}

/** Tells which names and numbers `findMatches` may find for these objects. */
export function wantedFor(objects: readonly UnlinkedObject[]): Wanted {
  const nops = new Set(objects.map(({ nop }) => nop));
  const keys = new Set<string>();
  const beginnings = new Map<string, (readonly string[])[]>();
  for (const { name } of objects) {
    if (name === null) continue;
    const words = nameWords(name);
    const [first] = words;
    keys.add(nameKey(words));
    if (isPossiblyCut(name) && words.length >= 2 && first !== undefined)
      beginnings.set(first, [...(beginnings.get(first) ?? []), words]);
  }
  keys.delete('');
  return {
    isName(name) {
      const words = nameWords(name);
      if (keys.has(nameKey(words))) return true;
      if (beginnings.size === 0) return false;
      return words.some((word) => beginnings.get(word)?.some((cut) => isBeginningOf(cut, words)));
    },
    isNumber(sptNumber) {
      const nop = findNop(sptNumber);
      return nop !== null && nops.has(nop);
    },
  };
}

type Found = { reasons: Set<MatchReason>; recordId: string | null };

const best = ({ candidates: [first] }: FoundMatch): number => first?.score ?? 0;

function rank(found: ReadonlyMap<string, Found>, nameOf: ReadonlyMap<string, string>): Candidate[] {
  return [...found]
    .map(([id, { reasons, recordId }]) => {
      const named = MATCH_REASONS.filter((reason) => reasons.has(reason));
      return {
        user: { id, name: nameOf.get(id) ?? '' },
        record_id: recordId,
        reasons: named,
        score: scoreOf(named),
      };
    })
    .toSorted((a, b) => b.score - a.score || (a.user.id < b.user.id ? -1 : 1))
    .slice(0, CANDIDATES_MAX);
}

/** The year of the list first, then the newest. */
const byCloseness =
  (year: number) =>
  (a: RecordName, b: RecordName): number =>
    Number(b.year === year) - Number(a.year === year) || b.year - a.year || (a.id < b.id ? -1 : 1);

type Named = { userId: string; recordId: string | null };

/** The accounts by the words of their names, and of the names on their records. */
function indexNames(users: Sources['users'], records: readonly RecordName[]) {
  const byKey = new Map<string, { words: readonly string[]; named: Named[] }>();
  const keysOf = new Map<string, string>();
  const byWord = new Map<string, Set<string>>();

  function add(name: string, named: Named): void {
    const known = keysOf.get(name);
    const words = known === undefined ? nameWords(name) : (byKey.get(known)?.words ?? []);
    const key = known ?? nameKey(words);
    keysOf.set(name, key);
    if (key === '') return;
    const entry = byKey.get(key) ?? { words, named: [] };
    entry.named.push(named);
    byKey.set(key, entry);
    for (const word of words) byWord.set(word, (byWord.get(word) ?? new Set()).add(key));
  }

  for (const { id, userId, name } of records) add(name, { userId, recordId: id });
  for (const { id, name } of users) add(name, { userId: id, recordId: null });

  return {
    find(name: string | null): Named[] {
      if (name === null) return [];
      const words = nameWords(name);
      const equal = byKey.get(nameKey(words))?.named ?? [];
      const [first] = words;
      if (!isPossiblyCut(name) || words.length < 2 || first === undefined) return equal;
      const longer = [...(byWord.get(first) ?? [])].flatMap((key) => {
        const entry = byKey.get(key);
        return entry && isBeginningOf(words, entry.words) ? entry.named : [];
      });
      return [...equal, ...longer];
    },
  };
}
