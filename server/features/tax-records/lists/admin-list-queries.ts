import { and, asc, type AnyColumn, desc, eq, getTableName, gte, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { otherNopForms } from '#shared/domain/dhkp/nop.ts';
import type { VerificationFilter } from '#shared/domain/tax-records/verification-states.ts';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import { RECORD_SORTS, type AdminRecordsQuery, type RecordSort } from '#shared/api/tax-records/tax-records.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { keepUntilRecordsChange } from '#server/db/kept-results.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { userContains } from '#server/accounts/user-search-queries.ts';
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
} from '#server/records/record-sum-queries.ts';
import { pendingRowids } from '#server/records/record-index-queries.ts';
import { listByIds, type RecordSlice, type LimitOffset } from './list-queries.ts';
import { containsText, trigramQuery } from '#server/db/search.ts';

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
  name: sql`${taxRecords.name} collate nocase`,
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
  const ids = await selectPage(tx, query, taxRecords, and(counted, ...conditions(query, 'page'))).all();
  const { from, columns } = isAboutSums(query) ? keptSums(counted) : summedRecords;
  const row = await tx
    .select(listSums(columns))
    .from(from)
    .where(and(counted, ...conditions(query, 'sum')))
    .get();
  return { ids: ids.map(({ id }) => id), sums: row ? joinListSums(row) : noSums };
}

/** Each letter that is typed makes another search. */
const KEPT_SEARCHES_MAX = 100;

type SearchFilters = Omit<Filters, 'limit' | 'offset' | 'sort'>;

/** The same page again costs nothing, and another page no sums, until a record changes. */
const readKeptSearch = keepUntilRecordsChange(readSearched, KEPT_SEARCHES_MAX);
const readKeptSearchSums = keepUntilRecordsChange(readSearchSums, KEPT_SEARCHES_MAX);

async function readSearched(tx: Transaction, query: Filters): Promise<ListPart> {
  const isProposed = proposalQuery(query.search ?? '') !== null;
  // The proposals of the index are read once for a first page and for the sums.
  if (isProposed && query.offset === 0) return readFound(tx, query);
  const { limit: _limit, offset, sort: _sort, ...filters } = query;
  const sums = await ((await exceptDeletedOwners(tx)) ? readSearchSums(tx, filters) : readKeptSearchSums(tx, filters));
  if (offset >= sums.all.count) return { ids: [], sums };
  const nearBeginning = await findNearBeginning(tx, query, sums.all.count);
  return { ids: nearBeginning ?? (await readFound(tx, query)).ids, sums };
}

async function readSearchSums(tx: Transaction, filters: SearchFilters): Promise<ListSums> {
  const row = await tx
    .select(listSums(sumColumns))
    .from(taxRecords)
    .where(and(await exceptDeletedOwners(tx), ...conditions(filters, 'search'), matchesSearch(tx, filters)))
    .get();
  return row ? joinListSums(row) : noSums;
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
  const first = tx
    .select({ id, createdAt, name, year, dueDate, amountSen, isFound: isFoundAlone(query.search ?? '').as('is_found') })
    .from(taxRecords)
    .where(and(await exceptDeletedOwners(tx), ...conditions(query, 'page')))
    .orderBy(...orderByTerms(query))
    .limit(read);
  const records = sql`${first} as ${sql.identifier(getTableName(taxRecords))}`;
  const ids = await selectPage(tx, query, records, sql`is_found`).all();
  return ids.length === wanted ? ids.map((row) => row.id) : null;
}

/** @returns the number of records in the list without its search, or a larger one where that would have to be counted */
async function countAtMost(tx: Transaction, query: Filters): Promise<number> {
  if ((await exceptDeletedOwners(tx)) || !isAboutSums(query))
    return (await tx.value<number | null>(sql`select max(rowid) from ${taxRecords}`)) ?? 0;
  const { from, columns } = keptSums(undefined);
  const row = await tx
    .select({ count: columns().count })
    .from(from)
    .where(and(...conditions(query, 'sum')))
    .get();
  return row?.count ?? 0;
}

