import { recordsAnswer } from '#shared/api/tax-records.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/encoded-answer.ts';
import { presentList } from '#server/http/present.ts';
import type { Connection } from '#server/db/open.ts';
import { type AdminListQuery, readAdminRecords } from './admin-list-queries.ts';
import { type LimitOffset, type OwnListFilter, readOwnRecords, type RecordSlice } from './list-queries.ts';
import { presentRecord } from './present.ts';
import { createProofLinks } from './proofs/proof-links.ts';

/** What the query worker needs for the answer beside the rows. */
type AnswerOptions = {
  page: number;
  /** Session and key for the proof links, and the current time in epoch milliseconds. */
  linkSigning: { sessionId: string; secret: string; nowMs: number };
  acceptsGzip: boolean;
};
type OwnRecordsRequest = AnswerOptions & { filter: OwnListFilter; limitOffset: LimitOffset; message: string };
type AdminRecordsRequest = AnswerOptions & { query: AdminListQuery };

/** The whole answer to a list of own records: one of a thousand would hold the event loop, so the query worker makes it. */
export function encodeOwnRecordsAnswer(orm: Connection, request: OwnRecordsRequest): EncodedAnswer {
  const { filter, limitOffset, message } = request;
  return encodeRecords(readOwnRecords(orm, filter, limitOffset), message, limitOffset.limit, request);
}

/** The whole answer to `GET /admin/tax-records`. */
export function encodeAdminRecordsAnswer(orm: Connection, request: AdminRecordsRequest): EncodedAnswer {
  const { query } = request;
  return encodeRecords(readAdminRecords(orm, query), 'Daftar data pajak', query.limit, request);
}

function encodeRecords(
  { rows, total }: RecordSlice,
  message: string,
  limit: number,
  { page, linkSigning, acceptsGzip }: AnswerOptions,
): EncodedAnswer {
  const links = createProofLinks({ secret: linkSigning.secret, now: () => linkSigning.nowMs });
  const linkFor = links.forSession(linkSigning.sessionId);
  const presented = rows.map((row) => presentRecord(row, linkFor));
  return encodeAnswer(recordsAnswer, presentList(message, presented, total, limit, page), acceptsGzip);
}
