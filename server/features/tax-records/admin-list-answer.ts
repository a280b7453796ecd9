import { recordsAnswer } from '#shared/api/tax-records.ts';
import { presentList } from '#server/http/present.ts';
import type { Connection } from '#server/db/open.ts';
import { type AdminListQuery, readAdminRecords } from './admin-list-queries.ts';
import { presentRecord } from './present.ts';
import { createProofLinks } from './proofs/proof-links.ts';

type AdminRecordsRequest = {
  query: AdminListQuery;
  page: number;
  /** Session and key for the proof links, and the current time in epoch milliseconds. */
  linkSigning: { sessionId: string; secret: string; nowMs: number };
};

/**
 * The whole answer to `GET /admin/tax-records`, as the bytes that are sent. A page of an export has a thousand records,
 * and presenting them would block the event loop. So this runs in the query worker too.
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
  // As the serializer of a route would do: properties that the schema does not have are removed.
  return new TextEncoder().encode(JSON.stringify(recordsAnswer.parse(answer)));
}
