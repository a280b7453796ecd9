import { and, eq, getTableName, gte, lte, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { alias, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  type CheckedPart,
  checkedPartOf,
  mapCheckedParts,
  stateOfPart,
} from '#shared/domain/tax-records/checked-sums.ts';
import type { DateRange } from '#shared/domain/dates/dates.ts';
import { jsonList, numberRows } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction } from '../db/engine.ts';
import { recordSums, searchedRecords, taxRecords } from '../db/schema.ts';
import { halvesOf, joinSen, type SenHalves, senSum } from '../db/sen-sums.ts';

/** A number of records and the sum of their amounts. */
export type RecordSum = { count: number; sen: bigint };

export const EMPTY_SUM: RecordSum = { count: 0, sen: 0n };

export function addSums(...sums: readonly RecordSum[]): RecordSum {
  return sums.reduce((a, b) => ({ count: a.count + b.count, sen: a.sen + b.sen }), EMPTY_SUM);
}

export const subtractSum = (from: RecordSum, less: RecordSum): RecordSum => ({
  count: from.count - less.count,
  sen: from.sen - less.sen,
});

/** A sum of paid records, in the parts of which the office knows different things (R-CHECK-30). */
export type PaidSum = Record<CheckedPart, RecordSum>;

export const noPaid: PaidSum = mapCheckedParts(() => EMPTY_SUM);

export function addPaid(...sums: readonly PaidSum[]): PaidSum {
  return mapCheckedParts((part) => addSums(...sums.map((sum) => sum[part])));
}

export const totalOf = (paid: PaidSum): RecordSum => addSums(...Object.values(paid));

/** A sum of overdue records, and of those of them whose amount is an estimate (R-YEAR-11). */
export type OverdueSum = { all: RecordSum; estimated: RecordSum };

export const isPaid = sql`${taxRecords.status} = 'lunas'`;
export const isEstimate = sql`${taxRecords.amountSource} = 'estimate'`;

/** The columns of a sum, over all rows or only those where `only` is true; `joinSum` reads them. */
export function sumColumns(only?: SQL): SumExpressions {
  const filter = only ? sql` filter (where ${only})` : sql``;
  return { count: sql<number>`count(*)${filter}`, ...senSum(taxRecords.amountSen, only) };
}

/** The same over the rows of `record_sums`. */
function keptSumColumns(only?: SQL): SumExpressions {
  const filter = only ? sql` filter (where ${only})` : sql``;
  const sum = (column: SQLWrapper): SQL<number> => sql<number>`coalesce(sum(${column})${filter}, 0)`;
  return { count: sum(recordSums.records), high: sum(recordSums.senHigh), low: sum(recordSums.senLow) };
}

/** The source of sums: a table named `tax_records`, and the columns of a sum over its rows. */
export type SumSource = { from: SQLiteTable | SQL; columns: typeof sumColumns };

export const summedRecords: SumSource = { from: taxRecords, columns: sumColumns };

/**
 * The sums kept by triggers answer conditions on their own columns. They count the records of accounts whose deletion still
 * runs, so then the records themselves are read.
 * @param counted `exceptDeletedOwners` of the same snapshot
 */
export function keptSums(counted: SQL | undefined): SumSource {
  if (counted) return summedRecords;
  // Named like the records, so that the conditions on these need no second form.
  return { from: alias(recordSums, getTableName(taxRecords)), columns: keptSumColumns };
}

/** The rowids of so many records at most are worth keeping beside their sums. */
const CHOSEN_MAX = 10_000;

type ChosenSums = { source: SumSource; /** null: too many */ rowids: number[] | null };

/**
 * The sums of a choice of records, used like those of all. SQLite would sort the records by their groups, which takes as long as
 * reading them.
 * @param isChosen a condition on `searched_records`
 */
