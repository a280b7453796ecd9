import type { auditCalls } from '#shared/api/calls/audit.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { AuditService } from './service.ts';

/** Reads the audit. Entries are written inside the changes that they describe (`server/audit/audit-log.ts`). */
export function auditRoutes(audit: AuditService): Handlers<typeof auditCalls> {
  return {
    'GET /admin/audit': (received) => audit.encodeList(received.query, listCallerOf(received)),
  };
}
