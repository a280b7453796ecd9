import { and, type SQL, sql } from 'drizzle-orm';
import { mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';
import { jsonList, rowNumber } from '#server/db/dialect.ts';
import { type InParts, keepInParts } from '#server/db/kept-results.ts';
import type { Transaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import {
  addPaid,
  addSums,
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
  type SumSource,
  sumsOfSearched,
  subtractSum,
} from '#server/records/record-sum-queries.ts';
import { byIndexOfFilter, conditions, hasKeptSums, isAboutSums, type ListFilters } from './admin-filter-queries.ts';
import {
  containsInRecord,
  isProposedByIndex,
  lacksFrequentTerm,
  matchesInRecords,
  matchesInSearched,
} from './record-search-queries.ts';

/** The sums of all records that a list of the administrators has, not only of those of its page (R-REC-12). */
export type ListSums = { all: RecordSum; paid: PaidSum; estimated: RecordSum };

export const noSums: ListSums = { all: EMPTY_SUM, paid: noPaid, estimated: EMPTY_SUM };
export const listSums = (columns: typeof sumColumns) => ({
  all: columns(),
  ...paidColumns(columns),
  estimated: columns(sql`not ${isPaid} and ${isEstimate}`),
});

type ListSumRow = Record<'all' | 'estimated' | keyof PaidSum, Parameters<typeof joinSum>[0]>;

export const joinListSums = ({ all, estimated, ...parts }: ListSumRow): ListSums => ({
  all: joinSum(all),
  paid: joinPaid(parts),
  estimated: joinSum(estimated),
});

async function readSums(
  tx: Transaction,
  { from, columns }: SumSource,
  where: readonly (SQL | undefined)[],
): Promise<ListSums> {
  const row = await tx
    .select(listSums(columns))
    .from(from)
    .where(and(...where))
    .get();
  return row ? joinListSums(row) : noSums;
}

const subtract = (from: ListSums, less: ListSums): ListSums => ({
  all: subtractSum(from.all, less.all),
  paid: mapCheckedParts((part) => subtractSum(from.paid[part], less.paid[part])),
  estimated: subtractSum(from.estimated, less.estimated),
});

const add = (sums: readonly ListSums[]): ListSums => ({
  all: addSums(...sums.map(({ all }) => all)),
  paid: addPaid(...sums.map(({ paid }) => paid)),
  estimated: addSums(...sums.map(({ estimated }) => estimated)),
});

export async function readListSums(tx: Transaction, filters: ListFilters): Promise<ListSums> {
  const counted = await exceptDeletedOwners(tx);
  const isKept = isAboutSums(filters);
  // Records with a proof have an index, and all others have the rest of the kept sums.
  if (filters.proof === false && isAboutSums({ ...filters, proof: undefined }) && !counted)
    return subtract(
      await readListSums(tx, { ...filters, proof: undefined }),
      await readKeptListSums(tx, { ...filters, proof: true }),
    );
  const { from, columns } = isKept ? keptSums(counted) : summedRecords;
  const source = { from: isKept ? from : byIndexOfFilter(filters), columns };
  return readSums(tx, source, [counted, ...conditions(filters, isKept ? 'sum' : 'filter')]);
}

const KEPT_FILTERS_MAX = 50;

const filteredInParts: InParts<ListFilters, ListSums, ListSums> = {
  read: (tx, filters, inPart) => readSums(tx, summedRecords, [inPart, ...conditions(filters, 'search')]),
  join: add,
};

/** Not for the time in which the deletion of an account hides records without changing them. */
export const readKeptListSums = keepInParts(readListSums, filteredInParts, KEPT_FILTERS_MAX);

/** Whether the short rows of the records answer the sums. Where all records are compared, their whole rows do so sooner. */
export async function isAnsweredByShortRows(tx: Transaction, query: ListFilters): Promise<boolean> {
  return isProposedByIndex(query.search ?? '') && (await hasKeptSums(tx, query));
}

/** `rowids`: of the records that contain the term, where they are known and few. Other filters may exclude some. */
type SearchSums = { sums: ListSums; rowids: number[] | null };

export async function readSearchSums(tx: Transaction, filters: ListFilters): Promise<SearchSums> {
  const term = filters.search ?? '';
  const { source, rowids } = await sourceOfSearch(tx, filters);
  const where =
    source !== summedRecords
      ? conditions(filters, 'sum')
      : [await exceptDeletedOwners(tx), ...conditions(filters, 'search'), await matchesInRecords(tx, term)];
  return { sums: await readSums(tx, source, where), rowids };
}

async function sourceOfSearch(tx: Transaction, filters: ListFilters) {
  const term = filters.search ?? '';
  const lacks = (await hasKeptSums(tx, filters)) ? await lacksFrequentTerm(tx, term) : null;
  if (lacks) return { source: await sumsExcept(tx, lacks), rowids: null };
  if (await isAnsweredByShortRows(tx, filters)) return sumsOfSearched(tx, await matchesInSearched(tx, term));
  return { source: summedRecords, rowids: null };
}

/** Each letter that is typed makes another search. */
export const KEPT_SEARCHES_MAX = 100;
/** The sums of more records are kept without their rowids. */
const KEPT_ROWIDS_MAX = 10_000;

const searchedInParts: InParts<ListFilters, SearchSums, SearchSums> = {
  async read(tx, filters, inPart) {
    const row = await tx
      .select({ ...listSums(sumColumns), rowids: jsonList(rowNumber(taxRecords)) })
      .from(taxRecords)
      .where(and(inPart, ...conditions(filters, 'search'), containsInRecord(filters.search ?? '')))
      .get();
    if (!row) return { sums: noSums, rowids: [] };
    const { rowids, ...columns } = row;
    const sums = joinListSums(columns);
    return { sums, rowids: sums.all.count > KEPT_ROWIDS_MAX ? null : JSON.parse(rowids) };
  },
  join(parts) {
    const sums = add(parts.map((part) => part.sums));
    const areFew = sums.all.count <= KEPT_ROWIDS_MAX;
    return { sums, rowids: areFew ? parts.flatMap(({ rowids }) => rowids ?? []) : null };
  },
};

/** Not for the time in which the deletion of an account hides records without changing them. */
export const readKeptSearchSums = keepInParts(readSearchSums, searchedInParts, KEPT_SEARCHES_MAX);
