import type { TranscriptQuery } from '#shared/api/chat/inbox.ts';
import { endOfDayMs, startOfDayMs } from '#shared/domain/dates/dates.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import { notFound } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { linkSigningFor } from '#server/uploads/upload-links.ts';
import { requireConversation } from '../access.ts';
import type { TranscriptRange } from './transcript-queries.ts';

/** A conversation for print and PDF, without what admins note about it (R-NOTE-5). */
export function createTranscriptService(
  context: Pick<ServiceContext, 'orm' | 'queryWorker' | 'timeZone' | 'secret' | 'now'>,
) {
  const { queryWorker, timeZone } = context;
  const toInstants = ({ from, to }: TranscriptQuery): TranscriptRange => ({
    fromMs: from === undefined ? undefined : startOfDayMs(from, timeZone),
    endMs: to === undefined ? undefined : endOfDayMs(to, timeZone),
  });

  return {
    /** @throws 403 for an admin's account, 404 */
    async encode(
      currentUser: CurrentUser,
      userId: string,
      query: TranscriptQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      await requireConversation(context.orm, currentUser, userId);
      const request = {
        userId,
        range: toInstants(query),
        linkSigning: linkSigningFor(context, currentUser),
        acceptsGzip,
      };
      // Its cost grows with the conversation, so it must not delay the short queries.
      const answer = await queryWorker.run('transcript', request, { ...caller, isSlow: true });
      if (answer === null) throw notFound(errorTexts.userMissing);
      return answer;
    },
  };
}
export type TranscriptService = ReturnType<typeof createTranscriptService>;
