import { and, asc, desc, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { possibleFilters } from '#shared/api/filters.ts';
import { RECORD_SORTS, type RecordSort } from '#shared/api/tax-records/tax-records.ts';
import { listOfNumbers } from '#server/db/many-rows.ts';
import { ignoringCase, jsonList, rowNumber, textsIn, withoutIndex } from '#server/db/dialect.ts';
import { type InParts, keepInParts, keepUntilRecordsChange } from '#server/db/kept-results.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import { keptSums, sumColumns } from '#server/records/record-sum-queries.ts';
import {
  type AdminListQuery,
  byIndexOfFilter,
  conditions,
  hasKeptSums,
  indexOfFilter,
  isAboutSums,
  type PageQuery,
  unkeptConditions,
  withoutUnkept,
} from './admin-filter-queries.ts';
import {
  isAnsweredByShortRows,
  joinListSums,
  KEPT_SEARCHES_MAX,
  listSums,
  type ListSums,
  noSums,
  readKeptListSums,
  readKeptSearchSums,
  readListSums,
  readSearchSums,
} from './admin-sum-queries.ts';
import { listByIds, type RecordSlice } from './list-queries.ts';
import { containsInRecord, isProposedByIndex, matchesInRecords } from './record-search-queries.ts';

export type SummedSlice = Pick<RecordSlice, 'rows'> & ListSums;

const sortColumns: Record<RecordSort, SQL> = {
  created_at: sql`${taxRecords.createdAt}`,
  amount: sql`${taxRecords.amountSen}`,
  year: sql`${taxRecords.year}`,
  name: ignoringCase(taxRecords.name),
  due_date: sql`${taxRecords.dueDate}`,
};

/**
 * A page of all records with the number and sum of all that match (R-REC-12). Runs in the query worker. The ids of the page
 * come from indexes alone; whole rows are read only for them.
 */
export async function readAdminRecords(orm: ConnectionOrTransaction, sentQuery: AdminListQuery): Promise<SummedSlice> {
  const query = possibleFilters(sentQuery);
  if (!query) return { rows: [], ...noSums };
  // One snapshot, so that ids, rows and total agree.
  return readSnapshot(orm, async (tx) => {
    const { ids, sums } = await readPage(tx, query);
    return { rows: await listByIds(tx, ids), ...sums };
  });
}

type ListPage = { ids: string[]; sums: ListSums };

async function readPage(tx: Transaction, query: PageQuery): Promise<ListPage> {
  if (!query.search) return readListed(tx, query);
  if (query.user_id !== undefined) return readFound(tx, query);
  // The deletion of an account hides records without changing them.
  return (await exceptDeletedOwners(tx)) ? readSearched(tx, query) : readKeptSearch(tx, query);
}

async function readListed(tx: Transaction, query: PageQuery): Promise<ListPage> {
  const counted = await exceptDeletedOwners(tx);
  // The deletion of an account hides records without changing them. One owner has few records.
  if (!isAboutSums(query) && query.user_id === undefined)
    return counted ? readFiltered(tx, query) : readKeptFiltered(tx, query);
  return { ids: await selectIds(tx, query), sums: await readListSums(tx, query) };
}

async function selectIds(tx: Transaction, query: PageQuery): Promise<string[]> {
  const where = and(await exceptDeletedOwners(tx), ...conditions(query, 'page'));
  return (await selectPage(tx, query, taxRecords, where).all()).map(({ id }) => id);
}

/** A page by filters of which no sums are kept. */
async function readFiltered(tx: Transaction, query: PageQuery): Promise<ListPage> {
  const { limit: _limit, offset, sort: _sort, ...filters } = query;
  const sums = await ((await exceptDeletedOwners(tx)) ? readListSums : readKeptListSums)(tx, filters);
  if (offset >= sums.all.count) return { ids: [], sums };
  const hasIndex = indexOfFilter(query) !== null;
  const isRare = hasIndex && sums.all.count <= READ_IN_ORDER_MAX;
  const nearBeginning = isRare ? null : await findNearBeginning(tx, query, sums.all.count);
  if (nearBeginning || !hasIndex) return { ids: nearBeginning ?? (await selectIds(tx, query)), sums };
  const last = offset + query.limit;
  // The deletion of an account hides records without changing them.
  if (last > KEPT_BEGINNING_MAX || (await exceptDeletedOwners(tx))) return { ids: await findFiltered(tx, query), sums };
  const beginning = await readKeptBeginning(tx, { ...query, offset: 0, limit: last });
  const isAtBeginning = sql`${taxRecords.id} in ${textsIn(JSON.stringify(beginning))}`;
  return { ids: await findAmong(tx, query, isAtBeginning), sums };
}

async function findFiltered(tx: Transaction, query: PageQuery): Promise<string[]> {
  const where = and(await exceptDeletedOwners(tx), ...conditions(query, 'filter'));
  return findAmong(tx, query, where, byIndexOfFilter(query));
}

/** Pages that end later in the list are sorted anew after each change. */
const KEPT_BEGINNING_MAX = 500;

/** The beginning of the list is among the beginnings of all parts of the records. */
const beginningInParts: InParts<PageQuery, string[], string[]> = {
  read: (tx, query, inPart) => findAmong(tx, query, and(inPart, ...conditions(query, 'search'))),
  join: (parts) => parts.flat(),
};

/** These pages read up to all records, so each is kept until a record changes. */
const KEPT_PAGES_MAX = 50;
const readKeptFiltered = keepUntilRecordsChange(readFiltered, KEPT_PAGES_MAX);
const readKeptBeginning = keepInParts(findFiltered, beginningInParts, KEPT_PAGES_MAX);
const readKeptSearch = keepUntilRecordsChange(readSearched, KEPT_SEARCHES_MAX);

async function readSearched(tx: Transaction, query: PageQuery): Promise<ListPage> {
  const isShort = await isAnsweredByShortRows(tx, query);
  // The proposals of the index are read once for a first page and for the sums.
  if (!isShort && query.offset === 0 && isProposedByIndex(query.search ?? '')) return readFound(tx, query);
  const { limit: _limit, offset, sort: _sort, ...filters } = query;
  const read = (await exceptDeletedOwners(tx)) ? readSearchSums : readKeptSearchSums;
  const { sums, rowids } = await read(tx, filters);
  if (offset >= sums.all.count) return { ids: [], sums };
  if (rowids) return { ids: await findAmong(tx, query, isAmong(query, rowids)), sums };
  const nearBeginning = await findNearBeginning(tx, query, sums.all.count);
  return { ids: nearBeginning ?? (await findAmong(tx, query, await isFound(tx, query))), sums };
}

/** Reading so many records in the order of the list takes about 20 ms on a quiet computer. */
const READ_IN_ORDER_MAX = 20_000;
/** The found records need not be spread evenly over the list. */
const UNEVEN_FACTOR = 3;

/** @returns the ids of a page if it is full of what stands near the beginning of the list; null: it was not found there */
async function findNearBeginning(tx: Transaction, query: PageQuery, found: number): Promise<string[] | null> {
  const wanted = Math.min(query.limit, found - query.offset);
  const read =
    Math.ceil((UNEVEN_FACTOR * (query.offset + wanted) * (await countAtMost(tx, query))) / found) + query.limit;
  if (read > READ_IN_ORDER_MAX) return null;
  const { id, createdAt, name, year, dueDate, amountSen } = taxRecords;
  const isWanted = sql`(${and(query.search ? containsInRecord(query.search) : undefined, ...unkeptConditions(query, withoutIndex))})`;
  const first = tx
    .select({ id, createdAt, name, year, dueDate, amountSen, isFound: isWanted.as('is_found') })
    .from(taxRecords)
    .where(and(await exceptDeletedOwners(tx), ...conditions(withoutUnkept(query), 'page')))
    .orderBy(...orderByTerms(query))
    .limit(read);
  const ids = await selectPage(tx, query, namedLikeRecords(sql`${first}`), sql`is_found`).all();
  return ids.length === wanted ? ids.map((row) => row.id) : null;
}

/** @returns the number of records in the list without its search, or a larger one where that would have to be counted */
async function countAtMost(tx: Transaction, sentQuery: PageQuery): Promise<number> {
  const query = withoutUnkept(sentQuery);
  if (!(await hasKeptSums(tx, query)))
    return (await tx.value<number | null>(sql`select max(${rowNumber(taxRecords)}) from ${taxRecords}`)) ?? 0;
  const { from, columns } = keptSums(undefined);
  const row = await tx
    .select({ count: columns().count })
    .from(from)
    .where(and(...conditions(query, 'sum')))
    .get();
  return row?.count ?? 0;
}

async function isFound(tx: Transaction, query: PageQuery): Promise<SQL | undefined> {
  const term = query.search ?? '';
  // Of one owner all records are read.
  const matches = query.user_id ? containsInRecord(term) : await matchesInRecords(tx, term);
  return and(await exceptDeletedOwners(tx), ...conditions(query, 'search'), matches);
}

/** The columns that orders and sums of found records need. */
function selectFound(tx: Transaction, where: SQL | undefined, from: SQLiteTable | SQL = taxRecords) {
  const { id, createdAt, name, year, dueDate, amountSen, amountSource, status, checkState } = taxRecords;
  const columns = [id, createdAt, name, year, dueDate, amountSen, amountSource, status, checkState];
  return (
    tx
      .select(Object.fromEntries(columns.map((column) => [column.name, sql`${column}`.as(column.name)])))
      .from(from)
      .where(where)
      // No limit; but with one, SQLite keeps the rows for both uses instead of searching twice.
      .limit(Number.MAX_SAFE_INTEGER)
  );
}

/** Named like the table whose columns it has. */
const namedLikeRecords = (records: SQL): SQL => sql`${records} as ${sql.identifier(getTableName(taxRecords))}`;

const isAmong = (query: PageQuery, rowids: readonly number[]): SQL | undefined =>
  and(...conditions(query, 'search'), sql`${rowNumber(taxRecords)} in ${listOfNumbers(rowids)}`);

async function findAmong(
  tx: Transaction,
  query: PageQuery,
  where: SQL | undefined,
  from?: SQLiteTable | SQL,
): Promise<string[]> {
  const records = namedLikeRecords(sql`${selectFound(tx, where, from)}`);
  const ids = await selectPage(tx, query, records, undefined).all();
  return ids.map(({ id }) => id);
}

/** The records that a search finds are read once, for the page and for the sums. */
async function readFound(tx: Transaction, query: PageQuery): Promise<ListPage> {
  const found = selectFound(tx, await isFound(tx, query));
  const records = namedLikeRecords(sql`found`);
  const page = selectPage(tx, query, records, undefined);
  const row = await tx
    .with(tx.$with('found').as(found))
    .select({ ...listSums(sumColumns), ids: sql<string>`(select ${jsonList(sql`id`)} from ${page})` })
    .from(records)
    .get();
  if (!row) return { ids: [], sums: noSums };
  const { ids, ...sums } = row;
  return { ids: JSON.parse(ids), sums: joinListSums(sums) };
}

function selectPage(tx: Transaction, query: PageQuery, from: SQLiteTable | SQL, where: SQL | undefined) {
  return tx
    .select({ id: sql<string>`${taxRecords.id}` })
    .from(from)
    .where(where)
    .orderBy(...orderByTerms(query))
    .limit(query.limit)
    .offset(query.offset);
}

function orderByTerms({ sort = '-created_at' }: Pick<PageQuery, 'sort'>): SQL[] {
  const sortKey = RECORD_SORTS.find((name) => sort === name || sort === `-${name}`) ?? 'created_at';
  const direction = sort.startsWith('-') ? desc : asc;
  // Records without a due date come last in both directions, because a sort by date is not about them.
  const primary =
    sortKey === 'due_date' ? sql`${direction(taxRecords.dueDate)} nulls last` : direction(sortColumns[sortKey]);
  // The index of years is continued by the time of creation.
  return sortKey === 'year'
    ? [primary, direction(taxRecords.createdAt), direction(taxRecords.id)]
    : [primary, direction(taxRecords.id)];
}
