import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { openClaimsQuery } from '#client/features/dhkp/api.ts';
import { useLiveClaims } from '#client/features/dhkp/display/use-live-claims.ts';
import { erasuresQuery } from '#client/features/erasures/api.ts';
import { useLiveErasures } from '#client/features/erasures/display/use-live-erasures.ts';
import { recoveriesQuery } from '#client/features/recoveries/api.ts';
import { useLiveRecoveries } from '#client/features/recoveries/display/use-live-recoveries.ts';
import { adminStatisticsQuery } from '#client/features/tax-records/api.ts';
import { newestRecordsQuery, newestUsersQuery, statisticsFromListsQuery } from './api.ts';
import { useWaitingConversations } from './tasks/use-waiting-conversations.ts';
import type { OpenErasure } from '#shared/api/erasures.ts';
import type { Recovery } from '#shared/api/recoveries.ts';
import type { OpenErasures, OpenRecoveries } from './tasks/task-tiles.ts';
import { type DashboardStatistics, emptyStatistics } from './dashboard-statistics.ts';

/**
 * Users, records and statistics, loaded together. The statistics are 0 when they were never loaded, or when a pressed Refresh
 * failed (R-STAT-10). When a refetch by the page itself fails, the screen keeps its numbers.
 */
export function useDashboard() {
  const users = useQuery(newestUsersQuery);
  const records = useQuery(newestRecordsQuery);
  const waiting = useWaitingConversations();
  const claims = useQuery(openClaimsQuery);
  useLiveClaims();
  const recoveries = useQuery(recoveriesQuery);
  useLiveRecoveries();
  const erasures = useQuery(erasuresQuery);
  useLiveErasures();
  const statisticsResult = useQuery(adminStatisticsQuery);
  const fromListsResult = useQuery({ ...statisticsFromListsQuery, enabled: statisticsResult.isError });
  const [refreshFailedAtMs, setRefreshFailedAtMs] = useState(0);

  const hasNoStatistics = statisticsResult.isError && fromListsResult.isError;
  const failures = [users, records, ...(hasNoStatistics ? [statisticsResult] : [])].filter(({ isError }) => isError);
  const [firstFailure] = failures;
  const failure = firstFailure
    ? {
        atMs: Math.max(...failures.map(({ errorUpdatedAt }) => errorUpdatedAt)),
        hint: hintOf(firstFailure.error) ?? messageOf(firstFailure.error, ''),
      }
    : null;

  const refreshFailed = failure !== null && refreshFailedAtMs > Math.min(users.dataUpdatedAt, records.dataUpdatedAt);
  const listMissing = [users, records].some(({ isError, data }) => isError && !data);
  const knownStatistics: DashboardStatistics | undefined = statisticsResult.isError
    ? fromListsResult.data?.statistics
    : statisticsResult.data;
  const partial = statisticsResult.isError && fromListsResult.data ? fromListsResult.data : null;
  const loading =
    [users, records, statisticsResult, waiting, claims, recoveries, erasures].some(({ isPending }) => isPending) ||
    (!knownStatistics && fromListsResult.isFetching);

  const { submit: refresh, busy: refreshing } = useSubmit(async () => {
    const answers = await Promise.all([
      users.refetch(),
      records.refetch(),
      statisticsResult.refetch(),
      waiting.refetch(),
      claims.refetch(),
      recoveries.refetch(),
      erasures.refetch(),
    ]);
    if (answers[2].isError) await fromListsResult.refetch();
    const failed = answers[0].isError || answers[1].isError;
    setRefreshFailedAtMs(failed ? Date.now() : 0);
  });

  return {
    /** null: not known. */
    waiting: waiting.data ?? null,
    claims: claims.data ?? null,
    recoveries: recoveries.data ? openRecoveriesOf(recoveries.data, recoveries.dataUpdatedAt) : null,
    erasures: erasures.data ? openErasuresOf(erasures.data, erasures.dataUpdatedAt) : null,
    users,
    records,
    loading: loading && !listMissing,
    statistics:
      listMissing || refreshFailed ? emptyStatistics : (knownStatistics ?? statisticsResult.data ?? emptyStatistics),
    /** Set when the statistics come from the lists, with the number of records that they cover. */
    partial,
    failure,
    refresh: () => void refresh(),
    refreshing,
  };
}

const openRecoveriesOf = (requests: readonly Recovery[], atMs: number): OpenRecoveries => ({
  count: requests.length,
  oldestAt: requests.map(({ created_at: createdAt }) => createdAt).toSorted()[0] ?? null,
  atMs,
});

/** The nearest deadline comes first. */
const openErasuresOf = (requests: readonly OpenErasure[], atMs: number): OpenErasures => ({
  count: requests.length,
  nearestDueAt: requests[0]?.due_at ?? null,
  atMs,
});
