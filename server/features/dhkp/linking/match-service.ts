import type { MatchesQuery } from '#shared/api/dhkp/linking.ts';
import { MATCHES_DEFAULT } from '#shared/limits.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** Proposals of owners for objects without an account (R-DHKP-30). */
export function createMatchService({ queryWorker }: ServiceContext) {
  return {
    /** Compares all names; the query worker makes the whole answer. */
    encode(
      { year, limit = MATCHES_DEFAULT, page = 1 }: MatchesQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      const request = { year, limit, page, acceptsGzip };
      return queryWorker.run('dhkpMatches', request, { ...caller, isSlow: true });
    },
  };
}
export type MatchService = ReturnType<typeof createMatchService>;
