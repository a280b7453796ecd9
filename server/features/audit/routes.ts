import type { FastifyInstance } from 'fastify';
import { auditCalls } from '#shared/api/calls/audit.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { encodeAuditAnswer } from './list-answers.ts';
import { createAuditService } from './service.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    audit: typeof encodeAuditAnswer;
  }
}

/**
 * Adds the reading of the audit. Entries are written inside the changes that they describe (`server/audit/audit-log.ts`).
 * @returns what other features need
 */
export function registerAudit(app: FastifyInstance, { context, guards }: FeatureDeps) {
  const audit = createAuditService(context);
  serveCalls(app, guards, auditCalls, {
    'GET /admin/audit': (received) => audit.encodeList(received.query, listCallerOf(received)),
  });
  return { encodeHistory: audit.encodeOfRecord };
}
