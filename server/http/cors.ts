import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

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
