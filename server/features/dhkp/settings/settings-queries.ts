import { count, desc, eq, sql } from 'drizzle-orm';
import type { DhkpSettings } from '#shared/api/dhkp/settings.ts';
import { BOOK_LIMITS_DEFAULT } from '#shared/domain/dhkp/books.ts';
import { byIndex } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { assessments, dhkpBlocks, dhkpSettings } from '#server/db/schema.ts';
import type { BlockRow } from '#server/areas/area-queries.ts';

/** The table has one row. */
const ROW_ID = 1;

/** The settings that hold before an admin saved any. */
const DEFAULTS: DhkpSettings = { prefix: null, book_limits: [...BOOK_LIMITS_DEFAULT], due_date_by_year: {} };

export async function readDhkpSettings(orm: ConnectionOrTransaction): Promise<DhkpSettings> {
  const row = await orm.select().from(dhkpSettings).limit(1).get();
  return row ? { prefix: row.prefix, book_limits: row.bookLimits, due_date_by_year: row.dueDateByYear } : DEFAULTS;
}

export async function saveDhkpSettings(tx: Transaction, settings: DhkpSettings, updatedAt: number): Promise<void> {
  const row = {
    prefix: settings.prefix,
    bookLimits: settings.book_limits,
    dueDateByYear: settings.due_date_by_year,
    updatedAt,
  };
  await tx
    .insert(dhkpSettings)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: dhkpSettings.id, set: row })
    .run();
}

export async function replaceBlocks(tx: Transaction, rows: readonly BlockRow[]): Promise<void> {
  await tx.delete(dhkpBlocks).run();
  for (const row of rows) await tx.insert(dhkpBlocks).values(row).run();
}

/** The blocks of the newest list, with their objects. It reads the list of a year, so it runs in the query worker. */
export async function readFoundBlocks(orm: ConnectionOrTransaction): Promise<{ block: string; objects: number }[]> {
  const { year, block } = assessments;
  const newest = await orm.select({ year }).from(assessments).orderBy(desc(year)).limit(1).get();
  if (!newest) return [];
  return orm
    .select({ block, objects: count() })
    .from(assessments)
    .where(eq(year, newest.year))
    .groupBy(block)
    .orderBy(block)
    .all();
}

/** All years with a list, newest first: each one is found by the one before it. */
export async function listYears(orm: ConnectionOrTransaction): Promise<number[]> {
  const years: number[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const found = await orm.value<number | null>(
      sql`select max(year) from ${byIndex(assessments, 'assessments_list')} where year < ${before}`,
    );
    if (found === undefined || found === null) return years;
    years.push(found);
    before = found;
  }
}
