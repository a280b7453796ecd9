import { recordsAnswer } from '#shared/api/tax-records.ts';
import { presentList } from '#server/http/present.ts';
import type { Connection } from '#server/db/open.ts';
import { type AdminListQuery, readAdminRecords } from './admin-list-queries.ts';
import { presentRecord } from './present.ts';
import { createProofLinks } from './proofs/proof-links.ts';

type AdminRecordsRequest = {
  query: AdminListQuery;
  page: number;
  /** For whom the images' links are signed, with what, and as of when (epoch milliseconds). */
  linkSigning: { sessionId: string; secret: string; nowMs: number };
};

/**
 * The whole answer to `GET /admin/tax-records`, as the bytes that are sent: a page of an export has a thousand records,
 * and shaping them holds whatever thread it runs in. So this, too, is the reading worker's.
 */
export function encodeAdminRecordsAnswer(
  orm: Connection,
  { query, page, linkSigning }: AdminRecordsRequest,
): Uint8Array {
  const { rows, total } = readAdminRecords(orm, query);
  const links = createProofLinks({ secret: linkSigning.secret, now: () => linkSigning.nowMs });
  const linkFor = links.forSession(linkSigning.sessionId);
  const presented = rows.map((row) => presentRecord(row, linkFor));
  const answer = presentList('Daftar data pajak', presented, total, query.limit, page);
  // What the route's own serializer would have done: nothing leaves that the schema does not know.
  return new TextEncoder().encode(JSON.stringify(recordsAnswer.parse(answer)));
}
