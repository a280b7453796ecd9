import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { hasOwnChangeWithin, refetchOwnRecords } from '#client/features/tax-records/keys.ts';
import { notify } from '#client/ui/feedback/notify.tsx';

/** Long enough that the answer to a change of one's own has come, too, and several changes at once are told once. */
const DEBOUNCE_MS = 700;
/** What was changed here this shortly before is one's own doing and no news. */
const OWN_CHANGE_WINDOW_MS = 4000;

/** For residents: what the office does to their records shows at once, on every page, with a word about it. */
export function useRecordChangeHandler(): () => void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void refetchOwnRecords(queryClient);
      if (!hasOwnChangeWithin(OWN_CHANGE_WINDOW_MS)) notify.info('Data PBB Anda baru saja diperbarui');
    }, DEBOUNCE_MS);
  }, [queryClient]);
}
