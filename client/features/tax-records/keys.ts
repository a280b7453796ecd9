import type { QueryClient } from '@tanstack/react-query';

/** The names under which answers of the server are kept. */
export const ownRecordKeys = {
  all: ['tax-records'],
  list: ['tax-records', 'list'],
  outstanding: ['tax-records', 'outstanding'],
  recent: (page: number) => ['tax-records', 'recent', page],
  statistics: ['tax-records', 'statistics'],
  record: (id: string) => ['tax-records', 'record', id],
  /** Apart from the others: it makes records, so it must not be asked again because records have changed. */
  yearCheck: ['year-check'],
} as const;

const reportKeys = ['reports'] as const;

let ownChangeAtMs = Number.NEGATIVE_INFINITY;

/** Whether records were changed from this very page a moment ago; then the server's push is no news here. */
export function hasOwnChangeWithin(ms: number): boolean {
  return Date.now() - ownChangeAtMs < ms;
}

/**
 * After a change made on this page.
 * @param deletedId a record that was just deleted; asking for it now would only answer that it is missing
 */
export async function reloadOwnRecords(queryClient: QueryClient, deletedId?: string): Promise<void> {
  ownChangeAtMs = Date.now();
  await refetchOwnRecords(queryClient, deletedId);
}

/** Reads again whatever shows records: list, dashboard, reports. */
export async function refetchOwnRecords(queryClient: QueryClient, deletedId?: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: reportKeys }),
    queryClient.invalidateQueries({
      queryKey: ownRecordKeys.all,
      predicate: ({ queryKey }) => deletedId === undefined || queryKey[2] !== deletedId,
    }),
    deletedId === undefined
      ? undefined
      : queryClient.invalidateQueries({ queryKey: ownRecordKeys.record(deletedId), refetchType: 'none' }),
  ]);
}
