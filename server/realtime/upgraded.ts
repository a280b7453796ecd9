import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Watches the connections that left HTTP behind (WebSockets): the server waits for them when it closes, but its own
 * means of ending connections do not reach them, and one whose phone is out of reach never says goodbye.
 * @returns waits until all are gone, and cuts whatever is left after `graceMs`
 */
export function trackUpgraded(server: Server): (graceMs: number) => Promise<void> {
  const open = new Set<Duplex>();
  let emptied: (() => void) | null = null;
  server.on('upgrade', (_request, socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) emptied?.();
    });
  });
  return async (graceMs) => {
    if (open.size === 0) return;
    const cut = setTimeout(() => {
      for (const socket of open) socket.destroy();
    }, graceMs);
    await new Promise<void>((resolve) => {
      emptied = resolve;
    });
    clearTimeout(cut);
  };
}
