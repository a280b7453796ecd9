import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { auditRoutes } from './routes.ts';
import { createAuditService } from './service.ts';
import type { encodeAuditAnswer } from './list-answers.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    audit: typeof encodeAuditAnswer;
  }
}

/** @throws 404 when the record is missing or another user's */
type RequireOwnRecord = (currentUser: CurrentUser, id: string) => unknown;

/** Adds the reading of the audit. */
export async function registerAudit(
  app: FastifyInstance,
  { context, guards, requireOwnRecord }: FeatureDeps & { requireOwnRecord: RequireOwnRecord },
): Promise<void> {
  await app.register(auditRoutes(createAuditService(context, requireOwnRecord), guards), { prefix: API_PREFIX });
}
