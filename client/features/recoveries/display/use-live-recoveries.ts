import { useLiveQuery } from '#client/realtime/use-live-query.ts';
import { recoveriesQuery } from '../api.ts';

/** Loads the requests again when one is made, ends because its owner got in, or is put away by another admin. */
export function useLiveRecoveries(): void {
  useLiveQuery('recovery:changed', recoveriesQuery.queryKey);
}
