import { sql } from 'drizzle-orm';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { taxRecords } from '#server/db/schema.ts';

export type CardRow = typeof taxRecords.$inferSelect;

/** Records by their ids; one query. Of records that are gone there is none. */
export function readCardRows(orm: ConnectionOrTransaction, ids: Iterable<string>): ReadonlyMap<string, CardRow> {
  const rows = orm
    .select()
    .from(taxRecords)
    // As one value: a long history may have more cards than a statement has parameters.
    .where(sql`${taxRecords.id} in (select value from json_each(${JSON.stringify([...ids])}))`)
    .all();
  return new Map(rows.map((row) => [row.id, row]));
}
