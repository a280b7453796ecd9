import { and, asc, type AnyColumn, desc, eq, getTableName, gte, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { VerificationFilter } from '#shared/domain/tax-records/verification-states.ts';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import { RECORD_SORTS, type AdminRecordsQuery, type RecordSort } from '#shared/api/tax-records/tax-records.ts';
import { mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { listOfNumbers } from '#server/db/many-rows.ts';
import { byIndex, ignoringCase, jsonList, rowNumber, withoutIndex } from '#server/db/dialect.ts';
import { keepUntilRecordsChange } from '#server/db/kept-results.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import {
  EMPTY_SUM,
  isEstimate,
  isPaid,
  joinPaid,
  joinSum,
  keptSums,
  noPaid,
  paidColumns,
  type PaidSum,
  type RecordSum,
  sumColumns,
  summedRecords,
  sumsExcept,
  sumsOfSearched,
  subtractSum,
} from '#server/records/record-sum-queries.ts';
import { listByIds, type RecordSlice, type LimitOffset } from './list-queries.ts';
import {
  containsInRecord,
  isProposedByIndex,
  lacksFrequentTerm,
  matchesInRecords,
  matchesInSearched,
} from './record-search-queries.ts';

/** `today`: the calendar date in the server's time zone. */
export type AdminListQuery = Omit<AdminRecordsQuery, 'limit' | 'page'> & LimitOffset & { today: string };
type Filters = PossibleFilters<AdminListQuery>;
/** The sums are those of all records that match, not only those of the page. */
type ListSums = { all: RecordSum; paid: PaidSum; estimated: RecordSum };
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
    const { ids, sums } = await readPart(tx, query);
    return { rows: await listByIds(tx, ids), ...sums };
  });
}

const noSums: ListSums = { all: EMPTY_SUM, paid: noPaid, estimated: EMPTY_SUM };
type ListPart = { ids: string[]; sums: ListSums };

async function readPart(tx: Transaction, query: Filters): Promise<ListPart> {
  if (!query.search) return readListed(tx, query);
  if (query.user_id !== undefined) return readFound(tx, query);
  // The deletion of an account hides records without changing them.
  return (await exceptDeletedOwners(tx)) ? readSearched(tx, query) : readKeptSearch(tx, query);
}

async function readListed(tx: Transaction, query: Filters): Promise<ListPart> {
  const counted = await exceptDeletedOwners(tx);
  // The deletion of an account hides records without changing them. One owner has few records.
  if (!isAboutSums(query) && query.user_id === undefined)
    return counted ? readFiltered(tx, query) : readKeptFiltered(tx, query);
  return { ids: await selectIds(tx, query), sums: await readListSums(tx, query) };
}

async function selectIds(tx: Transaction, query: Filters): Promise<string[]> {
  const where = and(await exceptDeletedOwners(tx), ...conditions(query, 'page'));
  return (await selectPage(tx, query, taxRecords, where).all()).map(({ id }) => id);
}

async function readListSums(tx: Transaction, filters: SearchFilters): Promise<ListSums> {
  const counted = await exceptDeletedOwners(tx);
  const isKept = isAboutSums(filters);
  // Records with a proof have an index, and all others have the rest of the kept sums.
  if (filters.proof === false && isAboutSums({ ...filters, proof: undefined }) && !counted)
    return subtract(
      await readListSums(tx, { ...filters, proof: undefined }),
      await readKeptListSums(tx, { ...filters, proof: true }),
    );
  const { from, columns } = isKept ? keptSums(counted) : summedRecords;
  const row = await tx
    .select(listSums(columns))
    .from(isKept ? from : byIndexOfFilter(filters))
    .where(and(counted, ...conditions(filters, isKept ? 'sum' : 'filter')))
    .get();
  return row ? joinListSums(row) : noSums;
}

const subtract = (from: ListSums, less: ListSums): ListSums => ({
  all: subtractSum(from.all, less.all),
  paid: mapCheckedParts((part) => subtractSum(from.paid[part], less.paid[part])),
  estimated: subtractSum(from.estimated, less.estimated),
});

/** A page by filters of which no sums are kept. */
async function readFiltered(tx: Transaction, query: Filters): Promise<ListPart> {
  const { limit: _limit, offset, sort: _sort, ...filters } = query;
  const sums = await ((await exceptDeletedOwners(tx)) ? readListSums : readKeptListSums)(tx, filters);
  if (offset >= sums.all.count) return { ids: [], sums };
  const hasIndex = indexOfFilter(query) !== null;
  const isRare = hasIndex && sums.all.count <= READ_IN_ORDER_MAX;
  const nearBeginning = isRare ? null : await findNearBeginning(tx, query, sums.all.count);
  if (nearBeginning || !hasIndex) return { ids: nearBeginning ?? (await selectIds(tx, query)), sums };
  const where = and(await exceptDeletedOwners(tx), ...conditions(query, 'filter'));
  return { ids: await findAmong(tx, query, where, byIndexOfFilter(query)), sums };
}

