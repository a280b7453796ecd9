import { auditAnswer, type AuditEntry } from '#shared/api/audit.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import type { Connection } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentIds, presentList } from '#server/http/answers/present.ts';
import { type AuditFilter, type AuditRow, readAudit } from './queries.ts';

type AuditRequest = { filter: AuditFilter; page: number; acceptsGzip: boolean };

/** A whole page of the audit as an answer; the query worker makes it. */
export async function encodeAuditAnswer(
  orm: Connection,
  { filter, page, acceptsGzip }: AuditRequest,
): Promise<EncodedAnswer> {
  const { rows, total } = await readAudit(orm, filter);
  const answer = presentList('Riwayat perubahan', rows.map(presentEntry), total, filter.limit, page);
  return encodeAnswer(auditAnswer, answer, acceptsGzip);
}

/** The label of a record begins with its number, which is stored as it was typed. */
function presentLabel({ action, subjectLabel }: AuditRow): string {
  if (!action.startsWith('record.')) return subjectLabel;
  const [number = '', ...others] = subjectLabel.split(' · ');
  return [formatSptNumber(number), ...others].join(' · ');
}

/** An entry never changes, so it has no `updated_at`. */
function presentEntry(row: AuditRow): AuditEntry {
  const at = new Date(row.at).toISOString();
  return {
    ...presentIds(String(row.id)),
    created_at: at,
    createdAt: at,
    action: row.action,
    actor: { id: row.actorId, name: row.actorName, role: row.actorIsAdmin ? 'admin' : 'user' },
    subject: { id: row.subjectId, label: presentLabel(row) },
    changes: row.changes,
  };
}
