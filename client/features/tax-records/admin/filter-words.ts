import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import type { AdminRecordFilter } from './api.ts';
import type { ReportDetail } from '../export/record-document.ts';

/** What a list is of, for paper and files. */
export function filterDetails(filter: AdminRecordFilter, ownerName: string | undefined): ReportDetail[] {
  const parts: (ReportDetail | null)[] = [
    filter.search ? { label: 'Pencarian', value: filter.search } : null,
    filter.status ? { label: 'Status', value: statusLabel(filter.status) } : null,
    filter.property_type ? { label: 'Jenis properti', value: propertyLabel(filter.property_type) } : null,
    filter.year ? { label: 'Tahun', value: filter.year } : null,
    filter.user_id ? { label: 'Pemilik', value: ownerName ?? filter.user_id } : null,
  ];
  const activeParts = parts.filter((part) => part !== null);
  return activeParts.length > 0 ? activeParts : [{ label: 'Data', value: 'Semua data' }];
}