/** The records that a search finds are read once, for the page and for the sums. */
async function readFound(tx: Transaction, query: Filters): Promise<ListPart> {
  const { id, createdAt, name, year, dueDate, amountSen, amountSource, status, checkState } = taxRecords;
  const found = tx
    .select({ id, createdAt, name, year, dueDate, amountSen, amountSource, status, checkState })
    .from(taxRecords)
    .where(and(await exceptDeletedOwners(tx), ...conditions(query, 'search'), matchesSearch(tx, query)))
    // No limit; but with one, SQLite keeps the rows for both uses instead of searching twice.
    .limit(Number.MAX_SAFE_INTEGER);
  // Named like the table whose columns it has.
  const records = sql`found as ${sql.identifier(getTableName(taxRecords))}`;
  const page = selectPage(tx, query, records, undefined);
  const row = await tx
    .with(tx.$with('found').as(found))
    .select({ ...listSums(sumColumns), ids: sql<string>`(select json_group_array(id) from ${page})` })
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

/** Whether all filters ask for columns by which sums are kept. */
function isAboutSums({ user_id, proof, payment_from, payment_to }: Filters): boolean {
  return [user_id, proof, payment_from, payment_to].every((filter) => filter === undefined || filter === '');
}

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
function conditions(
  { status, property_type, year, user_id, outstanding, unpaid, proof, verification, today, ...ranges }: SearchFilters,
  purpose: 'page' | 'sum' | 'search',
): (SQL | undefined)[] {
  const isSearch = purpose === 'search';
  // One owner has few records, so the index of the owner is always best.
  const equals = (column: AnyColumn, value: string | number | undefined, isIndexUsed: boolean): SQL | undefined => {
    if (value === undefined) return undefined;
    return isIndexUsed && !user_id ? sql`${column} = ${value}` : sql`+${column} = ${value}`;
  };
  const ranged = (column: AnyColumn): SQL => (isSearch ? sql`+${column}` : sql`${column}`);
  const { dueDate, paymentDate } = taxRecords;
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
    unpaid || outstanding ? sql`+${taxRecords.status} <> 'lunas'` : undefined,
    outstanding ? isPastDue(today) : undefined,
    proof === undefined ? undefined : hasProof(proof),
    ranges.due_from ? sql`${ranged(dueDate)} >= ${ranges.due_from}` : undefined,
    ranges.due_to ? sql`${ranged(dueDate)} <= ${ranges.due_to}` : undefined,
    ranges.payment_from ? sql`${ranged(paymentDate)} >= ${ranges.payment_from}` : undefined,
    ranges.payment_to ? sql`${ranged(paymentDate)} <= ${ranges.payment_to}` : undefined,
  ];
}

function isInStates(wanted: readonly VerificationFilter[], isIndexUsed: boolean): SQL | undefined {
  const state = isIndexUsed ? sql`${taxRecords.checkState}` : sql`+${taxRecords.checkState}`;
  return or(
    ...wanted.map((value) =>
      value === 'matched_unpaid'
        ? sql`(${state} = 'matched' and +${taxRecords.status} <> 'lunas')`
        : sql`${state} = ${value}`,
    ),
  );
}

function hasProof(expected: boolean): SQL {
  return expected ? sql`+${taxRecords.proofFile} is not null` : sql`+${taxRecords.proofFile} is null`;
}

/** The dates of the rule in shared/domain/tax-records/overdue.ts (R-REC-4); a test compares the two. */
function isPastDue(today: string): SQL {
  const { dueDate, year } = taxRecords;
  return sql`case when ${dueDate} is null then ${year} < ${yearOf(today)} else ${dueDate} < ${today} end`;
}

const containsInTexts = (term: string): SQL | undefined =>
  or(
    ...[taxRecords.name, taxRecords.address, taxRecords.sptNumber].map((column) => containsText(column, term)),
    ...otherNopForms(term).map((form) => containsText(taxRecords.sptNumber, form)),
  );

/** The question to the index for a term in all its forms; null where it cannot help. */
function proposalQuery(term: string): string | null {
  const asTyped = trigramQuery(term);
  if (asTyped === null) return null;
  return [asTyped, ...otherNopForms(term).flatMap((form) => trigramQuery(form) ?? [])]
    .map((query) => `(${query})`)
    .join(' OR ');
}

/**
 * Matches name, address, SPT number or the owner's name. Owners are searched once and not once per record. The index proposes
 * records, those that it does not hold yet are read too, and the texts decide; of one owner all records are read.
 */
function matchesSearch(
  orm: ConnectionOrTransaction,
  { search: term, user_id: userId }: SearchFilters,
): SQL | undefined {
  if (!term) return undefined;
  const owners = orm
    .select({ id: users.id })
    .from(users)
    .where(userContains(term, [users.name]));
  const trigrams = userId ? null : proposalQuery(term);
  const isProposed =
    trigrams === null
      ? undefined
      : sql`${taxRecords}.rowid in (select rowid from record_words where record_words match ${trigrams} union all ${pendingRowids})`;
  return or(and(isProposed, containsInTexts(term)), inArray(taxRecords.userId, owners));
}

/** The same for a few records: the owner is looked up for those whose own texts do not match. */
function isFoundAlone(term: string): SQL {
  return sql`(${containsInTexts(term)} or exists (
    select 1 from ${users} where ${users.id} = ${taxRecords.userId} and ${containsText(users.name, term)}))`;
}

function orderByTerms({ sort = '-created_at' }: Pick<Filters, 'sort'>): SQL[] {
  const sortKey = RECORD_SORTS.find((name) => sort === name || sort === `-${name}`) ?? 'created_at';
  const direction = sort.startsWith('-') ? desc : asc;
  // Records without a due date come last in both directions, because a sort by date is not about them.
  const primary = sort === 'due_date' ? sql`${taxRecords.dueDate} asc nulls last` : direction(sortColumns[sortKey]);
  // The index of years is continued by the time of creation.
  return sortKey === 'year'
    ? [primary, direction(taxRecords.createdAt), direction(taxRecords.id)]
    : [primary, direction(taxRecords.id)];
}
