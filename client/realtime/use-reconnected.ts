import { useAtomValue } from 'jotai';
import { useCallback, useRef } from 'react';
import { socketConnectedAtom } from './connection-state.ts';
import { useServerEvent } from './use-server-event.ts';

/**
 * Calls back when a lost connection is there again, because missed events do not come again. The first connection comes while
 * the page loads what it shows.
 * @param listener should be stable
 */
export function useReconnected(listener: () => void): void {
  // Another part of the page may have connected before.
  const wasConnected = useRef(useAtomValue(socketConnectedAtom));
  const onConnect = useCallback(() => {
    if (wasConnected.current) listener();
    wasConnected.current = true;
  }, [listener]);
  useServerEvent('connect', onConnect);
}
