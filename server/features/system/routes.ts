import type { FastifyInstance } from 'fastify';
import { errorTexts } from '#shared/texts.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import { isAnswering } from './queries.ts';

/** `/healthz`: ok only while the database answers (contract 1). */
export function systemRoutes(app: FastifyInstance, { orm }: Pick<Context, 'orm'>): void {
  app.get('/healthz', { schema: { hide: true }, logLevel: 'warn' }, async (_request, reply) => {
    if (!isAnswering(orm)) throw new AppError(503, errorTexts.busy);
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
}
