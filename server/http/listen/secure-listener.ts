import type { Socket } from 'node:net';
import { createSecureContext, createServer, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from './connection-limits.ts';
import { ListenError, toListenError } from './listen.ts';

/** Timeout of the TLS handshake; a phone with a weak signal needs a second or two. */
const HANDSHAKE_TIMEOUT_MS = 20_000;

type KeyPair = { key: string; cert: string };
type ListenAddress = { host: string; port: number };

export type SecureListener = {
  /** @returns the port. @throws ListenError when it cannot be used */
  listen: (where: ListenAddress) => Promise<number>;
  /** Uses another certificate from the next handshake on; open connections stay. */
  replace: (pair: KeyPair) => void;
  /** Uses this certificate, from the next handshake on, for clients that ask for one of its names (SNI). */
  replaceNamed: (pair: KeyPair, names: readonly string[]) => void;
};

/**
 * https beside http: a second port. Its connections are handed to the HTTP server of the app after decryption. So the
 * limits, the drain at shutdown and the sockets are the same for both. Call it before the app listens; it closes with
 * the app.
 * @param pair for clients that ask for no other name; null: they get the certificate of the named ones
 */
export function addSecureListener(
  app: FastifyInstance,
  pair: KeyPair | null,
  limits?: ConnectionLimits,
): SecureListener {
  const handshakingSockets = new Map<string, Socket>();
  let named: { names: ReadonlySet<string>; context: SecureContext } | null = null;
  const server = createServer({
    ...(pair && secureContextOptions(pair)),
    // Called only for clients that ask for a name.
    SNICallback: (name, done) => done(null, named?.names.has(name.toLowerCase()) ? named.context : undefined),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    noDelay: true,
  });
  server.on('connection', (socket: Socket) => {
    if (limits?.acceptHandshake(socket) === false) return;
    const peer = peerKey(socket);
    handshakingSockets.set(peer, socket);
    socket.once('close', () => handshakingSockets.delete(peer));
  });
  server.on('secureConnection', (socket) => {
    const peer = peerKey(socket);
    const encrypted = handshakingSockets.get(peer);
    // From here on the decrypted socket counts.
    if (encrypted) limits?.release(encrypted);
    handshakingSockets.delete(peer);
    app.server.emit('connection', socket);
  });
  // Port scanners, and browsers that do not trust the certificate yet: logged at the debug level only.
  server.on('tlsClientError', (error, socket) => {
    app.log.debug({ err: error }, 'a TLS handshake failed');
    socket.destroy();
  });

  let closed: Promise<void> | null = null;
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    if (!server.listening) return;
    closed = new Promise((resolve) => server.close(() => resolve()));
    for (const socket of handshakingSockets.values()) socket.destroy();
  });
  // onClose hooks run in reverse order: the database is still open while this waits for the last answers.
  app.addHook('onClose', async () => {
    await closed;
  });

  return {
    listen: async (listenAddress) => {
      // The first certificate may arrive when the app has begun to close.
      if (isClosing) return listenAddress.port;
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
    replaceNamed: (next, names) => {
      named = { names: new Set(names), context: createSecureContext(secureContextOptions(next)) };
      if (!pair) server.setSecureContext(secureContextOptions(next));
    },
  };
}

const secureContextOptions = ({ key, cert }: KeyPair): SecureContextOptions => ({ key, cert, minVersion: 'TLSv1.2' });

const peerKey = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function toError(error: unknown, listenAddress: ListenAddress): Error {
  const listenError = toListenError(error, 'TLS_PORT', listenAddress);
  return listenError instanceof Error ? listenError : new ListenError(String(listenError));
}
