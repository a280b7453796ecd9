import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { figuresFromListsQuery, newestRecordsQuery, newestUsersQuery, statisticsQuery } from './api.ts';
import { type Figures, noFigures } from './figures.ts';

/**
 * Users, records and statistics, loaded together. Figures that were never loaded, or that a pressed Refresh could not load, are
 * zeros (specification 2.4); when the page refreshes itself and that fails, what is on the screen stays.
 */
export function useDashboard() {
  const users = useQuery(newestUsersQuery);
  const records = useQuery(newestRecordsQuery);
  const statistics = useQuery(statisticsQuery);
  const fromLists = useQuery({ ...figuresFromListsQuery, enabled: statistics.isError });
  const [refreshFailedAtMs, setRefreshFailedAtMs] = useState(0);

  const withoutFigures = statistics.isError && fromLists.isError;
  const failures = [users, records, ...(withoutFigures ? [statistics] : [])].filter(({ isError }) => isError);
  const [firstFailure] = failures;
  const failure = firstFailure
    ? {
        atMs: Math.max(...failures.map(({ errorUpdatedAt }) => errorUpdatedAt)),
        hint: hintOf(firstFailure.error) ?? messageOf(firstFailure.error, ''),
      }
    : null;

  const refreshFailed = failure !== null && refreshFailedAtMs > Math.min(users.dataUpdatedAt, records.dataUpdatedAt);
  const listMissing = [users, records].some(({ isError, data }) => isError && !data);
  const known: Figures | undefined = statistics.isError ? fromLists.data?.figures : statistics.data;
  const partial = statistics.isError && fromLists.data ? fromLists.data : null;
  const loading = [users, records, statistics].some(({ isPending }) => isPending) || (!known && fromLists.isFetching);

  const { submit: refresh, busy: refreshing } = useSubmit(async () => {
    const answers = await Promise.all([users.refetch(), records.refetch(), statistics.refetch()]);
    if (answers[2].isError) await fromLists.refetch();
    const failed = answers[0].isError || answers[1].isError;
    setRefreshFailedAtMs(failed ? Date.now() : 0);
  });

  return {
    users,
    records,
    loading: loading && !listMissing,
    figures: listMissing || refreshFailed ? noFigures : (known ?? statistics.data ?? noFigures),
    /** Set when the figures come from the lists: how many records they cover, of how many. */
    partial,
    failure,
    refresh: () => void refresh(),
    refreshing,
  };
}
