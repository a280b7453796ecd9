import { type AnyColumn, eq, gte, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { VerificationFilter } from '#shared/domain/tax-records/verification-states.ts';
import type { PossibleFilters } from '#shared/api/filters.ts';
import type { AdminRecordsQuery } from '#shared/api/tax-records/tax-records.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { byIndex, withoutIndex } from '#server/db/dialect.ts';
import type { Transaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import type { LimitOffset } from './list-queries.ts';

/** `today`: the calendar date in the server's time zone. */
export type AdminListQuery = Omit<AdminRecordsQuery, 'limit' | 'page'> & LimitOffset & { today: string };
export type PageQuery = PossibleFilters<AdminListQuery>;
/** Which records a list has, without its order and its pages. */
export type ListFilters = Omit<PageQuery, 'limit' | 'offset' | 'sort'>;

/** Whether all filters ask for columns by which sums are kept, and these count what the list shows. */
export async function hasKeptSums(tx: Transaction, query: ListFilters): Promise<boolean> {
  return isAboutSums(query) && (await exceptDeletedOwners(tx)) === undefined;
}

export function isAboutSums({ user_id, proof, payment_from, payment_to }: ListFilters): boolean {
  return [user_id, proof, payment_from, payment_to].every((filter) => filter === undefined || filter === '');
}

export const withoutUnkept = <F extends ListFilters>(filters: F): F => ({
  ...filters,
  proof: undefined,
  payment_from: undefined,
  payment_to: undefined,
});

/** The index with the records of a filter of which no sums are kept; null: there is none. */
export function indexOfFilter({ proof, payment_from, payment_to, user_id }: ListFilters): string | null {
  if (user_id !== undefined) return null;
  if (payment_from || payment_to) return 'tax_records_payment';
  return proof === true ? 'tax_records_proof' : null;
}

export function byIndexOfFilter(filters: ListFilters): SQLiteTable | SQL {
  const index = indexOfFilter(filters);
  return index === null ? taxRecords : byIndex(taxRecords, index);
}

/**
 * The page comes from an index in the order of the list, the sum from an index that holds the amount, and a search from its
 * own index: each needs its own choice. A plus keeps SQLite from using the index of its column.
 */
export function conditions(filters: ListFilters, purpose: 'page' | 'sum' | 'filter' | 'search'): (SQL | undefined)[] {
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
export function unkeptConditions(
  { proof, payment_from, payment_to }: ListFilters,
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
