import { verificationsAnswer } from '#shared/api/tax-records/tax-records.ts';
import type { Connection } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentSum } from '#server/records/present-sums.ts';
import { EMPTY_SUM } from '#server/records/record-sum-queries.ts';
import { type AnswerOptions, presentSlice } from '../lists/list-answers.ts';
import type { LimitOffset } from '../lists/list-queries.ts';
import { readVerifications, type VerificationState } from './verification-queries.ts';

type VerificationsRequest = AnswerOptions & { query: LimitOffset & { state: VerificationState } };

/** The whole answer to `GET /admin/verifications`; the query worker makes it, as that of every list of records. */
export async function encodeVerificationsAnswer(
  orm: Connection,
  request: VerificationsRequest,
): Promise<EncodedAnswer> {
  const { query, acceptsGzip } = request;
  const { rows, sums } = await readVerifications(orm, query);
  const sumsOf = (state: VerificationState) => sums.find((row) => row.state === state);
  const sumOf = (state: VerificationState) => presentSum(sumsOf(state)?.all ?? EMPTY_SUM);
  const slice = { rows, total: sumOf(query.state).count };
  const { data, ...envelope } = await presentSlice(orm, slice, 'Daftar laporan pembayaran', query.limit, request);
  const ofStates = {
    pending: sumOf('pending'),
    matched: { ...sumOf('matched'), unpaid: presentSum(sumsOf('matched')?.unpaid ?? EMPTY_SUM) },
    rejected: sumOf('rejected'),
    outdated: sumOf('outdated'),
  };
  return encodeAnswer(verificationsAnswer, { ...envelope, data: { ...data, sums: ofStates } }, acceptsGzip);
}
