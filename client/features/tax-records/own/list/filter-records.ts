import { choicePart, keysOf, readFilter, type UrlParts, yearPart } from '#client/ui/list/filter/url-filter.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { PropertyType, RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { propertyTypeLabels, statusLabels, UNPAID_LABEL } from '#shared/labels.ts';
import { FILTER_YEARS } from '#shared/limits.ts';
import { propertyLabel, statusLabel } from '../../display/record-labels.ts';
import { filterYears } from '../../pages/filter-choices.ts';

/** The value of the filter for records without a property type. */
export const NO_PROPERTY_TYPE = 'belum_ditentukan';

/** The choices of 'Tampilan'. The dashboard links to the unpaid records, which have two statuses, and to the rejected ones. */
export const displayLabels = {
  tunggakan: 'Hanya tunggakan',
  'belum-lunas': UNPAID_LABEL,
  ditolak: 'Ditolak kantor',
} as const;

/** '' means all. 'tunggakan' decides what is fetched; the other filters work on the loaded rows (R-REC-14). */
export type OwnRecordFilter = {
  status: RecordStatus | '';
  property_type: PropertyType | typeof NO_PROPERTY_TYPE | '';
  year: string;
  display: keyof typeof displayLabels | '';
};

export const ownFilterParts: UrlParts<OwnRecordFilter> = {
  status: choicePart('status', keysOf(statusLabels)),
  property_type: choicePart('properti', [...keysOf(propertyTypeLabels), NO_PROPERTY_TYPE]),
  year: yearPart('tahun'),
  display: choicePart('tampilan', keysOf(displayLabels)),
};
export const noOwnRecordFilter: OwnRecordFilter = readFilter(ownFilterParts, new URLSearchParams());

export function filterRecords(records: readonly TaxRecord[], filter: OwnRecordFilter): TaxRecord[] {
  return records.filter(
    (record) =>
      (filter.display !== 'belum-lunas' || record.status !== 'lunas') &&
      (filter.display !== 'ditolak' || record.verification.state === 'rejected') &&
      (filter.status === '' || record.status === filter.status) &&
      (filter.property_type === '' || (record.property_type ?? NO_PROPERTY_TYPE) === filter.property_type) &&
      (filter.year === '' || String(record.year) === filter.year),
  );
}

/** The years on offer, newest first: the fixed ones (R-REC-14), those of the rows and the chosen one. */
export function yearOptions(records: readonly TaxRecord[], chosen: string): string[] {
  return filterYears([...FILTER_YEARS, ...records.map(({ year }) => year)], chosen);
}

/** A filter as a sentence for the print: 'Hanya tunggakan, status Lunas, tahun 2024'. */
export function describeFilter({ status, property_type, year, display }: OwnRecordFilter): string {
  const propertyType = property_type === NO_PROPERTY_TYPE ? null : property_type;
  const parts = [
    display === '' ? null : displayLabels[display].toLowerCase(),
    status ? `status ${statusLabel(status)}` : null,
    property_type ? `jenis properti ${propertyLabel(propertyType)}` : null,
    year ? `tahun ${year}` : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return 'Semua data';
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
