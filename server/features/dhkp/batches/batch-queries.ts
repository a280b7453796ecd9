import { and, asc, count, desc, eq, inArray, isNotNull, lt, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { RowFilter } from '#shared/domain/dhkp/list-states.ts';
import { KEPT_BATCHES, LAYOUTS_MAX } from '#shared/limits.ts';
import { isTrue } from '#server/db/dialect.ts';
import { insertMany, listOf } from '#server/db/many-rows.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { dhkpBatches, dhkpBatchRows, dhkpLayouts, dhkpYears } from '#server/db/schema.ts';
import type { BatchRowRow } from './apply-queries.ts';

export type BatchRecord = typeof dhkpBatches.$inferSelect;
type BatchStateStored = BatchRecord['state'];

/** Neither applied nor discarded. */
const OPEN_STATES: BatchStateStored[] = ['reading', 'mapping', 'ready', 'failed'];

export async function findBatch(orm: ConnectionOrTransaction, id: string): Promise<BatchRecord | undefined> {
  return orm.select().from(dhkpBatches).where(eq(dhkpBatches.id, id)).get();
}

export async function findByClientId(
  orm: ConnectionOrTransaction,
  byId: string,
  clientId: string,
): Promise<BatchRecord | undefined> {
  return orm
    .select()
    .from(dhkpBatches)
    .where(and(eq(dhkpBatches.byId, byId), eq(dhkpBatches.clientId, clientId)))
    .get();
}

/** Newest first. */
export function listBatches(
  orm: ConnectionOrTransaction,
  limit: number,
  offset: number,
): Promise<{ rows: BatchRecord[]; total: number }> {
  // One snapshot, so that the total agrees with the rows.
  return readSnapshot(orm, async (tx) => {
    const rows = await tx
      .select()
      .from(dhkpBatches)
      .orderBy(desc(dhkpBatches.createdAt), desc(dhkpBatches.id))
      .limit(limit)
      .offset(offset)
      .all();
    const counted = await tx.select({ total: count() }).from(dhkpBatches).get();
    return { rows, total: counted?.total ?? 0 };
  });
}

export async function countOpen(tx: Transaction): Promise<number> {
  const counted = await tx
    .select({ total: count() })
    .from(dhkpBatches)
    .where(inArray(dhkpBatches.state, OPEN_STATES))
    .get();
  return counted?.total ?? 0;
}

export async function listIdsInState(
  orm: ConnectionOrTransaction,
  ...states: BatchStateStored[]
): Promise<{ id: string; state: BatchStateStored }[]> {
  return orm
    .select({ id: dhkpBatches.id, state: dhkpBatches.state })
    .from(dhkpBatches)
    .where(inArray(dhkpBatches.state, states))
    .orderBy(asc(dhkpBatches.createdAt), asc(dhkpBatches.id))
    .all();
}

/** Whether rows of the year are being put back: then nothing else may change them. */
export async function isReverting(tx: Transaction, year: number): Promise<boolean> {
  const found = await tx
    .select({ id: dhkpBatches.id })
    .from(dhkpBatches)
    .where(and(eq(dhkpBatches.state, 'reverting'), eq(dhkpBatches.year, year)))
    .get();
  return found !== undefined;
}

/** The newest import of the year that is applied, or is being applied or put back. */
export async function findNewestApplied(tx: Transaction, year: number): Promise<BatchRecord | undefined> {
  return tx
    .select()
    .from(dhkpBatches)
    .where(and(inArray(dhkpBatches.state, ['applying', 'applied', 'reverting']), eq(dhkpBatches.year, year)))
    .orderBy(desc(dhkpBatches.listVersion))
    .limit(1)
    .get();
}

/** Whether a batch is being read, and its rows are stored under this name. */
export async function isReadInto(tx: Transaction, id: string, previewId: string): Promise<boolean> {
  const named = and(eq(dhkpBatches.id, id), eq(dhkpBatches.state, 'reading'), eq(dhkpBatches.previewId, previewId));
  return (await tx.select({ id: dhkpBatches.id }).from(dhkpBatches).where(named).get()) !== undefined;
}

export async function insertBatch(tx: Transaction, row: BatchRecord): Promise<void> {
  await tx.insert(dhkpBatches).values(row).run();
}

export async function updateBatch(tx: Transaction, id: string, columns: Partial<BatchRecord>): Promise<void> {
  await tx.update(dhkpBatches).set(columns).where(eq(dhkpBatches.id, id)).run();
}

export async function deleteBatch(tx: Transaction, id: string): Promise<void> {
  await tx.delete(dhkpBatches).where(eq(dhkpBatches.id, id)).run();
}

/** The imports of a year whose file and rows are kept no longer: reverted ones, and all but the newest applied ones. */
export async function listOutdated(tx: Transaction, year: number): Promise<BatchRecord[]> {
  const ofYear = eq(dhkpBatches.year, year);
  const applied = and(ofYear, eq(dhkpBatches.state, 'applied'));
  const newest = tx
    .select({ id: dhkpBatches.id })
    .from(dhkpBatches)
    .where(applied)
    .orderBy(desc(dhkpBatches.listVersion))
    .limit(KEPT_BATCHES);
  return tx
    .select()
    .from(dhkpBatches)
    .where(
      and(
        ofYear,
        inArray(dhkpBatches.state, ['applied', 'reverted']),
        or(ne(dhkpBatches.state, 'applied'), notInArray(dhkpBatches.id, newest)),
        or(isNotNull(dhkpBatches.file), isNotNull(dhkpBatches.previewId)),
      ),
    )
    .all();
}

/** Changes whenever an import is applied to the year or taken back. */
export async function readListVersion(orm: ConnectionOrTransaction, year: number): Promise<number> {
  const row = await orm.select().from(dhkpYears).where(eq(dhkpYears.year, year)).get();
  return row?.version ?? 0;
}

/** @returns the new version */
export async function raiseListVersion(tx: Transaction, year: number): Promise<number> {
  const version = (await readListVersion(tx, year)) + 1;
  await tx
    .insert(dhkpYears)
    .values({ year, version })
    .onConflictDoUpdate({ target: dhkpYears.year, set: { version } })
    .run();
  return version;
}

export const insertBatchRows = (tx: Transaction, rows: readonly BatchRowRow[]): Promise<void> =>
  insertMany(tx, dhkpBatchRows, rows);

/** Counted in an index. */
export async function countBatchRows(tx: Transaction, previewId: string): Promise<number> {
  const counted = await tx
    .select({ total: count() })
    .from(dhkpBatchRows)
    .where(eq(dhkpBatchRows.previewId, previewId))
    .get();
  return counted?.total ?? 0;
}

/** @returns whether there may be more */
export async function deleteBatchRows(tx: Transaction, previewId: string, limit: number): Promise<boolean> {
  const { previewId: preview, position } = dhkpBatchRows;
  const last = await tx
    .select({ position })
    .from(dhkpBatchRows)
    .where(eq(preview, previewId))
    .orderBy(asc(position))
    .limit(1)
    .offset(limit)
    .get();
  await tx
    .delete(dhkpBatchRows)
    .where(and(eq(preview, previewId), last ? lt(position, last.position) : undefined))
    .run();
  return last !== undefined;
}

/** The names of stored rows that no batch has: a crash left them behind. Each name is found by the one before it. */
export async function listLeftPreviews(orm: ConnectionOrTransaction): Promise<string[]> {
  const { previewId } = dhkpBatchRows;
  return orm.column<string>(sql`
    with recursive names(name) as (
      select min(${previewId}) from ${dhkpBatchRows}
      union all
      select (select min(${previewId}) from ${dhkpBatchRows} where ${previewId} > names.name) from names
        where name is not null
    )
    select name from names where name is not null
      and not exists (select 1 from ${dhkpBatches} where ${dhkpBatches.previewId} = names.name)`);
}

function withFilter(previewId: string, kind: RowFilter | undefined): SQL | undefined {
  const ofPreview = eq(dhkpBatchRows.previewId, previewId);
  if (kind === undefined) return ofPreview;
  // Written as in the condition of its index.
  return and(ofPreview, kind === 'warning' ? isTrue(dhkpBatchRows.hasWarning) : eq(dhkpBatchRows.status, kind));
}

/** A page of rows in the order of the file. */
export function listBatchRows(
  orm: ConnectionOrTransaction,
  previewId: string,
  kind: RowFilter | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: BatchRowRow[]; total: number }> {
  const where = withFilter(previewId, kind);
  return readSnapshot(orm, async (tx) => {
    const counted = await tx.select({ total: count() }).from(dhkpBatchRows).where(where).get();
    const rows = await tx
      .select()
      .from(dhkpBatchRows)
      .where(where)
      .orderBy(asc(dhkpBatchRows.position))
      .limit(limit)
      .offset(offset)
      .all();
    return { rows, total: counted?.total ?? 0 };
  });
}

/** Whether the file of a preview names this object, in whatever row. */
export async function listNopsInPreview(
  tx: Transaction,
  previewId: string,
  nops: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .select({ nop: dhkpBatchRows.nop })
    .from(dhkpBatchRows)
    .where(and(eq(dhkpBatchRows.previewId, previewId), inArray(dhkpBatchRows.nop, listOf(nops))))
    .all();
  return new Set(rows.flatMap(({ nop }) => nop ?? []));
}

export type LayoutRow = typeof dhkpLayouts.$inferSelect;

export async function listLayouts(orm: ConnectionOrTransaction): Promise<LayoutRow[]> {
  return orm.select().from(dhkpLayouts).orderBy(desc(dhkpLayouts.updatedAt)).all();
}

/** The oldest one goes when there are too many. */
export async function saveLayout(tx: Transaction, row: LayoutRow): Promise<void> {
  await tx.insert(dhkpLayouts).values(row).onConflictDoUpdate({ target: dhkpLayouts.headers, set: row }).run();
  const kept = tx
    .select({ headers: dhkpLayouts.headers })
    .from(dhkpLayouts)
    .orderBy(desc(dhkpLayouts.updatedAt), dhkpLayouts.headers)
    .limit(LAYOUTS_MAX);
  await tx.delete(dhkpLayouts).where(notInArray(dhkpLayouts.headers, kept)).run();
}
