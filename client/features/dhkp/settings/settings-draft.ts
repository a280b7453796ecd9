import type { DhkpSettings } from '#shared/api/dhkp/settings.ts';

/** A block of the list and its area; '' for none. `objects`: how many the newest list has there. */
export type BlockDraft = { block: string; areaId: string; objects: number };
export type DueDateDraft = { year: number; date: string | null };

/** The settings of the list while they are edited. */
export type SettingsDraft = {
  prefix: string;
  /** The largest amounts of books I to IV; '' while a field is empty. */
  limits: (number | string)[];
  dueDates: DueDateDraft[];
  blocks: BlockDraft[];
};

type StoredBlocks = {
  data: readonly { block: string; area_id: string }[];
  found: readonly { block: string; objects: number }[];
};

/** The blocks with an area and those of the newest list, in their order. */
function blockDrafts({ data, found }: StoredBlocks): BlockDraft[] {
  const blocks = new Map(found.map(({ block, objects }) => [block, { block, areaId: '', objects }]));
  for (const { block, area_id: areaId } of data)
    blocks.set(block, { block, areaId, objects: blocks.get(block)?.objects ?? 0 });
  return [...blocks.values()].toSorted((a, b) => a.block.localeCompare(b.block));
}

/** @param years offered besides the stored ones */
export function draftOf(settings: DhkpSettings, blocks: StoredBlocks, years: readonly number[]): SettingsDraft {
  const stored = Object.keys(settings.due_date_by_year).map(Number);
  const all = [...new Set([...years, ...stored])].toSorted((a, b) => b - a);
  return {
    prefix: settings.prefix ?? '',
    limits: [...settings.book_limits],
    dueDates: all.map((year) => ({ year, date: settings.due_date_by_year[String(year)] ?? null })),
    blocks: blockDrafts(blocks),
  };
}

export const isSameDraft = (one: SettingsDraft, other: SettingsDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const PREFIX = /^\d{10}$/;

export const isPrefixWrong = ({ prefix }: SettingsDraft): boolean => prefix !== '' && !PREFIX.test(prefix);

/** Each limit is above the one before it. */
export function areLimitsWrong({ limits }: SettingsDraft): boolean {
  return limits.some(
    (limit, index) => typeof limit !== 'number' || limit < 1 || limit <= Number(index === 0 ? 0 : limits[index - 1]),
  );
}

export function settingsOf(draft: SettingsDraft): DhkpSettings {
  return {
    prefix: draft.prefix === '' ? null : draft.prefix,
    book_limits: draft.limits.map(Number),
    due_date_by_year: Object.fromEntries(
      draft.dueDates.flatMap(({ year, date }) => (date === null ? [] : [[String(year), date]])),
    ),
  };
}

export const blocksOf = ({ blocks }: SettingsDraft): { block: string; area_id: string }[] =>
  blocks.flatMap(({ block, areaId }) => (areaId === '' ? [] : [{ block, area_id: areaId }]));
