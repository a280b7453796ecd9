import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import { useReconnected } from './use-reconnected.ts';
import { useServerEvent } from './use-server-event.ts';

/** Many admins together change records many times a second; queries are invalidated once in this time. */
const RELOAD_THROTTLE_MS = 1500;
const AFFECTED_KEYS = ['tax-records', 'reports', 'audit'];

/** Invalidates the queries that show records whenever any record changed, or may have without a connection (R-EVENT-9). */
export function useReloadOnRecordChange(): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const scheduleReload = useCallback(() => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      for (const name of AFFECTED_KEYS) void reloadQueries(queryClient, { queryKey: [name] });
    }, RELOAD_THROTTLE_MS);
  }, [queryClient]);
  useServerEvent('tax-record:changed', scheduleReload);
  useReconnected(scheduleReload);
}
