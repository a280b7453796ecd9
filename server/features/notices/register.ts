import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { noticeRoutes } from './routes.ts';
import { createNoticeService } from './service.ts';

/** Adds what admins are told until they have seen it. */
export async function registerNotices(app: FastifyInstance, { context, guards }: FeatureDeps): Promise<void> {
  await app.register(noticeRoutes(createNoticeService(context), guards), { prefix: API_PREFIX });
}
