import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const SWEEP_EVERY_MS = 50;

/**
 * Ends a server's connections when it closes: a keep-alive connection would otherwise hold the process for its whole
 * time-out after its last answer, and one that a browser opened ahead of need for ever.
 * @returns starts it: idle and silent connections go at once, busy ones once they are answered, whatever is left after
 * `graceMs` by force; its own result stops the sweeping
 */
export function createDrain(server: Server): (graceMs: number) => () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return (graceMs) => {
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_EVERY_MS);
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    return () => {
      clearInterval(sweep);
      clearTimeout(force);
    };
  };
}
