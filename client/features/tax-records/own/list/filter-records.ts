import { NO_PROPERTY_TYPE_LABEL, UNPAID_LABEL } from '#shared/labels.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { FILTER_YEARS } from '#shared/limits.ts';
import { propertyLabel, statusLabel } from '../../display/record-labels.ts';
import {
  propertyTypeOptions,
  type SharedRecordFilter,
  toPropertyTypeFilter,
  toYearOptions,
} from '../../pages/list-filter.ts';

/** The value of the filter for records without a property type. */
export const NO_PROPERTY_TYPE = 'belum_ditentukan';

export const ownPropertyTypeOptions = [
  ...propertyTypeOptions,
  { value: NO_PROPERTY_TYPE, label: NO_PROPERTY_TYPE_LABEL },
];

/** Which records: the choices of 'Tampilan'. The dashboard links to the unpaid ones, which have two statuses, and the refused ones. */
export const displayLabels = {
  '': 'Semua data',
  tunggakan: 'Hanya tunggakan',
  'belum-lunas': UNPAID_LABEL,
  ditolak: 'Ditolak kantor',
} as const;

export function toDisplayFilter(value: string | null): OwnRecordFilter['display'] {
  return value !== null && Object.hasOwn(displayLabels, value) ? (value as OwnRecordFilter['display']) : '';
}

/** '' means all. 'tunggakan' decides what is fetched; the other filters work on the loaded rows (R-REC-14). */
export type OwnRecordFilter = Omit<SharedRecordFilter, 'property_type'> & {
  property_type: SharedRecordFilter['property_type'] | typeof NO_PROPERTY_TYPE;
  display: keyof typeof displayLabels;
};
export const noOwnRecordFilter: OwnRecordFilter = { status: '', property_type: '', year: '', display: '' };

export function toOwnPropertyTypeFilter(value: string | null): OwnRecordFilter['property_type'] {
  return value === NO_PROPERTY_TYPE ? value : toPropertyTypeFilter(value);
}

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
  return toYearOptions([...FILTER_YEARS, ...records.map(({ year }) => year)], chosen);
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
