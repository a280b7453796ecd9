import { useEffect } from 'react';
import { useSession } from '#client/lib/session/session.ts';
import { acquireConnection } from './connection.ts';
import type { SocketEvents } from './socket.ts';

/**
 * Calls back on every event of this name while the component is mounted and a user is signed in.
 * @param listener should be stable; a new one is bound anew
 */
export function useServerEvent<E extends keyof SocketEvents>(event: E, listener: SocketEvents[E]): void {
  const session = useSession();
  const token = session?.user ? session.token : null;
  useEffect(() => {
    if (token === null) return undefined;
    const { socket, close } = acquireConnection(token);
    socket.on(event, listener);
    return () => {
      socket.off(event, listener);
      close();
    };
  }, [token, event, listener]);
}
