import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { ListenError, toListenError } from './listen.ts';

/** A phone with a weak signal needs a second or two; who takes longer than this does not mean it. */
const HANDSHAKE_TIMEOUT_MS = 20_000;

type KeyPair = { key: string; cert: string };
type ListenAddress = { host: string; port: number };

export type SecureListener = {
  /** @returns the port. @throws ListenError when it cannot be had */
  listen: (where: ListenAddress) => Promise<number>;
  /** From the next handshake on; whoever is connected stays so. */
  replace: (pair: KeyPair) => void;
};

/**
 * https beside http: a second port whose connections, once decrypted, are handed to the app's own HTTP server. So
 * there is one set of limits, one list of connections to drain, one door for sockets. Call it before the app listens;
 * it closes with the app.
 */
export function addSecureListener(app: FastifyInstance, pair: KeyPair): SecureListener {
  const handshakingSockets = new Map<string, Socket>();
  const server = createServer({
    ...secureContextOptions(pair),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    noDelay: true,
  });
  server.on('connection', (socket: Socket) => {
    const peer = peerKey(socket);
    handshakingSockets.set(peer, socket);
    socket.once('close', () => handshakingSockets.delete(peer));
  });
  server.on('secureConnection', (socket) => {
    handshakingSockets.delete(peerKey(socket));
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
    for (const socket of handshakingSockets.values()) socket.destroy();
  });
  // Hooks of the end run from the last to the first: what answers need is still open while this waits for them.
  app.addHook('onClose', async () => {
    await closed;
  });

  return {
    listen: async (listenAddress) => {
      await new Promise<void>((resolve, reject) => {
        const failed = (error: Error): void => reject(toError(error, listenAddress));
        server.once('error', failed);
        server.listen(listenAddress, () => {
          server.off('error', failed);
          server.on('error', (error) => app.log.error({ err: error }, 'https failed'));
          resolve();
        });
      });
      const address = server.address();
      return typeof address === 'object' && address ? address.port : listenAddress.port;
    },
    replace: (next) => server.setSecureContext(secureContextOptions(next)),
  };
}

const secureContextOptions = ({ key, cert }: KeyPair): SecureContextOptions => ({ key, cert, minVersion: 'TLSv1.2' });

const peerKey = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function toError(error: unknown, where: ListenAddress): Error {
  const listenError = toListenError(error, 'TLS_PORT', where);
  return listenError instanceof Error ? listenError : new ListenError(String(listenError));
}
