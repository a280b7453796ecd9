import type { AuditEntry } from '#shared/api/audit.ts';
import { presentIds } from '#server/http/answers/present.ts';
import type { AuditRow } from './queries.ts';

/** An entry never changes, so it has no `updated_at`. */
export function presentEntry(row: AuditRow): AuditEntry {
  const at = new Date(row.at).toISOString();
  return {
    ...presentIds(String(row.id)),
    created_at: at,
    createdAt: at,
    action: row.action,
    actor: { id: row.actorId, name: row.actorName, role: row.actorIsAdmin ? 'admin' : 'user' },
    subject: { id: row.subjectId, label: row.subjectLabel },
    changes: row.changes,
  };
}
