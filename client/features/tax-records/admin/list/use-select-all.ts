import { useState } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { ADMIN_RECORDS_MAX } from '#shared/limits.ts';
import { type AdminRecordFilter, adminRecordPages } from '../../api.ts';
import type { Selection } from './use-selection.ts';

/** The limit is one answer of the server, so that an admin can still check the selection. */
export const SELECT_ALL_MAX = ADMIN_RECORDS_MAX;

/** Selects everything that the filter finds, on all pages. */
export function useSelectAll(filter: AdminRecordFilter, selection: Selection) {
  const [isLoading, setIsLoading] = useState(false);

  async function selectAll(): Promise<void> {
    setIsLoading(true);
    try {
      const { signal } = new AbortController();
      // The first page of this size holds all that may be selected.
      const { value } = await adminRecordPages(filter, signal).next();
      if (value) selection.add(value.records);
    } catch (error) {
      notify.failure(error, 'Gagal memuat data pajak');
    } finally {
      setIsLoading(false);
    }
  }

  return { selectAll, isLoading };
}
