import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { type RolloverCopy, type RolloverSource, planRollover } from '#shared/domain/tax-records/rollover.ts';
import {
  COPIED_FIELDS,
  type CopiedField,
  mapColumns,
  type StoredColumns,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { rupiahToSen, senToRupiah } from '#shared/domain/money/rupiah.ts';
import { recordTitle } from '../display/record-labels.ts';

/** A copy before it exists: amount and due date as they are suggested, in rupiah. */
export type SuggestedCopy = {
  sourceId: string;
  title: string;
  sptNumber: string;
  /** The amount of the source. */
  amountBefore: number;
  amount: number;
  dueDate: string | null;
};

/** The copies that a year lacks, their total in rupiah, and whether the year before has any records. */
export type NewYearPreview = { year: number; copies: SuggestedCopy[]; amount: number; hasSource: boolean };

function toNewYearSource(record: TaxRecord): RolloverSource {
  const columns: StoredColumns<CopiedField> = mapColumns(COPIED_FIELDS, (field) => {
    const value = record[field];
    return taxRecordFields[field].kind === 'rupiah' && typeof value === 'number' ? rupiahToSen(value) : value;
  });
  return { ...columns, id: record.id, createdAtMs: Date.parse(record.created_at) };
}

/**
 * Previews this year and next year from the given records, by the server's own rule (R-YEAR-1, R-YEAR-2). The year that the server
 * would choose stands first (R-YEAR-4): this year if a record is missing in it, else next year.
 */
export function newYearPreviews(records: readonly TaxRecord[], today: string): NewYearPreview[] {
  const thisYear = yearOf(today);
  const sources = records.map(toNewYearSource);
  const amountOf = new Map(records.map(({ id, amount }) => [id, amount]));
  const toSuggestion = (copy: RolloverCopy): SuggestedCopy => ({
    sourceId: copy.sourceId,
    title: recordTitle({ address: copy.address, property_type: copy.propertyType }),
    sptNumber: copy.sptNumber,
    amountBefore: amountOf.get(copy.sourceId) ?? 0,
    amount: senToRupiah(copy.amountSen),
    dueDate: copy.dueDate,
  });
  const previews = [thisYear, thisYear + 1]
    .filter((year) => year >= YEAR_MIN && year <= YEAR_MAX)
    .map((year) => {
      const existingSptNumbers = new Set(
        sources.filter((source) => source.year === year).map(({ sptNumber }) => sptNumber),
      );
      const { copies } = planRollover(sources, existingSptNumbers, year);
      const amountSen = copies.reduce((sum, copy) => sum + copy.amountSen, 0);
      const hasSource = sources.some((source) => source.year === year - 1);
      return { year, copies: copies.map(toSuggestion), amount: senToRupiah(amountSen), hasSource };
    });
  const [first] = previews;
  return first?.copies.length === 0 ? previews.toReversed() : previews;
}
