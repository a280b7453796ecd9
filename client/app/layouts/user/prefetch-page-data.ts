import type { QueryClient } from '@tanstack/react-query';
import { summaryQuery } from '#client/features/reports/own/api.ts';
import {
  ownOverdueRecordsQuery,
  ownRecentRecordsQuery,
  ownRecordListQuery,
  ownStatisticsQuery,
  recordKeys,
  recordQuery,
} from '#client/features/tax-records/api.ts';
import { isRecordId } from '#client/features/tax-records/scope.ts';
import { paths } from '#client/paths.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';

/** Long enough to choose from the menu. The page itself keeps no report that is not shown; a change drops this one, too. */
const REPORT_GC_MS = 10_000;

/** A record that a list on this device has already shown. */
function showStoredRecord(queryClient: QueryClient, id: string): void {
  const key = recordKeys.record('own', id);
  if (queryClient.getQueryData(key)) return;
  for (const query of queryClient.getQueryCache().findAll({ queryKey: recordKeys.all })) {
    const [, list] = query.queryKey;
    if (list !== recordKeys.ownList[1] && list !== recordKeys.ownRecent(1)[1]) continue;
    const record = (query.state.data as Page<TaxRecord> | undefined)?.data.find((candidate) => candidate.id === id);
    if (record) queryClient.setQueryData(key, record, { updatedAt: query.state.dataUpdatedAt });
  }
}

/** Starts the calls of a page when the user presses its link, while its code and its elements are not there yet. */
export function prefetchPageData(queryClient: QueryClient, pathname: string, search = ''): void {
  if (pathname === paths.records) {
    // All other filters work on the whole list (R-REC-14).
    const isOverdueOnly = new URLSearchParams(search).get('tampilan') === 'tunggakan';
    void (isOverdueOnly
      ? queryClient.prefetchQuery(ownOverdueRecordsQuery)
      : queryClient.prefetchQuery(ownRecordListQuery));
    return;
  }
  if (search) return;
  if (pathname === paths.dashboard) {
    void queryClient.prefetchQuery(ownStatisticsQuery);
    void queryClient.prefetchQuery(ownRecentRecordsQuery(1));
  } else if (pathname === paths.reports) {
    void queryClient.prefetchQuery({ ...summaryQuery('this_year'), gcTime: REPORT_GC_MS });
  } else if (pathname.startsWith(`${paths.records}/`)) {
    const id = pathname.slice(paths.records.length + 1);
    if (!isRecordId(id)) return;
    showStoredRecord(queryClient, id);
    void queryClient.prefetchQuery(recordQuery('own', id));
  }
}

/** Starts the calls of the menu's pages while the menu of small screens opens; the one that is chosen is there at once. */
export function prefetchMenuData(queryClient: QueryClient): void {
  for (const path of [paths.dashboard, paths.records, paths.reports]) {
    if (path !== window.location.pathname) prefetchPageData(queryClient, path);
  }
}

/** Prefetches for each link that is pressed, and for one of a menu that a mouse or the focus has reached. @returns the undo */
export function bindLinkPrefetch(queryClient: QueryClient): () => void {
  const onIntent = ({ type, target }: Event): void => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link || link.origin !== window.location.origin || link.pathname === window.location.pathname) return;
    // A mouse crosses many records on its way.
    if (type !== 'pointerdown' && link.closest('nav') === null) return;
    prefetchPageData(queryClient, link.pathname, link.search);
  };
  const events = ['pointerdown', 'pointerover', 'focusin'] as const;
  for (const event of events) document.addEventListener(event, onIntent, { passive: true });
  return () => {
    for (const event of events) document.removeEventListener(event, onIntent);
  };
}
