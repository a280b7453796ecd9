import type { PropertyType, RecordStatus } from '#shared/domain/tax-record-fields.ts';
import { propertyTypeLabels, statusLabels } from '#shared/labels.ts';

type Option = { value: string; label: string };

/** The options of a select, from a table of labels. */
export function toOptions(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

export const ALL_OPTION: Option = { value: '', label: 'Semua' };
export const statusOptions = [ALL_OPTION, ...toOptions(statusLabels)];
export const propertyTypeOptions = [ALL_OPTION, ...toOptions(propertyTypeLabels)];

/** The filters that both lists have; '' means all. */
export type SharedRecordFilter = { status: RecordStatus | ''; property_type: PropertyType | ''; year: string };

/** The names of the shared filters in the URL. */
export const sharedFilterParams = {
  status: 'status',
  property_type: 'properti',
  year: 'tahun',
} as const satisfies Record<keyof SharedRecordFilter, string>;

export function toStatusFilter(value: string | null): RecordStatus | '' {
  return value !== null && Object.hasOwn(statusLabels, value) ? (value as RecordStatus) : '';
}

export function toPropertyTypeFilter(value: string | null): PropertyType | '' {
  return value !== null && Object.hasOwn(propertyTypeLabels, value) ? (value as PropertyType) : '';
}

/** Reads the shared filters from the URL. An unknown value means all. */
export function parseSharedFilter(params: URLSearchParams): SharedRecordFilter {
  const year = params.get(sharedFilterParams.year) ?? '';
  return {
    status: toStatusFilter(params.get(sharedFilterParams.status)),
    property_type: toPropertyTypeFilter(params.get(sharedFilterParams.property_type)),
    year: /^\d{4}$/.test(year) ? year : '',
  };
}

/** Years for a select, newest first, together with the chosen one. */
export function toYearOptions(years: readonly number[], chosen: string): string[] {
  const texts = new Set([...years.map(String), ...(chosen === '' ? [] : [chosen])]);
  return [...texts].toSorted((a, b) => Number(b) - Number(a));
}
