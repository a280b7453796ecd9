import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import type { BatchProgress } from '#shared/events.ts';
import { dhkpKeys } from '../api.ts';

/** Follows every import as it goes on, also those of other admins. A step to another state loads the import again. */
export function useLiveBatches(): void {
  const queryClient = useQueryClient();
  const follow = useCallback(
    ({ id, state, done, total }: BatchProgress) => {
      const known = queryClient.getQueryData<Batch>(dhkpKeys.batch(id));
      if (known?.state === state) {
        queryClient.setQueryData<Batch>(dhkpKeys.batch(id), { ...known, progress: { done, total } });
        return;
      }
      void queryClient.invalidateQueries({ queryKey: dhkpKeys.batch(id) });
      void queryClient.invalidateQueries({ queryKey: dhkpKeys.batches });
    },
    [queryClient],
  );
  useServerEvent('dhkp:batch', follow);
}
