import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/**
 * Lets the clients of other origins call the API (contract 1: CORS_ORIGIN).
 * @param origins nobody else gets a CORS header; none at all: no CORS headers for anybody
 */
export async function registerCors(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins,
    // The plugin's own list stops at POST.
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: ['retry-after', 'x-request-id', 'content-disposition'],
    maxAge: 600,
    // Strict means an English text for an OPTIONS that is no preflight.
    strictPreflight: false,
  });
}
