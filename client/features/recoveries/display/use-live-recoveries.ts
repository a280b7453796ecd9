import { useLiveQuery } from '#client/realtime/use-live-query.ts';
import { recoveriesQuery } from '../api.ts';

/** Loads the requests again when somebody asks, gets in, or another admin puts one away. */
export function useLiveRecoveries(): void {
  useLiveQuery('recovery:changed', recoveriesQuery.queryKey);
}
