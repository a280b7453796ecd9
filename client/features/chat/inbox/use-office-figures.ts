import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue, useStore } from 'jotai';
import { useEffect } from 'react';
import { CHAT_POLL_LIST_MS } from '#shared/limits.ts';
import { connectionAtom, listAtom } from '../session/state.ts';
import { fetchFigures } from './api.ts';

const KEY = ['chat', 'figures'];

/**
 * How many residents are registered; and sees to it that the office's unread total is known before the first push brings it.
 * Asked again after a reconnect and, without a socket, as often as the list.
 */
export function useOfficeFigures(): number | undefined {
  const store = useStore();
  const queries = useQueryClient();
  const { socket } = useAtomValue(connectionAtom);
  const known = useAtomValue(listAtom).order.length;
  const { data: registered } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const asked = store.get(listAtom).version;
      const { total, total_unread } = await fetchFigures(signal);
      const list = store.get(listAtom);
      // What was pushed meanwhile is newer.
      if (list.version === asked) store.set(listAtom, { ...list, totalUnread: total_unread });
      return total;
    },
    refetchInterval: socket ? false : CHAT_POLL_LIST_MS,
  });

  useEffect(() => {
    if (socket) void queries.invalidateQueries({ queryKey: KEY });
  }, [queries, socket]);
  // Somebody wrote who was not registered when we counted.
  const outgrown = registered !== undefined && known > registered;
  useEffect(() => {
    if (outgrown) void queries.invalidateQueries({ queryKey: KEY });
  }, [queries, outgrown]);

  return registered;
}
