import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { DOCS_PATH } from './api-docs/api-docs.ts';

/**
 * Headers of API answers: a browser may only hand them to the calling script. They are constants because Helmet builds
 * its headers for every answer, and a busy chat has thousands of answers a second.
 */
const API_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Security headers of every answer: no content from other hosts, no framing, no content sniffing. */
export async function registerHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      // The defaults contain upgrade-insecure-requests, which breaks the page on a plain http address.
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
    // Browsers warn about these headers outside a secure context, where they have no effect.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/') && !request.url.startsWith(DOCS_PATH)) reply.headers(API_HEADERS);
    else reply.helmet();
  });
}

/**
 * Older browsers do not count ws: as 'self', so the own host is named. Allowing every host would let an injected script
 * send data anywhere.
 */
function webSocketSources({ headers: { host = '' } }: IncomingMessage): string {
  return /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'";
}

/**
 * Lets clients of other origins call the API (docs/requirements.md R-API-17, setting CORS_ORIGIN).
 * @param origins only these get CORS headers; an empty list sends none
 */
export async function registerCors(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins,
    // The plugin's default lacks PUT and DELETE.
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: ['retry-after', 'x-request-id', 'content-disposition'],
    maxAge: 600,
    // The strict mode answers an OPTIONS request that is no preflight in English.
    strictPreflight: false,
  });
}
