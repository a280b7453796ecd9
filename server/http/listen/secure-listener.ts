import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { ListenError, listenFault } from './listen.ts';

/** A phone with a weak signal needs a second or two; who takes longer than this does not mean it. */
const HANDSHAKE_WITHIN_MS = 20_000;

type Pair = { key: string; cert: string };
type Where = { host: string; port: number };

export type SecureListener = {
  /** @returns the port. @throws ListenError when it cannot be had */
  listen: (where: Where) => Promise<number>;
  /** From the next handshake on; whoever is connected stays so. */
  replace: (pair: Pair) => void;
};

/**
 * https beside http: a second port whose connections, once decrypted, are handed to the app's own HTTP server. So
 * there is one set of limits, one list of connections to drain, one door for sockets. Call it before the app listens;
 * it closes with the app.
 */
export function addSecureListener(app: FastifyInstance, pair: Pair): SecureListener {
  const shaking = new Map<string, Socket>();
  const server = createServer({
    ...contextOf(pair),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: HANDSHAKE_WITHIN_MS,
    noDelay: true,
  });
  server.on('connection', (socket: Socket) => {
    const who = peerOf(socket);
    shaking.set(who, socket);
    socket.once('close', () => shaking.delete(who));
  });
  server.on('secureConnection', (socket) => {
    shaking.delete(peerOf(socket));
    app.server.emit('connection', socket);
  });
  // Scanners, browsers that do not trust us yet: not worth more than a trace.
  server.on('tlsClientError', (error, socket) => {
    app.log.debug({ err: error }, 'a TLS handshake failed');
    socket.destroy();
  });

  let closed: Promise<void> | null = null;
  app.addHook('preClose', async () => {
    if (!server.listening) return;
    closed = new Promise((resolve) => server.close(() => resolve()));
    for (const socket of shaking.values()) socket.destroy();
  });
  // Hooks of the end run from the last to the first: what answers need is still open while this waits for them.
  app.addHook('onClose', async () => {
    await closed;
  });

  return {
    listen: async (where) => {
      await new Promise<void>((resolve, reject) => {
        const failed = (error: Error): void => reject(faultOf(error, where));
        server.once('error', failed);
        server.listen(where, () => {
          server.off('error', failed);
          server.on('error', (error) => app.log.error({ err: error }, 'https failed'));
          resolve();
        });
      });
      const address = server.address();
      return typeof address === 'object' && address ? address.port : where.port;
    },
    replace: (next) => server.setSecureContext(contextOf(next)),
  };
}

const contextOf = ({ key, cert }: Pair): SecureContextOptions => ({ key, cert, minVersion: 'TLSv1.2' });

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function faultOf(error: unknown, where: Where): Error {
  const fault = listenFault(error, 'TLS_PORT', where);
  return fault instanceof Error ? fault : new ListenError(String(fault));
}
