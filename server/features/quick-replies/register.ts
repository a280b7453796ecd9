import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { quickReplyRoutes } from './routes.ts';
import { createQuickReplyService } from './service.ts';

/** Adds the prepared answers of the admins. */
export async function registerQuickReplies(app: FastifyInstance, { context, guards }: FeatureDeps): Promise<void> {
  await app.register(quickReplyRoutes(createQuickReplyService(context), guards), { prefix: API_PREFIX });
}
