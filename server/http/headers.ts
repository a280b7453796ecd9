import type { IncomingMessage } from 'node:http';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * What a browser may do with an answer of the API: nothing but hand it to the script that asked. Fixed, since a chat's
 * server writes them thousands of times a second, and Helmet puts its own together anew each time.
 */
const API_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
/** Pages, not data. */
const DOCS_PATH = '/api/docs';

/** Headers of every answer: nothing from another host, no framing, no guessing of types. */
export async function registerHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      // The defaults hold upgrade-insecure-requests, which blanks the page on a plain-http office address.
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'base-uri': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'self'"],
        'object-src': ["'none'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'", 'data:'],
        // Mantine writes style attributes and a style element.
        'style-src': ["'self'", "'unsafe-inline'"],
        'worker-src': ["'self'", 'blob:'],
        'connect-src': ["'self'", webSocketSources],
      },
    },
    // These mean something only in a secure context and print warnings in every other.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/') && !request.url.startsWith(DOCS_PATH)) reply.headers(API_HEADERS);
    else reply.helmet();
  });
}

/** Older browsers do not count the socket's scheme as 'self'; naming every host instead would let data out anywhere. */
function webSocketSources({ headers: { host = '' } }: IncomingMessage): string {
  return /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'";
}
