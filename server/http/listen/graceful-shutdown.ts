import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const SWEEP_INTERVAL_MS = 50;

/**
 * Ends a server's connections when it closes: a keep-alive connection would otherwise hold the process for its whole
 * time-out after its last answer, and one that a browser opened ahead of need for ever.
 * @returns starts it: idle and silent connections go at once, busy ones once they are answered, whatever is left after
 * `graceMs` by force; its own result stops the sweeping
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
