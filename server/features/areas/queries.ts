import { and, count, eq, ne } from 'drizzle-orm';
import { v7 as newId } from 'uuid';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { areas, assessments, objects } from '#server/db/schema.ts';
import type { AreaRow } from '#server/areas/area-queries.ts';

export type AreaFields = Pick<AreaRow, 'name' | 'kind' | 'parentId' | 'uniqueName'>;

export async function countAreas(orm: ConnectionOrTransaction): Promise<number> {
  return (await orm.select({ total: count() }).from(areas).get())?.total ?? 0;
}

/** Without the area itself: earlier versions accepted it as its own parent. */
export async function listAreasBelow(orm: ConnectionOrTransaction, parentId: string): Promise<AreaRow[]> {
  return orm
    .select()
    .from(areas)
    .where(and(eq(areas.parentId, parentId), ne(areas.id, parentId)))
    .all();
}

export async function findAreaByUniqueName(
  orm: ConnectionOrTransaction,
  uniqueName: string,
): Promise<AreaRow | undefined> {
  return orm.select().from(areas).where(eq(areas.uniqueName, uniqueName)).get();
}

export async function insertArea(tx: Transaction, fields: AreaFields, nowMs: number): Promise<AreaRow> {
  return tx
    .insert(areas)
    .values({ id: newId(), ...fields, createdAt: nowMs, updatedAt: nowMs })
    .returning()
    .get();
}

export async function updateArea(tx: Transaction, { id, ...columns }: AreaRow): Promise<void> {
  await tx.update(areas).set(columns).where(eq(areas.id, id)).run();
}

/** Takes it away from blocks too. */
export async function deleteArea(tx: Transaction, id: string): Promise<void> {
  await tx.delete(areas).where(eq(areas.id, id)).run();
}

/** Whether the office gave an object this area, now or for the next list. Read from indexes. */
export async function isAreaGiven(orm: ConnectionOrTransaction, id: string): Promise<boolean> {
  const given = await orm.select({ nop: assessments.nop }).from(assessments).where(eq(assessments.areaId, id)).get();
  if (given) return true;
  return (await orm.select({ nop: objects.nop }).from(objects).where(eq(objects.areaId, id)).get()) !== undefined;
}
