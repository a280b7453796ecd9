import { recordsAnswer } from '#shared/api/tax-records.ts';
import type { Connection } from '#server/db/open.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/encoded-answer.ts';
import { type AnswerOptions, presentSlice } from '../list-answers.ts';
import type { LimitOffset } from '../list-queries.ts';
import { readVerifications, type VerificationState } from './verification-queries.ts';

type VerificationsRequest = AnswerOptions & { query: LimitOffset & { state: VerificationState } };

/** The whole answer to `GET /admin/verifications`; the query worker makes it, as that of every list of records. */
export function encodeVerificationsAnswer(orm: Connection, request: VerificationsRequest): EncodedAnswer {
  const { query, acceptsGzip } = request;
  const slice = readVerifications(orm, query);
  const answer = presentSlice(slice, 'Daftar laporan pembayaran', query.limit, request);
  return encodeAnswer(recordsAnswer, answer, acceptsGzip);
}
