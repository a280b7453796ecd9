import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { AppError } from '#server/http/errors.ts';
import { canReadDatabase } from './queries.ts';

/** `/healthz` answers 200 only while the database answers (R-RUN-8). */
export function healthRoutes(app: FastifyInstance, { orm }: Pick<ServiceContext, 'orm'>): void {
  const schema = {
    tags: ['Sistem'],
    summary: 'Apakah server dan databasenya bekerja',
    security: [],
    response: { 200: z.object({ status: z.literal('ok') }) },
  };
  app.get('/healthz', { schema, logLevel: 'warn' }, async (_request, reply) => {
    if (!canReadDatabase(orm)) throw new AppError(503, errorTexts.busy);
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
}
