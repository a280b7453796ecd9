import type { FastifyInstance } from 'fastify';
import { noticeCalls } from '#shared/api/calls/notices.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { noticeRoutes } from './routes.ts';
import { createNoticeService } from './service.ts';

/** Adds what admins are told until they have seen it. */
export function registerNotices(app: FastifyInstance, { context, guards }: FeatureDeps): void {
  serveCalls(app, guards, noticeCalls, noticeRoutes(createNoticeService(context)));
}
