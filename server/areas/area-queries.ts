import { eq } from 'drizzle-orm';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { areas, dhkpBlocks } from '#server/db/schema.ts';

/** Areas and blocks, for the calls about areas and for the office's list. */

export type AreaRow = typeof areas.$inferSelect;
export type BlockRow = typeof dhkpBlocks.$inferSelect;

/** All of them: at most `AREAS_MAX`. */
export async function listAreas(orm: ConnectionOrTransaction): Promise<AreaRow[]> {
  return orm.select().from(areas).all();
}

export async function findArea(orm: ConnectionOrTransaction, id: string): Promise<AreaRow | undefined> {
  return orm.select().from(areas).where(eq(areas.id, id)).get();
}

/** At most a thousand, by block. */
export async function listBlocks(orm: ConnectionOrTransaction): Promise<BlockRow[]> {
  return orm.select().from(dhkpBlocks).orderBy(dhkpBlocks.block).all();
}