export async function sumsOfSearched(orm: ConnectionOrTransaction, isChosen: SQL | undefined): Promise<ChosenSums> {
  const { recordRowid, groupId, amountSen } = searchedRecords;
  const row = await orm
    .select({ rowids: jsonList(recordRowid), groups: jsonList(groupId), amounts: jsonList(amountSen) })
    .from(searchedRecords)
    .where(isChosen)
    .get();
  const groups: number[] = JSON.parse(row?.groups ?? '[]');
  const rowids = groups.length > CHOSEN_MAX ? null : (JSON.parse(row?.rowids ?? '[]') as number[]);
  const chosen = sumByGroup(groups, JSON.parse(row?.amounts ?? '[]'));
  return { source: { from: sql`(${rowsOfGroups(chosen)}) as ${nameOfRecords}`, columns: keptSumColumns }, rowids };
}

/** The kept sums of all records but these, for a choice that most records belong to. @param isLeftOut a condition on `searched_records` */
export async function sumsExcept(orm: ConnectionOrTransaction, isLeftOut: SQL | undefined): Promise<SumSource> {
  const { groupId, amountSen } = searchedRecords;
  const row = await orm
    .select({ groups: jsonList(groupId), amounts: jsonList(amountSen) })
    .from(searchedRecords)
    .where(isLeftOut)
    .get();
  const leftOut = sumByGroup(JSON.parse(row?.groups ?? '[]'), JSON.parse(row?.amounts ?? '[]'));
  const less = leftOut.map(([id, ...sums]): GroupSum => [id, -sums[0], -sums[1], -sums[2]]);
  const { year, propertyType, status, checkState, amountSource, dueDate, records, senHigh, senLow } = recordSums;
  const all = sql`select ${year}, ${propertyType}, ${status}, ${checkState}, ${amountSource}, ${dueDate},
    ${records}, ${senHigh}, ${senLow} from ${recordSums}`;
  return { from: sql`(${all} union all ${rowsOfGroups(less)}) as ${nameOfRecords}`, columns: keptSumColumns };
}

const nameOfRecords = sql.identifier(getTableName(taxRecords));

/** Sums by group, with the columns of their groups. */
function rowsOfGroups(sums: readonly GroupSum[]): SQL {
  const { year, propertyType, status, checkState, amountSource, dueDate, id } = recordSums;
  const rows = numberRows(JSON.stringify(sums), ['id', 'records', 'sen_high', 'sen_low']);
  return sql`select ${year}, ${propertyType}, ${status}, ${checkState}, ${amountSource}, ${dueDate},
    chosen.records, chosen.sen_high, chosen.sen_low from ${rows} as chosen join ${recordSums} on ${id} = chosen.id`;
}

type GroupSum = [groupId: number, count: number, high: number, low: number];

function sumByGroup(groups: readonly number[], amountsSen: readonly number[]): GroupSum[] {
  const sums = new Map<number, GroupSum>();
  for (let index = 0; index < groups.length; index += 1) {
    const groupId = groups[index] ?? 0;
    const sum = sums.get(groupId) ?? [groupId, 0, 0, 0];
    if (sum[1] === 0) sums.set(groupId, sum);
    const { high, low } = halvesOf(amountsSen[index] ?? 0);
    sum[1] += 1;
    sum[2] += high;
    sum[3] += low;
  }
  return [...sums.values()];
}

/** The columns of a sum in its parts, over all rows or only those where `only` is true; `joinPaid` reads them. */
function partColumns(columns: typeof sumColumns, only?: SQL) {
  return mapCheckedParts((part) => columns(and(only, eq(taxRecords.checkState, stateOfPart(part)))));
}

/** The columns of a sum of the paid rows in its parts; `joinPaid` reads them. */
export const paidColumns = (columns: typeof sumColumns = sumColumns) => partColumns(columns, isPaid);

type SumExpressions = { count: SQL<number>; high: SQL<number>; low: SQL<number> };
type SumColumns = SenHalves & { count: number };

export const joinSum = ({ count, ...halves }: SumColumns): RecordSum => ({ count, sen: joinSen(halves) });

export function joinPaid(row: Record<CheckedPart, SumColumns>): PaidSum {
  return mapCheckedParts((part) => joinSum(row[part]));
}

