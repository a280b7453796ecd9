import type { FastifyInstance } from 'fastify';
import { quickReplyCalls } from '#shared/api/calls/quick-replies.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { quickReplyRoutes } from './routes.ts';
import { createQuickReplyService } from './service.ts';

/** Adds the prepared answers of the admins. */
export function registerQuickReplies(app: FastifyInstance, { context, guards }: FeatureDeps): void {
  serveCalls(app, guards, quickReplyCalls, quickReplyRoutes(createQuickReplyService(context)));
}
