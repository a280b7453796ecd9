import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import jwt from '@fastify/jwt';
import type { Socket } from 'node:net';
import Fastify, {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
} from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { JSON_MAX_BYTES } from '#shared/limits.ts';
import { registerBodyBudget } from './bodies/body-budget.ts';
import { registerBodyProgress } from './bodies/body-progress.ts';
import { registerContentTypeParsers } from './bodies/content-type-parsers.ts';
import { COMPRESSION_MIN_BYTES } from './answers/encoded-answer.ts';
import { clientErrorResponse, registerErrors, sendFrameworkError } from './errors.ts';
import { registerCors, registerHeaders } from './headers.ts';
import { type FormsOptions, registerForms } from './bodies/multipart-form.ts';
import { registerOpenApi } from './api-docs/openapi.ts';
import { decorateCurrentUser } from './session-guards.ts';
import { type IsTrustedProxy, warnOfUntrustedProxy } from './trusted-proxies.ts';

/** The prefix of every API route; features register their routes with it. */
export const API_PREFIX = '/api';

type HttpServerOptions = { logger: FastifyServerOptions['logger']; isTrustedProxy: IsTrustedProxy };

/** Headers fit into a packet or two, also on a slow phone. */
const HEADERS_TIMEOUT_MS = 20_000;
/** A photo of 5 MB takes a minute on a slow phone. */
const REQUEST_TIMEOUT_MS = 120_000;
/** In both directions; every byte that moves starts it again. */
const INACTIVITY_TIMEOUT_MS = 60_000;
const CONNECTION_CHECK_MS = 5000;

const isAnswered = (error: ConnectionError, socket: Socket): boolean =>
  error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || socket.bytesRead > 0;

/** Makes the server without routes and without plugins; it does not listen. */
export function createHttpServer({ logger, isTrustedProxy }: HttpServerOptions): FastifyInstance {
  return Fastify({
    logger: logger ?? false,
    // Only the entry that the one proxy wrote itself counts; a client can invent the rest of the header.
    trustProxy: (address, hop) => hop === 0 && isTrustedProxy(address),
    // Socket.IO drops every other request that asks for an upgrade. Those are answered as ordinary requests.
    http: {
      shouldUpgradeCallback: (request) => request.url?.startsWith('/socket.io/') ?? false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    },
    // Calls with long texts allow more, those without a session less.
    bodyLimit: JSON_MAX_BYTES,
    genReqId: () => randomUUID(),
    // A request whose headers or body never end must not hold a connection for ever.
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Nor must a client that does not read its answer, or one that goes away in silence.
    connectionTimeout: INACTIVITY_TIMEOUT_MS,
    // During a shutdown, open requests and new ones on open connections are answered as usual.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler(error, socket) {
      // A silent connection gets no answer: a browser that opened it in advance would take it for that of its next request.
      if (socket.writable && isAnswered(error, socket)) socket.write(clientErrorResponse(error.code));
      socket.destroy(error);
    },
    frameworkErrors: (error, _request, reply) => sendFrameworkError(error, reply as FastifyReply),
  }).withTypeProvider<ZodTypeProvider>();
}

type HttpPluginOptions = {
  secret: string;
  corsOrigins: string[];
  isTrustedProxy: IsTrustedProxy;
  uploads: FormsOptions;
  /** See `refusal-delay.ts`. */
  refusalDelayMs: number;
};

/** Adds what applies to every route. The order is the order of the hooks, so it comes before all routes. */
export async function registerHttpPlugins(
  app: FastifyInstance,
  { secret, corsOrigins, isTrustedProxy, uploads, refusalDelayMs }: HttpPluginOptions,
): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  registerErrors(app, refusalDelayMs);
  registerBodyProgress(app);
  registerContentTypeParsers(app);
  decorateCurrentUser(app);
  warnOfUntrustedProxy(app, isTrustedProxy);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith(API_PREFIX)) reply.header('cache-control', 'no-store');
  });

  await registerHeaders(app);
  await registerCors(app, corsOrigins);
  // A list of a thousand records is slow on a weak signal. Brotli would cost more time than it saves here.
  await app.register(compress, { global: true, threshold: COMPRESSION_MIN_BYTES, encodings: ['gzip'] });
  await app.register(jwt, {
    secret,
    sign: { algorithm: 'HS256' },
    // The sessions check the expiry, with the same clock as everything else.
    verify: { algorithms: ['HS256'], ignoreExpiration: true, requiredClaims: ['jti', 'sub', 'exp'] },
  });
  await registerForms(app, uploads);
  if (uploads.rateLimits) registerBodyBudget(app);
  await registerOpenApi(app);
}
