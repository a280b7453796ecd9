import type { FastifyInstance } from 'fastify';
import type { Area } from '#shared/api/areas.ts';
import { areaCalls } from '#shared/api/calls/areas.ts';
import { areaPath } from '#shared/domain/dhkp/area-names.ts';
import type { countObjectsInArea } from '#server/areas/area-filter-queries.ts';
import type { AreaRow } from '#server/areas/area-queries.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { presentIds, presentSingle, presentTimes } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createAreaService } from './service.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    areaObjects: typeof countObjectsInArea;
  }
}

type AreaDeps = FeatureDeps & {
  /** The list shows another area of its objects. */
  onAreasChanged: () => Promise<void>;
};

/** Adds the areas of the village. */
export function registerAreas(app: FastifyInstance, { context, guards, onAreasChanged }: AreaDeps): void {
  const areas = createAreaService(context, onAreasChanged);

  async function presentSaved(row: AreaRow): Promise<Area> {
    return presentArea(row, new Map((await areas.list()).map((area) => [area.id, area])));
  }

  serveCalls(app, guards, areaCalls, {
    'GET /admin/areas': async () => presentSingle('Wilayah', presentTree(await areas.list())),
    'POST /admin/areas': async ({ currentUser, body }) =>
      presentSingle('Wilayah disimpan', await presentSaved(await areas.create(currentUser, body))),
    'PUT /admin/areas/{id}': async ({ currentUser, params, body }) =>
      presentSingle('Wilayah disimpan', await presentSaved(await areas.update(currentUser, params.id, body))),
    'DELETE /admin/areas/{id}': async (received) => {
      await areas.remove(received.currentUser, received.params.id, listCallerOf(received));
      return presentSingle('Wilayah dihapus', {});
    },
  });
}

const byPath = new Intl.Collator('id', { numeric: true });

function presentTree(rows: readonly AreaRow[]): Area[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.map((row) => presentArea(row, byId)).toSorted((a, b) => byPath.compare(a.path, b.path));
}

function presentArea(row: AreaRow, byId: ReadonlyMap<string, AreaRow>): Area {
  return {
    ...presentIds(row.id),
    name: row.name,
    kind: row.kind,
    parent_id: row.parentId,
    path: areaPath(row, byId),
    ...presentTimes(row),
  };
}
