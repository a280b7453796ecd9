import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const SWEEP_INTERVAL_MS = 50;

/**
 * Ends the connections of a closing server. Otherwise a keep-alive connection would hold the process until its timeout,
 * and a connection that a browser opened in advance would hold it for ever.
 * @returns starts the drain: idle connections close at once, busy ones after their answer, all others after `graceMs`.
 * Its result stops the timers.
 */
export function createConnectionDrain(server: Server): (graceMs: number) => () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return (graceMs) => {
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_INTERVAL_MS);
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    return () => {
      clearInterval(sweep);
      clearTimeout(force);
    };
  };
}
