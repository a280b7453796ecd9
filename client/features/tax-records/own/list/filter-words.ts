import { NO_PROPERTY_TYPE, type OwnRecordFilter } from './filter-records.ts';
import { propertyLabel, statusLabel } from '../../display/record-labels.ts';

/** A filter in words, for paper: 'Hanya tunggakan, status Lunas, tahun 2024'. */
export function describeFilter(filter: OwnRecordFilter): string {
  const { status, propertyType, year, display } = filter;
  const parts = [
    display === 'tunggakan' ? 'hanya tunggakan' : null,
    status ? `status ${statusLabel(status)}` : null,
    propertyType ? `jenis properti ${propertyLabel(propertyType === NO_PROPERTY_TYPE ? null : propertyType)}` : null,
    year ? `tahun ${year}` : null,
  ].filter((word) => word !== null);
  if (parts.length === 0) return 'Semua data';
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
