import { NO_TYPE, type RecordFilter } from './filter-records.ts';
import { propertyLabel, statusLabel } from '../display/record-labels.ts';

/** A filter in words, for paper: 'Hanya tunggakan, status Lunas, tahun 2024'. */
export function filterWords(filter: RecordFilter): string {
  const { status, propertyType, year, display } = filter;
  const words = [
    display === 'tunggakan' ? 'hanya tunggakan' : null,
    status ? `status ${statusLabel(status)}` : null,
    propertyType ? `jenis properti ${propertyLabel(propertyType === NO_TYPE ? null : propertyType)}` : null,
    year ? `tahun ${year}` : null,
  ].filter((word) => word !== null);
  if (words.length === 0) return 'Semua data';
  const text = words.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