/** Calendar dates in the server's time zone: the day that decides what is overdue, and the Sunday of its week. */
export type DueDates = { today: string; thisYear: number; sunday: string };

/** The rule of `isOverdue` in shared/domain/tax-records/overdue.ts in SQL (R-REC-4), without its status; a test compares the two. */
export function isPastDue({ today, thisYear }: Pick<DueDates, 'today' | 'thisYear'>): SQL {
  const { dueDate, year } = taxRecords;
  return sql`case when ${dueDate} is null then ${year} < ${thisYear} else ${dueDate} < ${today} end`;
}

/** Records of one year, property type, status and state of their check. What is overdue or due this week is part of `all`. */
export type RecordGroup = Pick<typeof taxRecords.$inferSelect, 'year' | 'propertyType' | 'status' | 'checkState'> & {
  all: RecordSum;
  overdue: OverdueSum;
  dueThisWeek: RecordSum;
};

/**
 * The sums of all records, from those that triggers keep. The result has few rows, however many records there are.
 * @param counted `exceptDeletedOwners` of the same snapshot
 */
export async function readRecordGroups(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  { sunday, ...dates }: DueDates,
): Promise<RecordGroup[]> {
  const { year, propertyType, status, checkState, dueDate } = taxRecords;
  const isOverdue = sql`not ${isPaid} and ${isPastDue(dates)}`;
  const isDueThisWeek = sql`not ${isPaid} and ${dueDate} between ${dates.today} and ${sunday}`;
  const { from, columns } = keptSums(counted);
  return (
    await orm
      .select({
        year,
        propertyType,
        status,
        checkState,
        all: columns(),
        overdue: columns(isOverdue),
        estimated: columns(sql`${isOverdue} and ${isEstimate}`),
        dueThisWeek: columns(isDueThisWeek),
      })
      .from(from)
      .where(counted)
      .groupBy(year, propertyType, status, checkState)
      .all()
  ).map(({ all, overdue, estimated, dueThisWeek, ...group }) =>
    Object.assign(group, {
      all: joinSum(all),
      overdue: { all: joinSum(overdue), estimated: joinSum(estimated) },
      dueThisWeek: joinSum(dueThisWeek),
    }),
  );
}

export const sumOfGroups = (groups: readonly RecordGroup[]): RecordSum => addSums(...groups.map(({ all }) => all));

export function paidOfGroups(groups: readonly RecordGroup[]): PaidSum {
  const byPart = Map.groupBy(
    groups.filter(({ status }) => status === 'lunas'),
    ({ checkState }) => checkedPartOf(checkState),
  );
  return mapCheckedParts((part) => sumOfGroups(byPart.get(part) ?? []));
}

export function overdueOfGroups(groups: readonly RecordGroup[]): OverdueSum {
  return {
    all: addSums(...groups.map(({ overdue }) => overdue.all)),
    estimated: addSums(...groups.map(({ overdue }) => overdue.estimated)),
  };
}

type DaySum = { date: string; paid: PaidSum };

/** Sums paid on each day of a range, from the covering index tax_records_payment; only days with payments. */
export async function readPaymentsByDate(
  orm: ConnectionOrTransaction,
  counted: SQL | undefined,
  { fromDate, toDate }: DateRange,
): Promise<DaySum[]> {
  const { paymentDate } = taxRecords;
  // Only paid records have a date of payment, so the index holds no status.
  return (
    await orm
      .select({ date: sql<string>`${paymentDate}`, ...partColumns(sumColumns) })
      .from(taxRecords)
      .where(and(counted, gte(paymentDate, fromDate), lte(paymentDate, toDate)))
      .groupBy(paymentDate)
      .all()
  ).map(({ date, ...parts }) => ({ date, paid: joinPaid(parts) }));
}

/** The sum of the days of a range. */
export function paidInRange(days: readonly DaySum[], { fromDate, toDate }: DateRange): PaidSum {
  return addPaid(...days.filter(({ date }) => date >= fromDate && date <= toDate).map(({ paid }) => paid));
}
