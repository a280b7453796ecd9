import { auditAnswer } from '#shared/api/audit.ts';
import type { Connection } from '#server/db/open.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentList } from '#server/http/answers/present.ts';
import { presentEntry } from './present.ts';
import { type AuditFilter, readAudit } from './queries.ts';

type AuditRequest = { filter: AuditFilter; page: number; acceptsGzip: boolean };

/** A whole page of the audit as an answer; the query worker makes it. */
export function encodeAuditAnswer(orm: Connection, { filter, page, acceptsGzip }: AuditRequest): EncodedAnswer {
  const { rows, total } = readAudit(orm, filter);
  const answer = presentList('Riwayat perubahan', rows.map(presentEntry), total, filter.limit, page);
  return encodeAnswer(auditAnswer, answer, acceptsGzip);
}
