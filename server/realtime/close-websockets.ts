import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Keeps track of upgraded connections. The HTTP server waits for them when it closes, but its own ways to close connections
 * do not reach them. A phone without a network never completes the closing handshake.
 * @returns waits until all are closed, and destroys those that are left after `graceMs`
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
