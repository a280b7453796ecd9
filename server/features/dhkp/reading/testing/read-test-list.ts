import type { ListRead, ReadChoices } from '#server/features/dhkp/reading/list-reading.ts';
import { type ListSource, readList } from '#server/features/dhkp/reading/read-list.ts';

/** Ten digits of the village in tests, as `35.15.180.012`. */
export const VILLAGE = '3515180012';

/** @returns a NOP of that village with its 18 digits */
export const nopOf = (number: number, block = 1, village = VILLAGE): string =>
  `${village}${String(block).padStart(3, '0')}${String(number).padStart(4, '0')}0`;

/** Reads a list of 2026 that must be readable. */
export async function readTestList(source: Buffer | string, choices: Partial<ReadChoices> = {}): Promise<ListRead> {
  const listSource: ListSource = typeof source === 'string' ? { text: source } : { bytes: source };
  const outcome = await readList(listSource, { year: 2026, ...choices });
  if (!outcome.ok) throw new Error(`the list was refused: ${outcome.message}`);
  return outcome.list;
}

/** The main facts of each row: its number, NOP, amount in rupiah, and the codes of its problems and warnings. */
export function summaryOf({ rows }: ListRead) {
  return rows.map(({ row, nop, values, problems, warnings }) => [
    row,
    nop,
    values.amount_sen === null ? null : values.amount_sen / 100,
    ...problems.map(({ code }) => code),
    ...warnings.map(({ code }) => code),
  ]);
}
