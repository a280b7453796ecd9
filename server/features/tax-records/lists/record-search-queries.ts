import { and, or, type SQL, sql } from 'drizzle-orm';
import { otherNopForms } from '#shared/domain/dhkp/nop.ts';
import { hasTrigramTables, anyContains, containsText, matchOfTrigrams, trigramsOf } from '#server/db/search.ts';
import { byIndex, rowNumber } from '#server/db/dialect.ts';
import { listOfNumbers } from '#server/db/many-rows.ts';
import type { Transaction } from '#server/db/engine.ts';
import { searchedRecords, taxRecords } from '#server/db/schema.ts';
import { pendingRowids } from '#server/records/record-index-queries.ts';

/**
 * A search finds a record by its name, address or number, or by the name of its owner (R-REC-12). The index proposes records, those
 * that it does not hold as they are come beside them, and the texts decide (docs/decisions/022-kept-sums-and-trigrams.md).
 */

/** Whether the index can propose the records with this term. Otherwise all records are compared. */
export const isProposedByIndex = (term: string): boolean => trigramsOf(term).length > 0;

/** The first records tell how frequent a part of the term is. */
const SAMPLE_ROWS = 1024;
/** To ask for a part that more records have takes longer than to compare the few more records that are proposed without it. */
const FREQUENT_SHARE = 0.25;

async function chooseTrigrams(tx: Transaction, term: string): Promise<string[]> {
  // A parameter would be a number with a fraction, by which FTS5 does not stop.
  const isInSample = sql.raw(`rowid <= ${SAMPLE_ROWS}`);
  const counted: { trigram: string; count: number }[] = [];
  for (const trigram of trigramsOf(term)) {
    const match = matchOfTrigrams([trigram]);
    const count = sql`select count(*) from record_words where record_words match ${match} and ${isInSample}`;
    counted.push({ trigram, count: (await tx.value<number>(count)) ?? 0 });
  }
  const [rarest, ...others] = counted.toSorted((a, b) => a.count - b.count);
  const rare = others.filter(({ count }) => count < FREQUENT_SHARE * SAMPLE_ROWS);
  return (rarest ? [rarest, ...rare] : []).map(({ trigram }) => trigram);
}

async function isProposed(tx: Transaction, rowid: SQL, term: string): Promise<SQL | undefined> {
  if (!isProposedByIndex(term) || !hasTrigramTables(tx)) return undefined;
  const questions: string[] = [];
  for (const form of [term, ...otherNopForms(term)])
    questions.push(`(${matchOfTrigrams(await chooseTrigrams(tx, form))})`);
  const match = questions.join(' OR ');
  return sql`${rowid} in (select rowid from record_words where record_words match ${match} union all ${pendingRowids})`;
}

/** The shares of records with a term from which on the few others are summed. */
const MOST_SHARE = 0.7;
const NEARLY_ALL_SHARE = 0.95;
/** Others beyond this number are not worth a list. */
const OTHERS_MAX = 50_000;

/**
 * A condition on `searched_records` for those without a term that most records contain, such as the beginning of all numbers of an
 * office: their sums are found sooner than those of the records with it.
 * @returns null: not most records contain it
 */
export async function lacksFrequentTerm(tx: Transaction, term: string): Promise<SQL | null> {
  const { inNumber, inName, inAny } = await readShares(tx, term);
  const lacks = sql`(${matchesInTexts(term)}) is not true`;
  if (inNumber < NEARLY_ALL_SHARE && inAny < MOST_SHARE) return null;
  // The short rows hold names alone, and to look at the other texts of most of them takes longer than to read these in order.
  if (inNumber < NEARLY_ALL_SHARE && inName >= MOST_SHARE) return lacks;
  const others = await (inNumber < NEARLY_ALL_SHARE ? listOthers : listOtherNumbers)(tx, term);
  if (others) return sql`${searchedRecords.recordRowid} in ${listOfNumbers(others)} and ${lacks}`;
  return inAny >= MOST_SHARE ? lacks : null;
}

