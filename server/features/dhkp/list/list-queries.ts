import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { possibleFilters, type PossibleFilters } from '#shared/api/filters.ts';
import type { DhkpSettings } from '#shared/api/dhkp/settings.ts';
import { ASSESSMENT_SORTS, type AssessmentFilter, type AssessmentSort } from '#shared/api/dhkp/assessments.ts';
import { amountsOfBook } from '#shared/domain/dhkp/books.ts';
import { cleanNop } from '#shared/domain/dhkp/nop.ts';
import { rupiahToSen } from '#shared/domain/money/rupiah.ts';
import { BULK_OBJECTS_MAX, NOP_PART_MIN } from '#shared/limits.ts';
import { listOfNumbers } from '#server/db/many-rows.ts';
import { byIndex, ignoringCase, isTrue, rowNumber } from '#server/db/dialect.ts';
import { isInAreas, readAreaPlaces } from '#server/areas/area-filter-queries.ts';
import type { AreaPlaces } from '#server/areas/area-places.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { assessments, objects, users } from '#server/db/schema.ts';
import { containsText } from '#server/db/search.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';
import { listRecordsOfObjects } from '#server/records/linked-assessment-queries.ts';
import type { AssessmentRow } from '../assessment-queries.ts';
import { listYears, readDhkpSettings } from '../settings/settings-queries.ts';

/** An assessment with the names of the accounts in it; null: no such account. */
export type ListedRow = {
  row: AssessmentRow;
  collectorName: string | null;
  accountId: string | null;
  accountName: string | null;
  /** The record of that account in this year. */
  recordId: string | null;
};
export type ListQuery = AssessmentFilter & { sort: string | undefined; limit: number; offset: number };
export type ListSlice = {
  rows: ListedRow[];
  total: number;
  sen: bigint;
  year: number | null;
  years: number[];
  places: AreaPlaces;
  settings: DhkpSettings;
};

type Filters = PossibleFilters<AssessmentFilter>;
/** The index that holds all that filters, searches and sums read. */
const LIST_INDEX = byIndex(assessments, 'assessments_list');

/** A page of the list with the number and the sum of all that match (R-DHKP-11). Runs in the query worker. */
export async function readAssessments(
  orm: Connection,
  { sort, limit, offset, ...sent }: ListQuery,
): Promise<ListSlice> {
  // One snapshot, so that ids, rows and sums agree.
  return readSnapshot(orm, async (tx) => {
    const years = await listYears(tx);
    const [places, settings] = [await readAreaPlaces(tx), await readDhkpSettings(tx)];
    const year = sent.year === undefined ? (years[0] ?? null) : sent.year;
    const where = await conditions(tx, sent, { year, places, settings });
    const nothing = { rows: [], total: 0, sen: 0n, year, years, places, settings };
    if (!where) return nothing;
    const sums = await tx
      .select({ total: sql<number>`count(*)`, sen: senSum(assessments.amountSen) })
      .from(LIST_INDEX)
      .where(where)
      .get();
    if (!sums || sums.total <= offset)
      return { ...nothing, total: sums?.total ?? 0, sen: sums ? joinSen(sums.sen) : 0n };
    const rowids = await selectPage(tx, where, { sort, limit, offset }, places);
    return { ...nothing, total: sums.total, sen: joinSen(sums.sen), rows: await listByRowid(tx, rowids) };
  });
}

/** The ids of all that match, up to one more than a call may change. Runs in the query worker. */
export async function readAssessmentIds(orm: Connection, filter: AssessmentFilter): Promise<string[]> {
  return readSnapshot(orm, async (tx) => {
    const [places, settings] = [await readAreaPlaces(tx), await readDhkpSettings(tx)];
    const year = filter.year === undefined ? ((await listYears(tx))[0] ?? null) : filter.year;
    const where = await conditions(tx, filter, { year, places, settings });
    if (!where) return [];
    const { id, nop } = assessments;
    const rows = await tx
      .select({ id: sql<string>`${id}` })
      .from(LIST_INDEX)
      .where(where)
      .orderBy(nop)
      .limit(BULK_OBJECTS_MAX + 1)
      .all();
    return rows.map((row) => row.id);
  });
}

type Reading = { year: number | null; places: AreaPlaces; settings: DhkpSettings };

/** @returns null when no assessment can match */
async function conditions(tx: Transaction, sent: AssessmentFilter, reading: Reading): Promise<SQL | null> {
  const filters = possibleFilters(sent);
  const { year, places, settings } = reading;
  // Money that collectors took is not recorded yet.
  if (!filters || year === null || filters.paid === 'held' || filters.paid === 'deposited') return null;
  const inside = filters.area_id === undefined ? undefined : places.withAllBelow(filters.area_id);
  if (inside?.size === 0) return null;
  const { nop, isListed, collectorId, condition, block, handedOutOn, paidBatchId } = assessments;
  const isLinked = sql`${nop} in (select ${objects.nop} from ${objects} where ${objects.userId} is not null)`;
  return (
    and(
      eq(assessments.year, year),
      flagged(filters.listed, isTrue(isListed)),
      flagged(filters.linked, isLinked),
      flagged(filters.handed_out, sql`${handedOutOn} is not null`),
      flagged(filters.paid === undefined ? undefined : filters.paid === 'authority', sql`${paidBatchId} is not null`),
      filters.block === undefined ? undefined : eq(block, filters.block),
      filters.collector_id === undefined ? undefined : eq(collectorId, filters.collector_id),
      filters.condition === undefined ? undefined : eq(condition, filters.condition),
      inBook(filters, settings),
      inside ? await isInAreas(tx, places, inside) : undefined,
      filters.search ? matches(filters.search) : undefined,
    ) ?? null
  );
}

