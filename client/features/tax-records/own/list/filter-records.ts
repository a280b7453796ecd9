import type { TaxRecord } from '#shared/api/tax-records.ts';
import { FILTER_YEARS } from '#shared/limits.ts';

/** Stands for records whose property type is not known. */
export const NO_PROPERTY_TYPE = 'belum_ditentukan';

/** '' means all. `display` decides what is fetched, the others what is shown of it (specification 2.3). */
export type OwnRecordFilter = { status: string; propertyType: string; year: string; display: '' | 'tunggakan' };
export const noOwnRecordFilter: OwnRecordFilter = { status: '', propertyType: '', year: '', display: '' };

export function filterRecords(records: readonly TaxRecord[], filter: OwnRecordFilter): TaxRecord[] {
  return records.filter(
    (record) =>
      (filter.status === '' || record.status === filter.status) &&
      (filter.propertyType === '' || (record.property_type ?? NO_PROPERTY_TYPE) === filter.propertyType) &&
      (filter.year === '' || String(record.year) === filter.year),
  );
}

/** The years on offer, newest first: those of the specification, those that rows have, and the one already chosen. */
export function yearOptions(records: readonly TaxRecord[], chosen: string): string[] {
  const years = new Set([...FILTER_YEARS.map(String), ...records.map(({ year }) => String(year))]);
  if (chosen !== '') years.add(chosen);
  return [...years].toSorted((a, b) => Number(b) - Number(a));
}
