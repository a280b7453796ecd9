import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { findNop } from '#shared/domain/dhkp/nop.ts';
import { rowNumber } from '#server/db/dialect.ts';
import { listOf, listOfNumbers } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { assessments, dhkpSettings, objects, taxRecords } from '#server/db/schema.ts';

/**
 * The office's list as far as records may show it: listed assessments of objects that are linked to the account of the
 * record. Nothing here reads an assessment of another object (R-DHKP-36).
 */

export type RecordRow = typeof taxRecords.$inferSelect;
type AssessmentRow = typeof assessments.$inferSelect;

/** A listed assessment of a linked object. `dueDate`: that of the file, else that of the settings for the year. */
export type LinkedAssessment = Pick<
  AssessmentRow,
  'id' | 'nop' | 'year' | 'name' | 'objectAddress' | 'payerAddress' | 'amountSen' | 'dueDate'
> & { userId: string };

/** Due dates that the office set for tax years whose file has none. */
export async function readDueDates(orm: ConnectionOrTransaction): Promise<Record<string, string>> {
  const row = await orm.select({ dueDates: dhkpSettings.dueDateByYear }).from(dhkpSettings).limit(1).get();
  return row?.dueDates ?? {};
}

export function toLinkedAssessment(
  row: AssessmentRow,
  userId: string,
  dueDates: Record<string, string>,
): LinkedAssessment {
  const { id, nop, year, name, objectAddress, payerAddress, amountSen } = row;
  const dueDate = row.dueDate ?? dueDates[String(year)] ?? null;
  return { id, nop, year, name, objectAddress, payerAddress, amountSen, dueDate, userId };
}

/** The listed assessments of those of these objects that are linked to an account. @param year without it those of all years */
export async function listLinkedAssessments(
  orm: ConnectionOrTransaction,
  nops: Iterable<string>,
  year?: number,
): Promise<LinkedAssessment[]> {
  const rows = await orm
    .select({ row: assessments, userId: objects.userId })
    .from(objects)
    .innerJoin(assessments, eq(assessments.nop, objects.nop))
    .where(
      and(
        sql`${objects.nop} in ${listOf(nops)}`,
        isNotNull(objects.userId),
        eq(assessments.isListed, true),
        year === undefined ? undefined : eq(assessments.year, year),
      ),
    )
    .all();
  if (rows.length === 0) return [];
  const dueDates = await readDueDates(orm);
  return rows.flatMap(({ row, userId }) => (userId === null ? [] : [toLinkedAssessment(row, userId, dueDates)]));
}

/** Those of these objects that are linked to the account. */
export async function listNopsOfAccount(
  orm: ConnectionOrTransaction,
  userId: string,
  nops: Iterable<string>,
): Promise<string[]> {
  const rows = await orm
    .select({ nop: objects.nop })
    .from(objects)
    .where(and(sql`${objects.nop} in ${listOf(nops)}`, eq(objects.userId, userId)))
    .all();
  return rows.map(({ nop }) => nop);
}

type NamedRecord = Pick<RecordRow, 'userId' | 'sptNumber' | 'year'>;
const keyOf = (userId: string, nop: string, year: number): string => `${userId} ${nop} ${year}`;

/** The assessments of records, by their ids; those without a linked one are left out. */
export async function readAssessmentsOf(
  orm: ConnectionOrTransaction,
  records: readonly (NamedRecord & { id: string })[],
): Promise<Map<string, LinkedAssessment>> {
  const named = records.flatMap((record) => {
    const nop = findNop(record.sptNumber);
    return nop === null ? [] : [{ record, nop }];
  });
  if (named.length === 0) return new Map();
  const found = await listLinkedAssessments(
    orm,
    named.map(({ nop }) => nop),
  );
  const byKey = new Map(found.map((one) => [keyOf(one.userId, one.nop, one.year), one]));
  return new Map(
    named.flatMap(({ record, nop }) => {
      const assessment = byKey.get(keyOf(record.userId, nop, record.year));
      return assessment ? [[record.id, assessment] as const] : [];
    }),
  );
}

export type ObjectOfYear = { userId: string; nop: string; year: number };

/** Finds the rows of the records that accounts have of objects; of several with the same digits the oldest counts. */
async function findRowids(
  orm: ConnectionOrTransaction,
  wanted: readonly ObjectOfYear[],
): Promise<Map<string, number[]>> {
  if (wanted.length === 0) return new Map();
  const keys = new Set(wanted.map(({ userId, nop, year }) => keyOf(userId, nop, year)));
  // The index of owner, year and number answers it without the wide rows.
  const rows = await orm.tuples<[number, string, number, string]>(
    sql`select ${rowNumber(taxRecords)}, ${taxRecords.userId}, ${taxRecords.year}, ${taxRecords.sptNumber} from ${taxRecords}
      where ${taxRecords.userId} in ${listOf(wanted.map(({ userId }) => userId))}
      and ${taxRecords.year} in ${listOfNumbers(wanted.map(({ year }) => year))}`,
  );
  const byKey = new Map<string, number[]>();
  for (const [rowid, userId, year, sptNumber] of rows) {
    const nop = findNop(sptNumber);
    const key = nop === null ? null : keyOf(userId, nop, year);
    if (key !== null && keys.has(key)) byKey.set(key, [...(byKey.get(key) ?? []), rowid]);
  }
  return byKey;
}

const isOlder = (a: RecordRow, b: RecordRow): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;

/** The records that accounts have of objects in a year, in the order of `wanted`; null where there is none. */
export async function listRecordsOfObjects(
  orm: ConnectionOrTransaction,
  wanted: readonly ObjectOfYear[],
): Promise<(RecordRow | null)[]> {
  const rowids = await findRowids(orm, wanted);
  if (rowids.size === 0) return wanted.map(() => null);
  const found = await orm
    .select({ row: taxRecords, rowid: rowNumber(taxRecords) })
    .from(taxRecords)
    .where(sql`${rowNumber(taxRecords)} in ${listOfNumbers([...rowids.values()].flat())}`)
    .all();
  const byRowid = new Map(found.map(({ row, rowid }) => [rowid, row]));
  return wanted.map(({ userId, nop, year }) => {
    const rows = (rowids.get(keyOf(userId, nop, year)) ?? []).flatMap((rowid) => byRowid.get(rowid) ?? []);
    return rows.reduce<RecordRow | null>((oldest, row) => (oldest && isOlder(oldest, row) ? oldest : row), null);
  });
}
