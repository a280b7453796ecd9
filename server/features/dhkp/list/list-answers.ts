import { type Assessment, assessmentsAnswer } from '#shared/api/dhkp/assessments.ts';
import { readAreaPlaces } from '#server/areas/area-filter-queries.ts';
import type { Connection, ConnectionOrTransaction } from '#server/db/engine.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentList } from '#server/http/answers/present.ts';
import { readDhkpSettings } from '../settings/settings-queries.ts';
import { type ListedRow, type ListQuery, readAssessments } from './list-queries.ts';
import { presentAssessment } from './present-assessment.ts';

type AssessmentsRequest = { query: ListQuery; page: number; acceptsGzip: boolean };

/** Rows of the list as answers show them. */
export async function presentListed(orm: ConnectionOrTransaction, rows: readonly ListedRow[]): Promise<Assessment[]> {
  const places = await readAreaPlaces(orm);
  const settings = await readDhkpSettings(orm);
  return rows.map((row) => presentAssessment(row, places, settings));
}

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
