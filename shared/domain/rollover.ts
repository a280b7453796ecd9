import { addYears, parseCalendarDate, yearOf } from './dates.ts';
import type { PropertyType } from './tax-record-fields.ts';
import { increaseTenPercentSen, isRupiahAmount, senToRupiah } from './rupiah.ts';

export type RolloverSource = {
  id: string;
  name: string;
  address: string;
  taxType: string;
  propertyType: PropertyType | null;
  sptNumber: string;
  year: number;
  amountSen: number;
  description: string | null;
  status: string;
  dueDate: string | null;
  createdAtMs: number;
};

export type RolloverCopy = {
  sourceId: string;
  name: string;
  address: string;
  taxType: string;
  propertyType: PropertyType | null;
  sptNumber: string;
  year: number;
  amountSen: number;
  description: string | null;
  status: 'belum_lunas';
  dueDate: string | null;
};

export type RolloverPlan = {
  copies: RolloverCopy[];
  outstandingCount: number;
  newYearCount: number;
  rolledSourceIds: string[];
};

function byAge(a: RolloverSource, b: RolloverSource): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function oneYearLater(dueDate: string | null): string | null {
  const date = parseCalendarDate(dueDate);
  // One record with a due date at the end of the calendar must not stop the others.
  return date === null || yearOf(date) === 9999 ? null : addYears(date, 1);
}

/**
 * The records of `year` that are to be made from one owner's records of the year before: one for each SPT number that is not in
 * `takenSptNumbers` (those with a record in `year`), from its latest record, plus 10 %. Sources of other years are passed over,
 * and so is a copy whose amount would be over the limit. Copies come in the order of their sources' age.
 *
 * `outstandingCount` counts the copies whose source is not `lunas`, `newYearCount` the others. `rolledSourceIds` names every
 * source with the SPT number of a copy, so that a copy the owner deletes is not made again from an older twin. Contract 4.
 * @throws RangeError when a source's amount is not a whole number of sen.
 */
export function planRollover(
  sources: readonly RolloverSource[],
  takenSptNumbers: ReadonlySet<string>,
  year: number,
): RolloverPlan {
  const taken = new Set([...takenSptNumbers].map((sptNumber) => sptNumber.trim()));
  const latestBySpt = new Map<string, RolloverSource>();
  const candidates = sources
    .filter((source) => source.year === year - 1 && !taken.has(source.sptNumber.trim()))
    .toSorted(byAge);
  for (const source of candidates) latestBySpt.set(source.sptNumber.trim(), source);

  const plan: RolloverPlan = { copies: [], outstandingCount: 0, newYearCount: 0, rolledSourceIds: [] };
  const copiedSptNumbers = new Set<string>();
  for (const source of candidates) {
    const sptNumber = source.sptNumber.trim();
    if (latestBySpt.get(sptNumber) !== source) continue;
    const amountSen = increaseTenPercentSen(source.amountSen);
    if (!isRupiahAmount(senToRupiah(amountSen))) continue;
    copiedSptNumbers.add(sptNumber);
    if (source.status === 'lunas') plan.newYearCount += 1;
    else plan.outstandingCount += 1;
    plan.copies.push({
      sourceId: source.id,
      name: source.name,
      address: source.address,
      taxType: source.taxType,
      propertyType: source.propertyType,
      sptNumber,
      year,
      amountSen,
      description: source.description,
      status: 'belum_lunas',
      dueDate: oneYearLater(source.dueDate),
    });
  }
  plan.rolledSourceIds = candidates
    .filter((source) => copiedSptNumbers.has(source.sptNumber.trim()))
    .map((source) => source.id);
  return plan;
}
