/** The parts of a village: a tree of at most three levels, in this order. */
export const AREA_KINDS = ['dusun', 'rw', 'rt'] as const;
export type AreaKind = (typeof AREA_KINDS)[number];

export type AreaNode = { id: string; name: string; kind: AreaKind; parentId: string | null };

const LEADING_WORDS: Record<AreaKind, RegExp> = {
  dusun: /^(?:dusun|dukuh|dsn|dkh|dk)\b[\s.]*/,
  rw: /^r\.?\s*w\b[\s.]*/,
  rt: /^r\.?\s*t\b[\s.]*/,
};

/** @returns a name by which two writings of it are compared: `RT. 05` and `5` are the same */
export function comparableAreaName(kind: AreaKind, text: string | null): string {
  const name = (text ?? '').trim().toLowerCase().replace(LEADING_WORDS[kind], '');
  return name
    .replaceAll(/[\s.\-/]+/g, ' ')
    .trim()
    .replace(/^0+(?=\d)/, '');
}

/** A name as it stands in a path: `05` of an RT is `RT 05`. */
function labelOf({ kind, name }: Pick<AreaNode, 'kind' | 'name'>): string {
  return kind === 'dusun' || LEADING_WORDS[kind].test(name.toLowerCase()) ? name : `${kind.toUpperCase()} ${name}`;
}

/** The areas from the top down to this one. */
export function areaChain(area: AreaNode, byId: ReadonlyMap<string, AreaNode>): AreaNode[] {
  const parent = area.parentId === null ? undefined : byId.get(area.parentId);
  // Earlier versions accepted an area as its own parent.
  return parent && parent.id !== area.id ? [...areaChain(parent, byId), area] : [area];
}

/** The name of an area with those above it, `Krajan / RW 02 / RT 05`. */
export function areaPath(area: AreaNode, byId: ReadonlyMap<string, AreaNode>): string {
  return areaChain(area, byId).map(labelOf).join(' / ');
}
