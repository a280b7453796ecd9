import { type SQL, sql } from 'drizzle-orm';
import { byIndex, withoutIndex } from '#server/db/dialect.ts';
import { listOf } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { assessments, objects } from '#server/db/schema.ts';
import { type AreaPlaces, createAreaPlaces } from './area-places.ts';
import { listAreas, listBlocks } from './area-queries.ts';

export async function readAreaPlaces(orm: ConnectionOrTransaction): Promise<AreaPlaces> {
  return createAreaPlaces(await listAreas(orm), await listBlocks(orm));
}

/** The different places that files name, read from the index alone: each one is found by the one before it. */
async function listPlaceKeys(orm: ConnectionOrTransaction): Promise<string[]> {
  const { placeKey } = assessments;
  return orm.column<string>(sql`
    with recursive keys(key) as (
      select min(${placeKey}) from ${assessments} where ${placeKey} is not null
      union all
      select (select min(${placeKey}) from ${assessments} where ${placeKey} > keys.key) from keys where key is not null
    )
    select key from keys where key is not null`);
}

/** Whether an assessment is in one of these areas by what decides its area. */
export async function isInAreas(
  orm: ConnectionOrTransaction,
  places: AreaPlaces,
  ids: ReadonlySet<string>,
): Promise<SQL> {
  const named = (await listPlaceKeys(orm)).flatMap((key) => {
    const areaId = places.areaOfPlace(key);
    return areaId === null ? [] : [{ key, isInside: ids.has(areaId) }];
  });
  const { areaId, placeKey, block } = assessments;
  const inside = listOf(named.filter(({ isInside }) => isInside).map(({ key }) => key));
  const all = listOf(named.map(({ key }) => key));
  return sql`(${withoutIndex(areaId)} in ${listOf(ids)} or (${withoutIndex(areaId)} is null and (${withoutIndex(placeKey)} in ${inside}
    or ((${placeKey} is null or ${placeKey} not in ${all}) and ${withoutIndex(block)} in ${listOf(places.blocksIn(ids))}))))`;
}

/**
 * Counts the objects that are in an area in any year, or that would be in it in the next one. It reads every assessment, so it
 * runs in the query worker.
 */
export async function countObjectsInArea(orm: ConnectionOrTransaction, areaId: string): Promise<number> {
  const places = await readAreaPlaces(orm);
  const isInside = await isInAreas(orm, places, new Set([areaId]));
  const counted = await orm.value<number>(sql`
    select count(*) from (
      select ${assessments.nop} from ${byIndex(assessments, 'assessments_list')} where ${isInside}
      union select ${objects.nop} from ${objects} where ${objects.areaId} = ${areaId}
    ) as inside`);
  return counted ?? 0;
}
