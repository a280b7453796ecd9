import { and, asc, type AnyColumn, desc, eq, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { VerificationFilter } from '#shared/domain/tax-records/verification-states.ts';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import { RECORD_SORTS, type AdminRecordsQuery, type RecordSort } from '#shared/api/tax-records/tax-records.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import {
  EMPTY_SUM,
  isEstimate,
  isPaid,
  joinPaid,
  joinSum,
  noPaid,
  paidColumns,
  type PaidSum,
  type RecordSum,
  sumColumns,
} from '#server/records/record-sum-queries.ts';
import { listByIds, type RecordSlice, type LimitOffset } from './list-queries.ts';
import { containsText } from '#server/db/search.ts';

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
 * A page of all records with the number and sum of all that match (R-REC-12). A search reads every record, so this runs in
 * the query worker. The ids of the page come from indexes alone; whole rows are read only for them.
 */
export function readAdminRecords(orm: Connection, sentQuery: AdminListQuery): SummedSlice {
  const query = possibleFilters(sentQuery);
  if (!query) return { rows: [], ...noSums };
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
    const sums = readSums(tx, and(counted, ...conditions(tx, query, 'sum')));
    return { rows: listByIds(tx, ids), ...sums };
  });
}

const noSums: ListSums = { all: EMPTY_SUM, paid: noPaid, estimated: EMPTY_SUM };

function readSums(orm: ConnectionOrTransaction, where: SQL | undefined): ListSums {
  const row = orm
    .select({ all: sumColumns(), ...paidColumns(), estimated: sumColumns(sql`not ${isPaid} and ${isEstimate}`) })
    .from(taxRecords)
    .where(where)
    .get();
  if (!row) return noSums;
  const { all, estimated, ...parts } = row;
  return { all: joinSum(all), paid: joinPaid(parts), estimated: joinSum(estimated) };
}

/**
 * The page comes from an index in the order of the list, the sum from an index that holds the amount: each needs its own
 * choice. A plus keeps SQLite from using the index of its column.
 */
function conditions(
  orm: ConnectionOrTransaction,
  { search, status, property_type, year, user_id, outstanding, unpaid, proof, verification, today, ...ranges }: Filters,
  purpose: 'page' | 'sum',
): (SQL | undefined)[] {
  // One owner has few records, so the index of the owner is always best.
  const equals = (column: AnyColumn, value: string | number | undefined, isIndexUsed: boolean): SQL | undefined => {
    if (value === undefined) return undefined;
    return isIndexUsed && !user_id ? sql`${column} = ${value}` : sql`+${column} = ${value}`;
  };
  // The index of the check is in the order of the list and holds the amounts, but only within one state.
  const isByState = verification?.length === 1 && !user_id && (purpose === 'page' || year === undefined);
  const isPage = purpose === 'page' && !isByState;
  return [
    user_id ? eq(taxRecords.userId, user_id) : undefined,
    verification ? isInStates(verification, isByState) : undefined,
    // True of every record. Of the indexes that begin with the state, it makes SQLite take the one with the amounts.
    isByState ? gte(taxRecords.createdAt, 0) : undefined,
    equals(taxRecords.status, status, isPage),
    equals(taxRecords.propertyType, property_type, isPage),
    // The sum by year has the index tax_records_shares.
    equals(taxRecords.year, year, !isByState),
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
