import { useAtomValue } from 'jotai';
import { connectionAtom } from '../session/state.ts';

/** `polling`: no socket, but calls get through; `waiting`: nothing was tried yet. */
export type ConnectionState = 'live' | 'polling' | 'waiting' | 'offline';

export function useConnectionState(): ConnectionState {
  const { socket, polled } = useAtomValue(connectionAtom);
  if (socket) return 'live';
  if (polled === null) return 'waiting';
  return polled ? 'polling' : 'offline';
}
