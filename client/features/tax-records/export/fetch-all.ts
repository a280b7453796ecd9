import type { TaxRecord } from '#shared/api/tax-records.ts';
import { ADMIN_RECORDS_MAX } from '#shared/limits.ts';
import { fetchAdminRecords, type AdminRecordFilter } from '../admin/api.ts';

type Options = { onProgress: (fetchedCount: number, total: number) => void; signal: AbortSignal };

/** Everything a filter finds, page by page. A record that moved to a later page meanwhile is taken once. */
export async function fetchAllAdminRecords(
  filter: AdminRecordFilter,
  { onProgress, signal }: Options,
): Promise<TaxRecord[]> {
  const found = new Map<string, TaxRecord>();
  for (let page = 1; ; page += 1) {
    const { data, total, last_page } = await fetchAdminRecords(filter, { page, limit: ADMIN_RECORDS_MAX, signal });
    for (const record of data) found.set(record.id, record);
    onProgress(found.size, total);
    if (page >= last_page || data.length === 0) return [...found.values()];
  }
}
