import type { FastifyInstance } from 'fastify';
import { auditCalls } from '#shared/api/calls/audit.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { auditRoutes } from './routes.ts';
import { createAuditService } from './service.ts';
import type { encodeAuditAnswer } from './list-answers.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    audit: typeof encodeAuditAnswer;
  }
}

/** Adds the reading of the audit. @returns what other features need */
export function registerAudit(app: FastifyInstance, { context, guards }: FeatureDeps) {
  const audit = createAuditService(context);
  serveCalls(app, guards, auditCalls, auditRoutes(audit));
  return { encodeHistory: audit.encodeOfRecord };
}
