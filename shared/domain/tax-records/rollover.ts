import { addYears, parseCalendarDate, yearOf } from '../dates/dates.ts';
import { increaseTenPercentSen, isRupiahAmount, senToRupiah } from '../money/rupiah.ts';
import {
  COPIED_FIELDS,
  type CopiedField,
  mapColumns,
  type StoredColumns,
  taxRecordFields,
} from './tax-record-fields.ts';

/** Whether a new year's copies are made without asking, or only offered (R-YEAR-12). */
export const ROLLOVER_MODES = ['automatic', 'offer'] as const;
export type RolloverMode = (typeof ROLLOVER_MODES)[number];

/** A record with the columns that a copy takes over. */
export type RolloverSource = StoredColumns<CopiedField> & { id: string; createdAtMs: number };

export type RolloverCopy = StoredColumns<CopiedField> & { sourceId: string };

/** The office's values for a linked object in the year of the copies; amounts in sen. */
export type OfficeValues = { amountSen: number; dueDate: string | null };
/** An object that the office linked to the account. `values` null: its list has none for that year. */
export type LinkedObject = { nop: string; values: OfficeValues | null };
/** The linked object that an SPT number names, whatever stands between its digits. */
export type FindLinked = (sptNumber: string) => LinkedObject | undefined;

const noneLinked: FindLinked = () => undefined;

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
  // The year after 9999 has no date. One such record must not stop the others.
  return date === null || yearOf(date) === 9999 ? null : addYears(date, 1);
}

/** Without the other columns that a caller may have read. */
function copiedColumns(source: RolloverSource): StoredColumns<CopiedField> {
  return mapColumns(COPIED_FIELDS, (field) => source[taxRecordFields[field].column]);
}

/**
 * The record of `year` that is made of a source: plus 10 %, due one year later, not paid (R-YEAR-2). Amounts are in sen.
 * @param office the office's values, which it has instead (R-DHKP-36)
 * @throws RangeError when the amount of the source is not a whole number of sen
 */
export function copyOf(source: RolloverSource, year: number, office: OfficeValues | null = null): RolloverCopy {
  return {
    ...copiedColumns(source),
    sourceId: source.id,
    sptNumber: source.sptNumber.trim(),
    year,
    amountSen: increaseTenPercentSen(source.amountSen),
    status: 'belum_lunas',
    dueDate: oneYearLater(source.dueDate),
    ...office,
  };
}

/**
 * Plans the records of `year` from one owner's records of the year before (R-YEAR-1, R-YEAR-2): for each SPT number that
 * is not in `takenSptNumbers` one copy of its latest record, plus 10 %. `takenSptNumbers` are those with a record in
 * `year`. Sources of other years are ignored, and so is a copy whose amount would be over the limit. Copies have the
 * order of their sources' age. Amounts are in sen. SPT numbers of one linked object count as equal, and `takenSptNumbers`
 * names those objects by their NOP.
 *
 * `outstandingCount` counts the copies whose source is not `lunas`, `newYearCount` the others. `rolledSourceIds` has every
 * source with the SPT number of a copy: otherwise a copy that the owner deletes would be made again from an older source
 * with the same number (R-YEAR-6).
 * @throws RangeError when the amount of a source is not a whole number of sen.
 */
export function planRollover(
  sources: readonly RolloverSource[],
  takenSptNumbers: ReadonlySet<string>,
  year: number,
  findLinked: FindLinked = noneLinked,
): RolloverPlan {
  const keyOf = (sptNumber: string): string => findLinked(sptNumber)?.nop ?? sptNumber.trim();
  const taken = new Set([...takenSptNumbers].map(keyOf));
  const latestBySpt = new Map<string, RolloverSource>();
  const candidates = sources
    .filter((source) => source.year === year - 1 && !taken.has(keyOf(source.sptNumber)))
    .toSorted(byAge);
  for (const source of candidates) latestBySpt.set(keyOf(source.sptNumber), source);

  const plan: RolloverPlan = { copies: [], outstandingCount: 0, newYearCount: 0, rolledSourceIds: [] };
  const copiedSptNumbers = new Set<string>();
  for (const source of candidates) {
    const sptNumber = keyOf(source.sptNumber);
    if (latestBySpt.get(sptNumber) !== source) continue;
    const copy = copyOf(source, year, findLinked(sptNumber)?.values ?? null);
    if (!isRupiahAmount(senToRupiah(copy.amountSen))) continue;
    copiedSptNumbers.add(sptNumber);
    if (source.status === 'lunas') plan.newYearCount += 1;
    else plan.outstandingCount += 1;
    plan.copies.push(copy);
  }
  plan.rolledSourceIds = candidates
    .filter((source) => copiedSptNumbers.has(keyOf(source.sptNumber)))
    .map((source) => source.id);
  return plan;
}
