import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import {
  type ColumnOf,
  COPIED_FIELDS,
  type CopiedField,
  mapColumns,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { listOf } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';

/** SPT numbers after `afterSpt` up to and including `toSpt`, of one owner's records of one year. */
export type SptRange = { userId: string; year: number; afterSpt: string; toSpt: string };

const isInSptRange = ({ userId, year, afterSpt, toSpt }: SptRange) =>
  and(
    eq(taxRecords.userId, userId),
    eq(taxRecords.year, year),
    gt(taxRecords.sptNumber, afterSpt),
    lte(taxRecords.sptNumber, toSpt),
  );

/** The next SPT numbers that an owner's records of a year have, in their order; read from the index alone. */
export async function findSptNumbers(
  orm: ConnectionOrTransaction,
  { userId, year, afterSpt }: Omit<SptRange, 'toSpt'>,
  limit: number,
): Promise<string[]> {
  return (
    await orm
      .selectDistinct({ sptNumber: taxRecords.sptNumber })
      .from(taxRecords)
      .where(and(eq(taxRecords.userId, userId), eq(taxRecords.year, year), gt(taxRecords.sptNumber, afterSpt)))
      .orderBy(asc(taxRecords.sptNumber))
      .limit(limit)
      .all()
  ).map(({ sptNumber }) => sptNumber);
}

/** The SPT numbers of a range that already have a record in its year. */
export async function findTakenSptNumbers(orm: ConnectionOrTransaction, sptRange: SptRange): Promise<Set<string>> {
  const rows = await orm
    .selectDistinct({ sptNumber: taxRecords.sptNumber })
    .from(taxRecords)
    .where(isInSptRange(sptRange))
    .all();
  return new Set(rows.map(({ sptNumber }) => sptNumber));
}

/** Whether an account got a copy into a year at or after an instant. */
export async function hasCopySince(
  orm: ConnectionOrTransaction,
  { userId, year, sinceMs }: { userId: string; year: number; sinceMs: number },
): Promise<boolean> {
  const isCopySince = and(
    eq(taxRecords.userId, userId),
    eq(taxRecords.year, year),
    isNotNull(taxRecords.predecessorId),
    gte(taxRecords.createdAt, sinceMs),
  );
  return (await orm.select({ id: taxRecords.id }).from(taxRecords).where(isCopySince).limit(1).get()) !== undefined;
}

/** A restriction of the records that may be copied; null for all of the range. */
export type SourceFilter = { createdBeforeMs: number; neverRolledOver: true } | null;

const copiedColumns: { [Column in ColumnOf<CopiedField>]: (typeof taxRecords)[Column] } = mapColumns(
  COPIED_FIELDS,
  (field) => taxRecords[taxRecordFields[field].column],
);
const successor = alias(taxRecords, 'successor');

const selectSources = (orm: ConnectionOrTransaction) =>
  orm
    .select({
      id: taxRecords.id,
      ...copiedColumns,
      createdAtMs: taxRecords.createdAt,
      successorId: successor.id,
    })
    .from(taxRecords)
    .leftJoin(successor, eq(successor.predecessorId, taxRecords.id));

/** The records of a range with the columns of the plan, and the id of their copy if it still exists. */
export function findSources(orm: ConnectionOrTransaction, sptRange: SptRange, filter: SourceFilter) {
  return selectSources(orm)
    .where(
      and(
        isInSptRange(sptRange),
        filter ? lt(taxRecords.createdAt, filter.createdBeforeMs) : undefined,
        filter ? isNull(taxRecords.rolledOverAt) : undefined,
      ),
    )
    .all();
}

/** As `findSources`, of the records with these ids that an owner has; those of other owners are left out. */
export function findChosenSources(orm: ConnectionOrTransaction, userId: string, ids: readonly string[]) {
  return selectSources(orm)
    .where(and(inArray(taxRecords.id, listOf(ids)), eq(taxRecords.userId, userId)))
    .all();
}

/** The ids of an owner's records of a year that have one of these SPT numbers. */
export async function findIdsWithSptNumbers(
  orm: ConnectionOrTransaction,
  { userId, year }: Pick<SptRange, 'userId' | 'year'>,
  sptNumbers: readonly string[],
): Promise<string[]> {
  const isWithNumber = and(
    eq(taxRecords.userId, userId),
    eq(taxRecords.year, year),
    inArray(taxRecords.sptNumber, listOf(sptNumbers)),
  );
  return (await orm.select({ id: taxRecords.id }).from(taxRecords).where(isWithNumber).all()).map(({ id }) => id);
}

/** Marks records as rolled over; a time that is already there stays. */
export async function markRolledOver(tx: Transaction, ids: readonly string[], atMs: number): Promise<void> {
  await tx
    .update(taxRecords)
    .set({ rolledOverAt: atMs })
    .where(and(inArray(taxRecords.id, listOf(ids)), isNull(taxRecords.rolledOverAt)))
    .run();
}
