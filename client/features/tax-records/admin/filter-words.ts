import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import type { RecordFilter } from './api.ts';
import type { Detail } from '../export/record-document.ts';

/** What a list is of, for paper and files. */
export function filterDetails(filter: RecordFilter, ownerName: string | undefined): Detail[] {
  const parts: (Detail | null)[] = [
    filter.search ? { label: 'Pencarian', value: filter.search } : null,
    filter.status ? { label: 'Status', value: statusLabel(filter.status) } : null,
    filter.property_type ? { label: 'Jenis properti', value: propertyLabel(filter.property_type) } : null,
    filter.year ? { label: 'Tahun', value: filter.year } : null,
    filter.user_id ? { label: 'Pemilik', value: ownerName ?? filter.user_id } : null,
  ];
  const said = parts.filter((part) => part !== null);
  return said.length > 0 ? said : [{ label: 'Data', value: 'Semua data' }];
}
