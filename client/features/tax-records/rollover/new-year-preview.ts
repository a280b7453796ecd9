import type { TaxRecord } from '#shared/api/tax-records.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { NEW_YEAR_MAX, NEW_YEAR_MIN, type NewYearSource, planNewYear } from '#shared/domain/new-year.ts';
import { rupiahToSen, senToRupiah } from '#shared/domain/rupiah.ts';

/** What making a year would give: how many records, their sum in rupiah, and whether the year before has any to copy. */
export type YearOffer = { year: number; count: number; amount: number; hasSource: boolean };

function sourceOf(record: TaxRecord): NewYearSource {
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
export function newYearOffers(records: readonly TaxRecord[], today: string): YearOffer[] {
  const thisYear = yearOf(today);
  const sources = records.map(sourceOf);
  const offers = [thisYear, thisYear + 1]
    .filter((year) => year >= NEW_YEAR_MIN && year <= NEW_YEAR_MAX)
    .map((year) => {
      const taken = new Set(sources.filter((source) => source.year === year).map(({ sptNumber }) => sptNumber));
      const { copies } = planNewYear(sources, taken, year);
      const amountSen = copies.reduce((sum, copy) => sum + copy.amountSen, 0);
      const hasSource = sources.some((source) => source.year === year - 1);
      return { year, count: copies.length, amount: senToRupiah(amountSen), hasSource };
    });
  const [first] = offers;
  return first?.count === 0 ? offers.toReversed() : offers;
}
