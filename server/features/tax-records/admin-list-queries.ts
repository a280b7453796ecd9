import { and, asc, type AnyColumn, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import { RECORD_SORTS, type AdminRecordsQuery, type RecordSort } from '#shared/api/tax-records.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/deleted-account-queries.ts';
import { countRecords, listByIds, type RecordSlice, type LimitOffset } from './list-queries.ts';
import { containsText } from '#server/db/search.ts';

export type AdminListQuery = Omit<AdminRecordsQuery, 'limit' | 'page'> & LimitOffset;
type Filters = PossibleFilters<AdminListQuery>;

const sortColumns: Record<RecordSort, SQL> = {
  created_at: sql`${taxRecords.createdAt}`,
  amount: sql`${taxRecords.amountSen}`,
  year: sql`${taxRecords.year}`,
  name: sql`${taxRecords.name} collate nocase`,
  due_date: sql`${taxRecords.dueDate}`,
};

/**
 * A page of all records with its total (R-REC-12). A search reads every record, so this runs in the query worker. The
 * ids of the page come from indexes alone; whole rows are read only for them.
 */
export function readAdminRecords(orm: Connection, sentQuery: AdminListQuery): RecordSlice {
  const query = possibleFilters(sentQuery);
  if (!query) return { rows: [], total: 0 };
  // One snapshot, so that ids, rows and total agree.
  return readSnapshot(orm, (tx) => {
    const where = and(...conditions(tx, query));
    const ids = tx
      .select({ id: taxRecords.id })
      .from(taxRecords)
      .where(where)
      .orderBy(...orderByTerms(query.sort ?? '-created_at'))
      .limit(query.limit)
      .offset(query.offset)
      .all()
      .map(({ id }) => id);
    return { rows: listByIds(tx, ids), total: countRecords(tx, where) };
  });
}

function conditions(
  orm: ConnectionOrTransaction,
  { search, status, property_type, year, user_id }: Filters,
): (SQL | undefined)[] {
  // One owner has few records. The plus keeps SQLite from preferring another index to that of the owner.
  const equals = (column: AnyColumn, value: string | number | undefined): SQL | undefined => {
    if (value === undefined) return undefined;
    return user_id ? sql`+${column} = ${value}` : sql`${column} = ${value}`;
  };
  return [
    exceptDeletedOwners(orm),
    user_id ? eq(taxRecords.userId, user_id) : undefined,
    equals(taxRecords.status, status),
    equals(taxRecords.propertyType, property_type),
    equals(taxRecords.year, year),
    search ? matchesSearch(orm, search) : undefined,
  ];
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