/** The shares of a sample of all records that contain a term in the number, in the name, and in any text. */
async function readShares(tx: Transaction, term: string): Promise<Record<'inNumber' | 'inName' | 'inAny', number>> {
  const last = (await tx.value<number | null>(sql`select max(${rowNumber(taxRecords)}) from ${taxRecords}`)) ?? 0;
  const sample = Array.from({ length: SAMPLE_ROWS }, (_, index) => Math.ceil(((index + 1) * last) / SAMPLE_ROWS));
  const counts = sql<number>`count(*) filter (where ${containsTerm([taxRecords.sptNumber], term)})`;
  const row = await tx
    .select({
      all: sql<number>`count(*)`,
      inNumber: counts,
      inName: sql<number>`count(*) filter (where ${containsText(taxRecords.name, term)})`,
      inAny: sql<number>`count(*) filter (where ${containsInRecord(term)})`,
    })
    .from(taxRecords)
    .where(sql`${rowNumber(taxRecords)} in ${listOfNumbers([...new Set(sample)])}`)
    .get();
  const share = (count = 0): number => count / Math.max(1, row?.all ?? 0);
  return { inNumber: share(row?.inNumber), inName: share(row?.inName), inAny: share(row?.inAny) };
}

/** The records whose number does not contain a term, from an index; null: too many. */
const listOtherNumbers = (tx: Transaction, term: string): Promise<number[] | null> =>
  listWithout(tx, byIndex(taxRecords, 'tax_records_user_year'), containsTerm([taxRecords.sptNumber], term));

/** The records that do not contain a term in a text of their own; null: too many. */
const listOthers = (tx: Transaction, term: string): Promise<number[] | null> =>
  listWithout(tx, sql`${taxRecords}`, containsTerm([taxRecords.address, taxRecords.name, taxRecords.sptNumber], term));

async function listWithout(tx: Transaction, from: SQL, contains: SQL): Promise<number[] | null> {
  const found = await tx.tuples<[number]>(
    sql`select ${rowNumber(taxRecords)} from ${from} where not ${contains} limit ${OTHERS_MAX + 1}`,
  );
  return found.length > OTHERS_MAX ? null : found.map(([rowid]) => rowid);
}

/** Whether one of the columns contains the term, or the number another form of the NOP that it names. */
function containsTerm(columns: Parameters<typeof anyContains>[0], term: string): SQL {
  const inOtherForms = otherNopForms(term).map((form) => containsText(taxRecords.sptNumber, form));
  return sql`(${sql.join([anyContains(columns, term), ...inOtherForms], sql` or `)})`;
}

/** Short rows with the term. */
export const matchesInSearched = async (tx: Transaction, term: string): Promise<SQL | undefined> =>
  and(await isProposed(tx, sql`${searchedRecords.recordRowid}`, term), matchesInTexts(term));

/** Nearly all names are those of the owners, and are compared in the short row alone. */
function matchesInTexts(term: string): SQL | undefined {
  const { recordRowid, name, ownerName } = searchedRecords;
  const { address, sptNumber } = taxRecords;
  const inOtherTexts = sql`exists (select 1 from ${taxRecords}
    where ${rowNumber(taxRecords)} = ${recordRowid} and ${containsTerm([address, sptNumber], term)})`;
  return or(anyContains([name, ownerName], term), inOtherTexts);
}

/** The same for whole records, of which a filter reads other columns. */
export const matchesInRecords = async (tx: Transaction, term: string): Promise<SQL | undefined> =>
  and(await isProposed(tx, rowNumber(taxRecords), term), containsInRecord(term));

/** The same without the index, for a few records. */
export function containsInRecord(term: string): SQL {
  const { name, address, sptNumber } = taxRecords;
  const { recordRowid, ownerName } = searchedRecords;
  return sql`(${containsTerm([name, address, sptNumber], term)} or exists (select 1 from ${searchedRecords}
    where ${recordRowid} = ${rowNumber(taxRecords)} and ${containsText(ownerName, term)}))`;
}
