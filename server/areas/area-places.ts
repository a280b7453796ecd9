import {
  AREA_KINDS,
  areaChain,
  type AreaKind,
  type AreaNode,
  areaPath,
  comparableAreaName,
} from '#shared/domain/dhkp/area-names.ts';
import type { BlockRow } from './area-queries.ts';

/** The area of an object: its own one, else the one that its file names, else that of its block (R-DHKP-13). */

type Place = Record<AreaKind, string | null>;
/** The columns that decide the area of an assessment. */
export type Placed = { areaId: string | null; placeKey: string | null; block: string };

const SEPARATOR = '|';

/** The columns dusun, RW and RT of a file in a comparable form; null without any of them. */
export function placeKey(place: Place): string | null {
  const names = AREA_KINDS.map((kind) => comparableAreaName(kind, place[kind]).replaceAll(SEPARATOR, ' '));
  return names.every((name) => name === '') ? null : names.join(SEPARATOR);
}

export function createAreaPlaces(areas: readonly AreaNode[], blocks: readonly BlockRow[]) {
  const byId = new Map(areas.map((area) => [area.id, area]));
  const byBlock = new Map(blocks.map(({ block, areaId }) => [block, areaId]));
  const paths = new Map<string, string>();
  const foundByKey = new Map<string, string | null>();
  const byName = Map.groupBy(areas, ({ kind, name }) => kind + SEPARATOR + comparableAreaName(kind, name));

  /** Whether no area above contradicts the place. */
  function isAt(area: AreaNode, place: ReadonlyMap<AreaKind, string>): boolean {
    return areaChain(area, byId).every(({ kind, name }) => {
      const named = place.get(kind) ?? '';
      return named === '' || named === comparableAreaName(kind, name);
    });
  }

  function findNamed(key: string): string | null {
    const names = key.split(SEPARATOR);
    const place = new Map(AREA_KINDS.map((kind, index) => [kind, names[index] ?? '']));
    // The smallest named area that exists; one of two is never guessed.
    for (const kind of AREA_KINDS.toReversed()) {
      const name = place.get(kind) ?? '';
      if (name === '') continue;
      const [found, other] = (byName.get(kind + SEPARATOR + name) ?? []).filter((area) => isAt(area, place));
      if (found && !other) return found.id;
    }
    return null;
  }

  /** @returns the area that a file names by its columns; null when there is none such */
  function areaOfPlace(key: string): string | null {
    const known = foundByKey.get(key);
    if (known !== undefined) return known;
    const found = findNamed(key);
    foundByKey.set(key, found);
    return found;
  }

  return {
    areaOfPlace,

    areaOf: ({ areaId, placeKey: key, block }: Placed): string | null =>
      areaId ?? (key === null ? null : areaOfPlace(key)) ?? byBlock.get(block) ?? null,

    /** @returns null for an unknown id */
    pathOf(id: string): string | null {
      const area = byId.get(id);
      if (!area) return null;
      const path = paths.get(id) ?? areaPath(area, byId);
      paths.set(id, path);
      return path;
    },

    /** An area with all below it; empty for an unknown id. */
    withAllBelow: (id: string): Set<string> =>
      new Set(areas.filter((area) => areaChain(area, byId).some((above) => above.id === id)).map((area) => area.id)),

    blocksIn: (ids: ReadonlySet<string>): string[] =>
      blocks.filter(({ areaId }) => ids.has(areaId)).map(({ block }) => block),
  };
}
export type AreaPlaces = ReturnType<typeof createAreaPlaces>;
