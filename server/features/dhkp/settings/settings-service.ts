import type { BlocksBody, DhkpSettings, DhkpSettingsBody } from '#shared/api/dhkp/settings.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { type BlockRow, findArea, listBlocks } from '#server/areas/area-queries.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import { invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { readDhkpSettings, replaceBlocks, saveDhkpSettings } from './settings-queries.ts';

type AuditedValues = Record<string, string | null>;
export type Blocks = { blocks: BlockRow[]; found: { block: string; objects: number }[] };

/** Choices for all lists, and the areas of blocks (R-DHKP-13, R-DHKP-14). @param onChange called after each save */
export function createDhkpSettings(context: ServiceContext, onChange: () => Promise<void>) {
  const { orm, write, policy, audit, queryWorker, now } = context;

  async function auditedBlocks(tx: Transaction): Promise<AuditedValues> {
    const rows = await listBlocks(tx);
    const names = await Promise.all(rows.map(async ({ areaId }) => (await findArea(tx, areaId))?.name ?? null));
    return Object.fromEntries(rows.map(({ block }, index) => [`block:${block}`, names[index] ?? null]));
  }

  async function readBlocks(caller: ListCaller): Promise<Blocks> {
    return { blocks: await listBlocks(orm), found: await queryWorker.run('dhkpBlocks', undefined, caller) };
  }

  return {
    current: (): Promise<DhkpSettings> => readDhkpSettings(orm),

    /** Absent fields stay. @throws 401, 403 */
    async save(currentUser: CurrentUser, body: DhkpSettingsBody): Promise<DhkpSettings> {
      const saved = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const before = await readDhkpSettings(tx);
        const after: DhkpSettings = {
          prefix: body.prefix === undefined ? before.prefix : body.prefix,
          book_limits: body.book_limits ?? before.book_limits,
          due_date_by_year: body.due_date_by_year ?? before.due_date_by_year,
        };
        await saveDhkpSettings(tx, after, now());
        await audit.listSettingsChanged(tx, currentUser, auditedSettings(before), auditedSettings(after));
        return after;
      });
      await onChange();
      return saved;
    },

    blocks: readBlocks,

    /** The list replaces the one before it. @throws 401, 403, 422 for an unknown area */
    async saveBlocks(currentUser: CurrentUser, body: BlocksBody, caller: ListCaller): Promise<Blocks> {
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const rows = body.flatMap(({ block, area_id: areaId }) => (areaId === null ? [] : [{ block, areaId }]));
        for (const areaId of new Set(rows.map((row) => row.areaId))) {
          if (!(await findArea(tx, areaId))) throw invalid('area_id', dhkpTexts.areaUnknown);
        }
        const before = await auditedBlocks(tx);
        await replaceBlocks(tx, rows);
        await audit.listSettingsChanged(tx, currentUser, before, await auditedBlocks(tx));
      });
      await onChange();
      return readBlocks(caller);
    },
  };
}
export type DhkpSettingsService = ReturnType<typeof createDhkpSettings>;

const auditedSettings = ({ prefix, book_limits, due_date_by_year }: DhkpSettings): AuditedValues => ({
  prefix,
  book_limits: book_limits.map((limit) => limit.toLocaleString('id-ID')).join(' · '),
  ...Object.fromEntries(Object.entries(due_date_by_year).map(([year, date]) => [`due:${year}`, date])),
});