const flagged = (wanted: boolean | undefined, is: SQL): SQL | undefined =>
  wanted === undefined ? undefined : wanted ? is : sql`not (${is})`;

function inBook({ book }: Filters, { book_limits: limits }: DhkpSettings): SQL | undefined {
  if (book === undefined) return undefined;
  const { above, upTo } = amountsOfBook(book, limits);
  const { amountSen } = assessments;
  const isAbove = sql`${amountSen} > ${rupiahToSen(above)}`;
  return upTo === null ? isAbove : sql`${isAbove} and ${amountSen} <= ${rupiahToSen(upTo)}`;
}

/** A part of the NOP, with or without dots, or of a text. */
function matches(term: string): SQL {
  const digits = cleanNop(term);
  const isNopPart = new RegExp(`^\\d{${NOP_PART_MIN},}$`).test(digits);
  const texts = [assessments.name, assessments.objectAddress, assessments.payerAddress].map((column) =>
    containsText(column, term),
  );
  const all = isNopPart ? [containsText(assessments.nop, digits), ...texts] : texts;
  return sql`(${sql.join(all, sql` or `)})`;
}

async function selectPage(
  tx: Transaction,
  where: SQL,
  { sort = 'nop', limit, offset }: Pick<ListQuery, 'sort' | 'limit' | 'offset'>,
  places: AreaPlaces,
): Promise<number[]> {
  const isDescending = sort.startsWith('-');
  const key = ASSESSMENT_SORTS.find((name) => sort === name || sort === `-${name}`) ?? 'nop';
  if (key === 'area') return selectByArea(tx, where, { isDescending, limit, offset }, places);
  const { nop, name, amountSen } = assessments;
  const columns: Record<Exclude<AssessmentSort, 'area'>, SQL> = {
    nop: sql`${nop}`,
    name: ignoringCase(name),
    amount: sql`${amountSen}`,
  };
  const direction = isDescending ? sql`desc` : sql`asc`;
  const order = key === 'nop' ? sql`${nop} ${direction}` : sql`${columns[key]} ${direction}, ${nop} ${direction}`;
  return tx.column<number>(
    sql`select ${rowNumber(assessments)} from ${LIST_INDEX} where ${where} order by ${order} limit ${limit} offset ${offset}`,
  );
}

const byPath = new Intl.Collator('id', { numeric: true });

/** Three columns decide the area, so the order is made here. Objects without an area come last. */
async function selectByArea(
  tx: Transaction,
  where: SQL,
  { isDescending, limit, offset }: { isDescending: boolean; limit: number; offset: number },
  places: AreaPlaces,
): Promise<number[]> {
  const { areaId, placeKey, block, nop } = assessments;
  const rows = await tx.tuples<[number, string | null, string | null, string]>(
    sql`select ${rowNumber(assessments)}, ${areaId}, ${placeKey}, ${block} from ${LIST_INDEX} where ${where} order by ${nop}`,
  );
  const byArea = Map.groupBy(rows, ([, own, key, ofBlock]) =>
    places.areaOf({ areaId: own, placeKey: key, block: ofBlock }),
  );
  const named = [...byArea]
    .flatMap(([id, found]) => (id === null ? [] : [{ path: places.pathOf(id) ?? '', found }]))
    .toSorted((a, b) => byPath.compare(a.path, b.path));
  if (isDescending) named.reverse();
  const inOrder = [...named.flatMap(({ found }) => found), ...(byArea.get(null) ?? [])];
  return inOrder.slice(offset, offset + limit).map(([rowid]) => rowid);
}

const owner = alias(users, 'owner');
const collector = alias(users, 'collector');

function selectRows(orm: ConnectionOrTransaction) {
  return orm
    .select({
      row: assessments,
      collectorName: collector.name,
      accountId: owner.id,
      accountName: owner.name,
      rowid: rowNumber(assessments),
    })
    .from(assessments)
    .leftJoin(objects, eq(objects.nop, assessments.nop))
    .leftJoin(owner, eq(owner.id, objects.userId))
    .leftJoin(collector, eq(collector.id, assessments.collectorId));
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof selectRows>['all']>>[number];

async function withRecords(orm: ConnectionOrTransaction, found: readonly FoundRow[]): Promise<ListedRow[]> {
  const linked = found.flatMap(({ row: { nop, year }, accountId }) =>
    accountId === null ? [] : [{ userId: accountId, nop, year }],
  );
  const records = (await listRecordsOfObjects(orm, linked)).values();
  return found.map((one) => ({
    ...one,
    recordId: one.accountId === null ? null : (records.next().value?.id ?? null),
  }));
}

/** In this order. */
export async function listByRowid(orm: ConnectionOrTransaction, rowids: readonly number[]): Promise<ListedRow[]> {
  const isOnPage = sql`${rowNumber(assessments)} in ${listOfNumbers(rowids)}`;
  const byRowid = new Map((await selectRows(orm).where(isOnPage).all()).map((found) => [found.rowid, found]));
  return withRecords(
    orm,
    rowids.flatMap((rowid) => byRowid.get(rowid) ?? []),
  );
}

export async function listByIds(orm: ConnectionOrTransaction, ids: readonly string[]): Promise<ListedRow[]> {
  const found = await selectRows(orm)
    .where(inArray(assessments.id, [...ids]))
    .all();
  return withRecords(orm, found);
}

/** The assessments of one object in all years, newest first; empty for an unknown id. */
export async function listHistory(orm: ConnectionOrTransaction, id: string): Promise<ListedRow[]> {
  const ofObject = orm.select({ nop: assessments.nop }).from(assessments).where(eq(assessments.id, id));
  const found = await selectRows(orm)
    .where(inArray(assessments.nop, ofObject))
    .orderBy(sql`${assessments.year} desc`)
    .all();
  return withRecords(orm, found);
}
