import { getDefaultStore } from 'jotai';
import { onSessionChange } from '#client/lib/session/session.ts';
import { trackConnection } from './connection-state.ts';
import { openRealtimeConnection, type RealtimeConnection } from './socket.ts';

/** Layouts are exchanged when the user moves between areas; the connection stays open meanwhile. */
const LINGER_MS = 1000;

let shared: { token: string; connection: RealtimeConnection; leaseCount: number } | null = null;

function closeShared(): void {
  shared?.connection.close();
  shared = null;
}

// After the end of a session nothing may arrive for it any more.
onSessionChange(closeShared);

/**
 * The connection of this tab for a session's token, shared by all features.
 * @returns a lease: `close` gives it back, and the last one closes the connection
 */
export function acquireConnection(token: string): RealtimeConnection {
  if (shared && shared.token !== token) closeShared();
  shared ??= {
    token,
    connection: trackConnection(openRealtimeConnection(token), getDefaultStore()),
    leaseCount: 0,
  };
  const leased = shared;
  leased.leaseCount += 1;
  let isReleased = false;
  return {
    ...leased.connection,
    close(): void {
      if (isReleased) return;
      isReleased = true;
      leased.leaseCount -= 1;
      setTimeout(() => {
        if (shared === leased && leased.leaseCount === 0) closeShared();
      }, LINGER_MS);
    },
  };
}
