import { matchesAnswer, type MatchesQuery } from '#shared/api/dhkp/linking.ts';
import { possibleFilters } from '#shared/api/filters.ts';
import { type Connection, readSnapshot } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentList } from '#server/http/answers/present.ts';
import { presentListed } from '../list/list-answers.ts';
import { listByRowid } from '../list/list-queries.ts';
import { listYears } from '../settings/settings-queries.ts';
import { findMatches, wantedFor } from './find-matches.ts';
import { listPossibleOwners, listUnlinked } from './match-queries.ts';

type MatchesRequest = { year: MatchesQuery['year']; limit: number; page: number; acceptsGzip: boolean };

/** The whole answer to `GET /admin/dhkp/matches`; the query worker makes it. */
export async function encodeMatchesAnswer(
  orm: Connection,
  { limit, page, acceptsGzip, ...sent }: MatchesRequest,
): Promise<EncodedAnswer> {
  return readSnapshot(orm, async (tx) => {
    const filters = possibleFilters({ year: sent.year });
    const year = filters === null ? null : (filters.year ?? (await listYears(tx))[0] ?? null);
    const objects = year === null ? [] : await listUnlinked(tx, year);
    // Often every object has its account, and then no record has to be read.
    const found =
      year === null || objects.length === 0
        ? []
        : findMatches({ year, objects, ...(await listPossibleOwners(tx, wantedFor(objects))) });
    const onPage = found.slice((page - 1) * limit, page * limit);
    const rows = await listByRowid(
      tx,
      onPage.map(({ object }) => object.rowid),
    );
    const assessments = await presentListed(tx, rows);
    const matches = onPage.flatMap(({ candidates }, index) => {
      const assessment = assessments[index];
      return assessment ? [{ assessment, candidates }] : [];
    });
    const { data, ...envelope } = presentList('Calon pemilik objek', matches, found.length, limit, page);
    return encodeAnswer(matchesAnswer, { ...envelope, data: { ...data, year } }, acceptsGzip);
  });
}