const KEPT_FILTERS_MAX = 50;

/** These sums read up to all records, so a page is kept until a record changes, and the sums for the other pages. */
const readKeptFiltered = keepUntilRecordsChange(readFiltered, KEPT_FILTERS_MAX);
const readKeptListSums = keepUntilRecordsChange(readListSums, KEPT_FILTERS_MAX);

/** The index with the records of a filter of which no sums are kept; null: there is none. */
function indexOfFilter({ proof, payment_from, payment_to, user_id }: SearchFilters): string | null {
  if (user_id !== undefined) return null;
  if (payment_from || payment_to) return 'tax_records_payment';
  return proof === true ? 'tax_records_proof' : null;
}

function byIndexOfFilter(filters: SearchFilters): SQLiteTable | SQL {
  const index = indexOfFilter(filters);
  return index === null ? taxRecords : byIndex(taxRecords, index);
}

/** Each letter that is typed makes another search. */
const KEPT_SEARCHES_MAX = 100;

type SearchFilters = Omit<Filters, 'limit' | 'offset' | 'sort'>;

/** The same page again costs nothing, and another page no sums, until a record changes. */
const readKeptSearch = keepUntilRecordsChange(readSearched, KEPT_SEARCHES_MAX);
const readKeptSearchSums = keepUntilRecordsChange(readSearchSums, KEPT_SEARCHES_MAX);

