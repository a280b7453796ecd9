import { and, asc, type AnyColumn, count, desc, eq, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import { RECORD_SORTS, type AdminRecordsQuery, type RecordSort } from '#shared/api/tax-records.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';
import { exceptDeletedOwners } from '#server/deleted-account-queries.ts';
import { listByIds, type RecordSlice, type LimitOffset } from './list-queries.ts';
import { containsText } from '#server/db/search.ts';

/** `today`: the calendar date in the server's time zone. */
export type AdminListQuery = Omit<AdminRecordsQuery, 'limit' | 'page'> & LimitOffset & { today: string };
type Filters = PossibleFilters<AdminListQuery>;
/** `totalSen`: the sum of all records that match, not only those of the page. */
export type SummedSlice = RecordSlice & { totalSen: bigint };

const sortColumns: Record<RecordSort, SQL> = {
  created_at: sql`${taxRecords.createdAt}`,
  amount: sql`${taxRecords.amountSen}`,
  year: sql`${taxRecords.year}`,
  name: sql`${taxRecords.name} collate nocase`,
  due_date: sql`${taxRecords.dueDate}`,
};

/**
 * A page of all records with the number and sum of all that match (R-REC-12). A search reads every record, so this runs in
 * the query worker. The ids of the page come from indexes alone; whole rows are read only for them.
 */
export function readAdminRecords(orm: Connection, sentQuery: AdminListQuery): SummedSlice {
  const query = possibleFilters(sentQuery);
  if (!query) return { rows: [], total: 0, totalSen: 0n };
  // One snapshot, so that ids, rows and total agree.
  return readSnapshot(orm, (tx) => {
    const counted = exceptDeletedOwners(tx);
    const ids = tx
      .select({ id: taxRecords.id })
      .from(taxRecords)
      .where(and(counted, ...conditions(tx, query, 'page')))
      .orderBy(...orderByTerms(query.sort ?? '-created_at'))
      .limit(query.limit)
      .offset(query.offset)
      .all()
      .map(({ id }) => id);
    const sums = tx
      .select({ total: count(), ...senSum(taxRecords.amountSen) })
      .from(taxRecords)
      .where(and(counted, ...conditions(tx, query, 'sum')))
      .get();
    return { rows: listByIds(tx, ids), total: sums?.total ?? 0, totalSen: sums ? joinSen(sums) : 0n };
  });
}

/**
 * The page comes from an index in the order of the list, the sum from an index that holds the amount: each needs its own
 * choice. A plus keeps SQLite from using the index of its column.
 */
function conditions(
  orm: ConnectionOrTransaction,
  { search, status, property_type, year, user_id, outstanding, unpaid, proof, today, ...ranges }: Filters,
  purpose: 'page' | 'sum',
): (SQL | undefined)[] {
  // One owner has few records, so the index of the owner is always best.
  const equals = (column: AnyColumn, value: string | number | undefined, isIndexUsed: boolean): SQL | undefined => {
    if (value === undefined) return undefined;
    return isIndexUsed && !user_id ? sql`${column} = ${value}` : sql`+${column} = ${value}`;
  };
  const isPage = purpose === 'page';
  return [
    user_id ? eq(taxRecords.userId, user_id) : undefined,
    equals(taxRecords.status, status, isPage),
    equals(taxRecords.propertyType, property_type, isPage),
    // The sum by year has the index tax_records_shares.
    equals(taxRecords.year, year, true),
    unpaid || outstanding ? sql`+${taxRecords.status} <> 'lunas'` : undefined,
    outstanding ? isPastDue(today) : undefined,
    proof === undefined ? undefined : hasProof(proof),
    ranges.due_from ? gte(taxRecords.dueDate, ranges.due_from) : undefined,
    ranges.due_to ? lte(taxRecords.dueDate, ranges.due_to) : undefined,
    ranges.payment_from ? gte(taxRecords.paymentDate, ranges.payment_from) : undefined,
    ranges.payment_to ? lte(taxRecords.paymentDate, ranges.payment_to) : undefined,
    search ? matchesSearch(orm, search) : undefined,
  ];
}

function hasProof(expected: boolean): SQL {
  return expected ? sql`+${taxRecords.proofFile} is not null` : sql`+${taxRecords.proofFile} is null`;
}

/** The dates of the rule in shared/domain/overdue.ts (R-REC-4); a test compares the two. */
function isPastDue(today: string): SQL {
  const { dueDate, year } = taxRecords;
  return sql`case when ${dueDate} is null then ${year} < ${yearOf(today)} else ${dueDate} < ${today} end`;
}

/** Matches name, address, SPT number or the owner's name; owners are searched once and not once per record. */
function matchesSearch(orm: ConnectionOrTransaction, term: string): SQL | undefined {
  const owners = orm.select({ id: users.id }).from(users).where(containsText(users.name, term));
  return or(
    containsText(taxRecords.name, term),
    containsText(taxRecords.address, term),
    containsText(taxRecords.sptNumber, term),
    inArray(taxRecords.userId, owners),
  );
}

function orderByTerms(sort: NonNullable<AdminRecordsQuery['sort']>): SQL[] {
  const sortKey = RECORD_SORTS.find((name) => sort === name || sort === `-${name}`) ?? 'created_at';
  const direction = sort.startsWith('-') ? desc : asc;
  // Records without a due date come last in both directions, because a sort by date is not about them.
  const primary = sort === 'due_date' ? sql`${taxRecords.dueDate} asc nulls last` : direction(sortColumns[sortKey]);
  // The index of years is continued by the time of creation.
  return sortKey === 'year'
    ? [primary, direction(taxRecords.createdAt), direction(taxRecords.id)]
    : [primary, direction(taxRecords.id)];
}
