import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Watches the connections that left HTTP behind (WebSockets): the server waits for them when it closes, but its own
 * means of ending connections do not reach them, and one whose phone is out of reach never says goodbye.
 * @returns waits until all are gone, and cuts whatever is left after `graceMs`
 */
export function trackWebSockets(server: Server): (graceMs: number) => Promise<void> {
  const sockets = new Set<Duplex>();
  let onAllClosed: (() => void) | null = null;
  server.on('upgrade', (_request, socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) onAllClosed?.();
    });
  });
  return async (graceMs) => {
    if (sockets.size === 0) return;
    const forceTimer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMs);
    await new Promise<void>((resolve) => {
      onAllClosed = resolve;
    });
    clearTimeout(forceTimer);
  };
}
