import type { Connection, NamespaceSocket } from './socket-types.ts';

/** More than a burst of messages leaves for a moment: a client that reads takes it within milliseconds. */
const BEHIND = { packets: 100, bytes: 2 ** 20 };
/** A client that reads, but more slowly than messages arrive, is closed here. */
const FAR_BEHIND = { packets: 2000, bytes: 2 ** 22 };

/** The waiting packets in Engine.IO, and the bytes that it has handed to the WebSocket. */
type Unsent = { packets: number; bytes: number; oldestPacket: unknown };
/** Parts of Engine.IO's connection that its types do not show. A connection that polls has no WebSocket. */
type ConnectionParts = {
  writeBuffer: readonly unknown[];
  transport: { socket?: { bufferedAmount?: number; terminate?: () => void } };
};

const partsOf = (conn: Connection): ConnectionParts => conn as unknown as ConnectionParts;

function unsentOf({ conn }: NamespaceSocket): Unsent {
  const { writeBuffer, transport } = partsOf(conn);
  return {
    packets: writeBuffer.length,
    bytes: transport.socket?.bufferedAmount ?? 0,
    oldestPacket: writeBuffer[0],
  };
}

const exceeds = (unsent: Unsent, limit: { packets: number; bytes: number }): boolean =>
  unsent.packets > limit.packets || unsent.bytes > limit.bytes;

/**
 * Finds sockets whose client does not read. Engine.IO's ping does not: it accepts answers to pings that were never read. Without
 * this check every message to the account would stay in memory.
 * @returns whether a socket is far behind, or is behind and has taken nothing since its last check
 */
export function createStallCheck(): (socket: NamespaceSocket) => boolean {
  const unsentAtLastCheck = new WeakMap<NamespaceSocket, Unsent>();
  return (socket) => {
    const unsent = unsentOf(socket);
    if (exceeds(unsent, FAR_BEHIND)) return true;
    if (!exceeds(unsent, BEHIND)) {
      unsentAtLastCheck.delete(socket);
      return false;
    }
    const last = unsentAtLastCheck.get(socket);
    unsentAtLastCheck.set(socket, unsent);
    return last !== undefined && last.bytes === unsent.bytes && last.oldestPacket === unsent.oldestPacket;
  };
}

/** Closes without the usual wait for the unsent packets and the closing handshake: the client would take neither. */
export function cutConnection(conn: Connection): void {
  const { transport } = partsOf(conn);
  conn.close(true);
  transport.socket?.terminate?.();
}
