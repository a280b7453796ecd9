import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { hasOwnChangeWithin, refetchRecords } from '#client/features/tax-records/api.ts';
import { reloadClaims } from '#client/features/tax-records/own/claims/api.ts';
import { useReconnected } from '#client/realtime/use-reconnected.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { notify } from '#client/ui/feedback/notify.tsx';

/** Long enough for the answer to an own change to arrive, and for several changes to be announced once. */
const DEBOUNCE_MS = 700;
/** A change that follows an own change this soon is taken for its echo and not announced. */
const OWN_CHANGE_WINDOW_MS = 4000;

/** Shows changes that admins make to the user's records, and answers to requests, at once, on every page, with a toast. Draws nothing. */
export function OwnRecordChanges() {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onRecordChange = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void refetchRecords(queryClient);
      if (!hasOwnChangeWithin(OWN_CHANGE_WINDOW_MS)) notify.info('Data PBB Anda baru saja diperbarui');
    }, DEBOUNCE_MS);
  }, [queryClient]);
  useServerEvent('tax-record:changed', onRecordChange);
  const reloadAll = useCallback(() => {
    void refetchRecords(queryClient);
    void reloadClaims(queryClient);
  }, [queryClient]);
  useServerEvent('claim:changed', reloadAll);
  useReconnected(reloadAll);
  return null;
}
