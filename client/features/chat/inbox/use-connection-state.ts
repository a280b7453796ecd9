import { useAtomValue } from 'jotai';
import { connectionHealthAtom } from '../session/state.ts';

/** `polling`: no socket, but calls get through; `waiting`: nothing was tried yet. */
export type ConnectionState = 'live' | 'polling' | 'waiting' | 'offline';

export function useConnectionState(): ConnectionState {
  const { socketConnected, lastPollSucceeded } = useAtomValue(connectionHealthAtom);
  if (socketConnected) return 'live';
  if (lastPollSucceeded === null) return 'waiting';
  return lastPollSucceeded ? 'polling' : 'offline';
}
