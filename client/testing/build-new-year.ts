import type { NewYearPreview } from '#shared/api/tax-records/rollover.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';

/** The copies of a year as the server suggests them: 10 % more and one year later, of every record of the year before. */
export function buildNewYear(records: readonly TaxRecord[], year: number): NewYearPreview {
  const sources = records.filter((record) => record.year === year - 1);
  const copies = sources.map(({ id, address, property_type, spt_number, amount, due_date }) => ({
    source_id: id,
    address,
    property_type,
    spt_number,
    amount_before: amount,
    amount: Math.round(amount * 1.1),
    amount_source: 'estimate' as const,
    due_date: due_date && `${Number(due_date.slice(0, 4)) + 1}${due_date.slice(4)}`,
  }));
  return { year, copies, total: copies.length, has_source: sources.length > 0 };
}
