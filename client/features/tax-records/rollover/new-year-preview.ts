import type { TaxRecord } from '#shared/api/tax-records.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { type RolloverSource, planRollover } from '#shared/domain/rollover.ts';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { rupiahToSen, senToRupiah } from '#shared/domain/rupiah.ts';

/** What making a year would give: how many records, their sum in rupiah, and whether the year before has any to copy. */
export type NewYearPreview = { year: number; count: number; amount: number; hasSource: boolean };

function toNewYearSource(record: TaxRecord): RolloverSource {
  return {
    id: record.id,
    name: record.name,
    address: record.address,
    taxType: record.tax_type,
    propertyType: record.property_type,
    sptNumber: record.spt_number,
    year: record.year,
    amountSen: rupiahToSen(record.amount),
    description: record.description,
    status: record.status,
    dueDate: record.due_date,
    createdAtMs: Date.parse(record.created_at),
  };
}

/**
 * This year and next year as they could be made from the given records, by the server's own rule (contract 4). The one that the
 * server would choose by itself stands first: this year if anything is missing in it, else next year.
 */
export function newYearPreviews(records: readonly TaxRecord[], today: string): NewYearPreview[] {
  const thisYear = yearOf(today);
  const sources = records.map(toNewYearSource);
  const previews = [thisYear, thisYear + 1]
    .filter((year) => year >= YEAR_MIN && year <= YEAR_MAX)
    .map((year) => {
      const existingSptNumbers = new Set(
        sources.filter((source) => source.year === year).map(({ sptNumber }) => sptNumber),
      );
      const { copies } = planRollover(sources, existingSptNumbers, year);
      const amountSen = copies.reduce((sum, copy) => sum + copy.amountSen, 0);
      const hasSource = sources.some((source) => source.year === year - 1);
      return { year, count: copies.length, amount: senToRupiah(amountSen), hasSource };
    });
  const [first] = previews;
  return first?.count === 0 ? previews.toReversed() : previews;
}
