import type { AreaBody, UpdateAreaBody } from '#shared/api/areas.ts';
import { AREA_KINDS, type AreaKind, comparableAreaName } from '#shared/domain/dhkp/area-names.ts';
import { AREAS_MAX } from '#shared/limits.ts';
import { areaTexts } from '#shared/texts.ts';
import { type AreaRow, findArea, listAreas } from '#server/areas/area-queries.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import * as queries from './queries.ts';

const rankOf = (kind: AreaKind): number => AREA_KINDS.indexOf(kind);
const uniqueNameOf = ({ kind, name, parentId }: Pick<AreaRow, 'kind' | 'name' | 'parentId'>): string =>
  `${parentId ?? ''}/${kind}/${comparableAreaName(kind, name) || name.toLowerCase()}`;

/** Dusun, RW and RT of the village, a tree of at most three levels (R-DHKP-20). @param onChange called after each change */
export function createAreaService(context: ServiceContext, onChange: () => Promise<void>) {
  const { orm, write, policy, audit, queryWorker, now } = context;

  /** @throws 404 */
  async function requireArea(tx: Transaction, id: string): Promise<AreaRow> {
    const row = await findArea(tx, id);
    if (!row) throw notFound(areaTexts.missing);
    return row;
  }

  /** An area is below another one of a larger kind only, so the tree has neither circles nor a fourth level. @throws 422 */
  async function requireParent(
    tx: Transaction,
    { kind, parentId }: Pick<AreaRow, 'kind' | 'parentId'>,
    ownId: string | null,
  ): Promise<void> {
    if (parentId === null) return;
    const parent = await findArea(tx, parentId);
    // The stored kind of the area itself may be larger than the one it is to have.
    if (!parent || parentId === ownId || rankOf(parent.kind) >= rankOf(kind))
      throw invalid('parent_id', areaTexts.parentInvalid);
  }

  /** @throws 409 */
  async function requireFreeName(tx: Transaction, uniqueName: string, ownId: string | null): Promise<void> {
    const found = await queries.findAreaByUniqueName(tx, uniqueName);
    if (found && found.id !== ownId) throw conflict(areaTexts.nameTaken);
  }

  const nameOf = async (tx: Transaction, id: string | null): Promise<string | null> =>
    id === null ? null : ((await findArea(tx, id))?.name ?? null);

  const audited = async (tx: Transaction, row: AreaRow) => ({ ...row, parent: await nameOf(tx, row.parentId) });

  return {
    list: async (): Promise<AreaRow[]> => listAreas(orm),

    /** @throws 401, 403, 409 for a name that is taken, or too many, 422 */
    async create(currentUser: CurrentUser, { name, kind, parent_id: parentId }: AreaBody): Promise<AreaRow> {
      const created = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const fields = { name, kind, parentId, uniqueName: uniqueNameOf({ kind, name, parentId }) };
        await requireParent(tx, fields, null);
        await requireFreeName(tx, fields.uniqueName, null);
        if ((await queries.countAreas(tx)) >= AREAS_MAX) throw conflict(areaTexts.tooMany);
        const row = await queries.insertArea(tx, fields, now());
        await audit.areaCreated(tx, currentUser, await audited(tx, row));
        return row;
      });
      await onChange();
      return created;
    },

    /** @throws 401, 403, 404, 409 for a name that is taken, or changed since loaded, 422 */
    async update(currentUser: CurrentUser, id: string, body: UpdateAreaBody): Promise<AreaRow> {
      const changed = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const before = await requireArea(tx, id);
        requireUnchanged(before, body.updated_at);
        const fields = {
          name: body.name ?? before.name,
          kind: body.kind ?? before.kind,
          parentId: body.parent_id === undefined ? before.parentId : body.parent_id,
        };
        await requireParent(tx, fields, id);
        const below = await queries.listAreasBelow(tx, id);
        if (below.some(({ kind }) => rankOf(kind) <= rankOf(fields.kind))) {
          throw invalid('kind', areaTexts.kindInvalid);
        }
        const uniqueName = uniqueNameOf(fields);
        await requireFreeName(tx, uniqueName, id);
        const after = { ...before, ...fields, uniqueName, updatedAt: nextUpdatedAt(before, now()) };
        await queries.updateArea(tx, after);
        await audit.areaChanged(tx, currentUser, await audited(tx, before), await audited(tx, after));
        return after;
      });
      await onChange();
      return changed;
    },

    /** @throws 401, 403, 404, 409 while objects or other areas are in it */
    async remove(currentUser: CurrentUser, id: string, caller: ListCaller): Promise<void> {
      const below = (await queries.listAreasBelow(orm, id)).length;
      if (below > 0) throw conflict(areaTexts.hasAreas(below));
      const inside = await queryWorker.run('areaObjects', id, { ...caller, isSlow: true });
      if (inside > 0) throw conflict(areaTexts.hasObjects(inside));
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const row = await requireArea(tx, id);
        const areasNow = (await queries.listAreasBelow(tx, id)).length;
        if (areasNow > 0) throw conflict(areaTexts.hasAreas(areasNow));
        // An object may have got it since the count.
        if (await queries.isAreaGiven(tx, id)) throw conflict(areaTexts.hasObjects(1));
        await queries.deleteArea(tx, id);
        await audit.areaDeleted(tx, currentUser, await audited(tx, row));
      });
      await onChange();
    },
  };
}
