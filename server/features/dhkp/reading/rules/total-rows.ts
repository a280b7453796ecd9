import type { Cell } from '../files/grid.ts';
import { cleanText, cutText } from './texts.ts';

/** `page`: sums of pages and what is carried over; `list`: a sum of the list. */
export type TotalKind = 'page' | 'list' | 'grand';

const PAGE =
  /^(?:SUB ?TOTAL|(?:DI ?)?PINDAHAN|DI ?PINDAHKAN|(?:JUMLAH|TOTAL) (?:(?:DI ?)?PINDAHAN|DI ?PINDAHKAN|HALAMAN|HAL))(?!\p{L})/u;
const GRAND = /^GRAND TOTAL(?!\p{L})/u;
const LIST = /^(?:JUMLAH|TOTAL)(?!\p{L})/u;
const OBJECTS = /(\d{1,3}(?:\.\d{3})+|\d+)\s*(?:OP|OBJEK|WP|SPPT|NOP|LEMBAR)\b/;
const LABEL_MAX = 100;
/** A page number may stand before the word. */
const TEXTS_MAX = 2;

/** @returns what a row sums, by its first texts; null for every other row */
export function totalOf(cells: readonly Cell[]): { kind: TotalKind; label: string; objects: number | null } | null {
  let seen = 0;
  for (const cell of cells) {
    const label = typeof cell === 'string' ? cleanText(cell) : '';
    if (!/\p{L}/u.test(label)) continue;
    const kind = kindOf(label);
    if (kind) return { kind, label: cutText(label, LABEL_MAX), objects: objectsIn(label) };
    seen += 1;
    if (seen === TEXTS_MAX) break;
  }
  return null;
}

function kindOf(label: string): TotalKind | null {
  const words = label
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (PAGE.test(words)) return 'page';
  if (GRAND.test(words)) return 'grand';
  return LIST.test(words) ? 'list' : null;
}

function objectsIn(label: string): number | null {
  const found = OBJECTS.exec(label.toUpperCase())?.[1];
  return found === undefined ? null : Number(found.replaceAll('.', ''));
}
