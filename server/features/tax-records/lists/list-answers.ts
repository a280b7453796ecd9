import { adminRecordsAnswer, type ListSums, recordsAnswer } from '#shared/api/tax-records/tax-records.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentList } from '#server/http/answers/present.ts';
import type { Connection } from '#server/db/engine.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { readAssessmentsOf } from '#server/records/linked-assessment-queries.ts';
import { presentChecked, presentSum } from '#server/records/present-sums.ts';
import type { AdminListQuery } from './admin-filter-queries.ts';
import { readAdminRecords } from './admin-list-queries.ts';
import { type LimitOffset, type OwnListFilter, readOwnRecords, type RecordSlice } from './list-queries.ts';
import { presentRecord } from '../present.ts';
import { createLinkForSession, type LinkSigningForSession } from '#server/uploads/upload-links.ts';

/** The values beside the rows that the query worker needs for the answer. */
export type AnswerOptions = {
  page: number;
  linkSigning: LinkSigningForSession;
  acceptsGzip: boolean;
};
type OwnRecordsRequest = AnswerOptions & { filter: OwnListFilter; limitOffset: LimitOffset; message: string };
type AdminRecordsRequest = AnswerOptions & { query: AdminListQuery };

/** The whole answer to a list of own records: one of a thousand would hold the event loop, so the query worker makes it. */
export async function encodeOwnRecordsAnswer(orm: Connection, request: OwnRecordsRequest): Promise<EncodedAnswer> {
  const { filter, limitOffset, message, acceptsGzip } = request;
  const slice = await readOwnRecords(orm, filter, limitOffset);
  return encodeAnswer(recordsAnswer, await presentSlice(orm, slice, message, limitOffset.limit, request), acceptsGzip);
}

/** The whole answer to `GET /admin/tax-records`. */
export async function encodeAdminRecordsAnswer(orm: Connection, request: AdminRecordsRequest): Promise<EncodedAnswer> {
  const { query, acceptsGzip } = request;
  const { rows, all, paid, estimated } = await readAdminRecords(orm, query);
  const slice = { rows, total: all.count };
  const { data, ...envelope } = await presentSlice(orm, slice, 'Daftar data pajak', query.limit, request);
  const sums: ListSums = {
    total_amount: senSumToRupiah(all.sen),
    checked: presentChecked(paid),
    estimated: presentSum(estimated),
  };
  return encodeAnswer(adminRecordsAnswer, { ...envelope, data: { ...data, ...sums } }, acceptsGzip);
}

/** A page of records with links of the session that asks. */
export async function presentSlice(
  orm: Connection,
  { rows, total }: RecordSlice,
  message: string,
  limit: number,
  { page, linkSigning }: AnswerOptions,
) {
  const linkFor = createLinkForSession(linkSigning);
  const assessments = await readAssessmentsOf(
    orm,
    rows.map(({ record }) => record),
  );
  const presented = rows.map((row) => presentRecord(row, linkFor, assessments.get(row.record.id)));
  return presentList(message, presented, total, limit, page);
}
