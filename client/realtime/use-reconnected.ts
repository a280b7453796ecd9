import { useCallback, useRef } from 'react';
import { useServerEvent } from './use-server-event.ts';

/**
 * Calls back when a lost connection is there again, because missed events do not come again. The first connection comes while
 * the page loads what it shows.
 * @param listener should be stable
 */
export function useReconnected(listener: () => void): void {
  const wasConnected = useRef(false);
  const onConnect = useCallback(() => {
    if (wasConnected.current) listener();
    wasConnected.current = true;
  }, [listener]);
  useServerEvent('connect', onConnect);
}