async function readSearched(tx: Transaction, query: Filters): Promise<ListPart> {
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

/** Whether the short rows of the records answer the sums. Where all records are compared, their whole rows do so sooner. */
async function isAnsweredByShortRows(tx: Transaction, query: SearchFilters): Promise<boolean> {
  return isProposedByIndex(query.search ?? '') && (await hasKeptSums(tx, query));
}

/** `rowids`: of the records that contain the term, where they are known and few. Other filters may exclude some. */
type SearchSums = { sums: ListSums; rowids: number[] | null };

async function readSearchSums(tx: Transaction, filters: SearchFilters): Promise<SearchSums> {
  const term = filters.search ?? '';
  const { source, rowids } = await sourceOfSearch(tx, filters);
  const where =
    source !== summedRecords
      ? conditions(filters, 'sum')
      : [await exceptDeletedOwners(tx), ...conditions(filters, 'search'), await matchesInRecords(tx, term)];
  const row = await tx
    .select(listSums(source.columns))
    .from(source.from)
    .where(and(...where))
    .get();
  return { sums: row ? joinListSums(row) : noSums, rowids };
}

async function sourceOfSearch(tx: Transaction, filters: SearchFilters) {
  const term = filters.search ?? '';
  const lacks = (await hasKeptSums(tx, filters)) ? await lacksFrequentTerm(tx, term) : null;
  if (lacks) return { source: await sumsExcept(tx, lacks), rowids: null };
  if (await isAnsweredByShortRows(tx, filters)) return sumsOfSearched(tx, await matchesInSearched(tx, term));
  return { source: summedRecords, rowids: null };
}

/** Reading so many records in the order of the list takes about 20 ms on a quiet computer. */
const READ_IN_ORDER_MAX = 20_000;
/** The found records need not be spread evenly over the list. */
const UNEVEN_FACTOR = 3;

/** @returns the ids of a page if it is full of what stands near the beginning of the list; null: it was not found there */
async function findNearBeginning(tx: Transaction, query: Filters, found: number): Promise<string[] | null> {
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
async function countAtMost(tx: Transaction, sentQuery: Filters): Promise<number> {
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

async function isFound(tx: Transaction, query: Filters): Promise<SQL | undefined> {
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

const isAmong = (query: Filters, rowids: readonly number[]): SQL | undefined =>
  and(...conditions(query, 'search'), sql`${rowNumber(taxRecords)} in ${listOfNumbers(rowids)}`);

async function findAmong(
  tx: Transaction,
  query: Filters,
  where: SQL | undefined,
  from?: SQLiteTable | SQL,
): Promise<string[]> {
  const records = namedLikeRecords(sql`${selectFound(tx, where, from)}`);
  const ids = await selectPage(tx, query, records, undefined).all();
  return ids.map(({ id }) => id);
}

/** The records that a search finds are read once, for the page and for the sums. */
async function readFound(tx: Transaction, query: Filters): Promise<ListPart> {
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

function selectPage(tx: Transaction, query: Filters, from: SQLiteTable | SQL, where: SQL | undefined) {
  return tx
    .select({ id: sql<string>`${taxRecords.id}` })
    .from(from)
    .where(where)
    .orderBy(...orderByTerms(query))
    .limit(query.limit)
    .offset(query.offset);
}

/** Whether all filters ask for columns by which sums are kept, and these count what the list shows. */
async function hasKeptSums(tx: Transaction, query: SearchFilters): Promise<boolean> {
  return isAboutSums(query) && (await exceptDeletedOwners(tx)) === undefined;
}

function isAboutSums({ user_id, proof, payment_from, payment_to }: SearchFilters): boolean {
  return [user_id, proof, payment_from, payment_to].every((filter) => filter === undefined || filter === '');
}

const withoutUnkept = <F extends SearchFilters>(filters: F): F => ({
  ...filters,
  proof: undefined,
  payment_from: undefined,
  payment_to: undefined,
});

const listSums = (columns: typeof sumColumns) => ({
  all: columns(),
  ...paidColumns(columns),
  estimated: columns(sql`not ${isPaid} and ${isEstimate}`),
});

type ListSumRow = Record<'all' | 'estimated' | keyof PaidSum, Parameters<typeof joinSum>[0]>;

const joinListSums = ({ all, estimated, ...parts }: ListSumRow): ListSums => ({
  all: joinSum(all),
  paid: joinPaid(parts),
  estimated: joinSum(estimated),
});

/**
 * The page comes from an index in the order of the list, the sum from an index that holds the amount, and a search from its
 * own index: each needs its own choice. A plus keeps SQLite from using the index of its column.
 */
function conditions(filters: SearchFilters, purpose: 'page' | 'sum' | 'filter' | 'search'): (SQL | undefined)[] {
  const { status, property_type, year, user_id, outstanding, unpaid, verification, today, ...ranges } = filters;
  const isSearch = purpose === 'search' || purpose === 'filter';
  // One owner has few records, so the index of the owner is always best.
  const equals = (column: AnyColumn, value: string | number | undefined, isIndexUsed: boolean): SQL | undefined => {
    if (value === undefined) return undefined;
    return isIndexUsed && !user_id ? sql`${column} = ${value}` : sql`${withoutIndex(column)} = ${value}`;
  };
  const ranged = (column: AnyColumn): SQL => (isSearch ? withoutIndex(column) : sql`${column}`);
  const { dueDate } = taxRecords;
  // The index of the check is in the order of the list and holds the amounts, but only within one state.
  const isByState = !isSearch && verification?.length === 1 && !user_id && (purpose === 'page' || year === undefined);
  const isPage = purpose === 'page' && !isByState;
  return [
    user_id ? eq(taxRecords.userId, user_id) : undefined,
    verification ? isInStates(verification, isByState) : undefined,
    // True of every record. Of the indexes that begin with the state, it makes SQLite take the one with the amounts.
    isByState && purpose === 'page' ? gte(taxRecords.createdAt, 0) : undefined,
    equals(taxRecords.status, status, isPage),
    equals(taxRecords.propertyType, property_type, isPage),
    // Both the page and the sums have an index that begins with the year.
    equals(taxRecords.year, year, !isByState && !isSearch),
    unpaid || outstanding ? sql`${withoutIndex(taxRecords.status)} <> 'lunas'` : undefined,
    outstanding ? isPastDue(today) : undefined,
    ranges.due_from ? sql`${ranged(dueDate)} >= ${ranges.due_from}` : undefined,
    ranges.due_to ? sql`${ranged(dueDate)} <= ${ranges.due_to}` : undefined,
    ...unkeptConditions(filters, purpose === 'filter' ? (column) => sql`${column}` : withoutIndex),
  ];
}

/** Those of the filters of which no sums are kept. */
function unkeptConditions(
  { proof, payment_from, payment_to }: SearchFilters,
  read: (column: AnyColumn) => SQL,
): (SQL | undefined)[] {
  const [file, date] = [read(taxRecords.proofFile), read(taxRecords.paymentDate)];
  return [
    proof === undefined ? undefined : proof ? sql`${file} is not null` : sql`${file} is null`,
    payment_from ? sql`${date} >= ${payment_from}` : undefined,
    payment_to ? sql`${date} <= ${payment_to}` : undefined,
  ];
}

function isInStates(wanted: readonly VerificationFilter[], isIndexUsed: boolean): SQL | undefined {
  const state = isIndexUsed ? sql`${taxRecords.checkState}` : withoutIndex(taxRecords.checkState);
  return or(
    ...wanted.map((value) =>
      value === 'matched_unpaid'
        ? sql`(${state} = 'matched' and ${withoutIndex(taxRecords.status)} <> 'lunas')`
        : sql`${state} = ${value}`,
    ),
  );
}

/** The dates of the rule in shared/domain/tax-records/overdue.ts (R-REC-4); a test compares the two. */
function isPastDue(today: string): SQL {
  const { dueDate, year } = taxRecords;
  return sql`case when ${dueDate} is null then ${year} < ${yearOf(today)} else ${dueDate} < ${today} end`;
}

function orderByTerms({ sort = '-created_at' }: Pick<Filters, 'sort'>): SQL[] {
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
