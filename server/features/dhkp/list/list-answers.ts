import { assessmentsAnswer } from '#shared/api/dhkp/assessments.ts';
import type { Connection } from '#server/db/open.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentList } from '#server/http/answers/present.ts';
import { type ListQuery, readAssessments } from './list-queries.ts';
import { presentAssessment } from './present-assessment.ts';

type AssessmentsRequest = { query: ListQuery; page: number; acceptsGzip: boolean };

/** The whole answer to `GET /admin/dhkp`; the query worker makes it. */
export async function encodeAssessmentsAnswer(
  orm: Connection,
  { query, page, acceptsGzip }: AssessmentsRequest,
): Promise<EncodedAnswer> {
  const { rows, total, sen, year, years, places, settings } = await readAssessments(orm, query);
  const presented = rows.map((row) => presentAssessment(row, places, settings));
  const { data, ...envelope } = presentList('Daftar objek', presented, total, query.limit, page);
  const sums = { total_amount: senSumToRupiah(sen), year, years };
  return encodeAnswer(assessmentsAnswer, { ...envelope, data: { ...data, ...sums } }, acceptsGzip);
}
