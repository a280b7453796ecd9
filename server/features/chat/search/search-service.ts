import type { z } from 'zod';
import type { messageSearchQuery } from '#shared/api/chat/inbox.ts';
import { SEARCH_RESULTS_DEFAULT } from '#shared/limits.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import { forbidden } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { linkSigningFor } from '#server/uploads/upload-links.ts';
import type { ServiceContext } from '#server/service-context.ts';

type Query = z.output<typeof messageSearchQuery>;

/** The search over messages (R-SEARCH-1). The query worker runs it, among the slow queries. */
export function createMessageSearch(context: Pick<ServiceContext, 'queryWorker' | 'secret' | 'now'>) {
  /** @param userId whose conversation; null: all */
  function encode(
    currentUser: CurrentUser,
    query: Query,
    userId: string | null,
    { acceptsGzip, ...caller }: ListCaller,
  ): Promise<EncodedAnswer> {
    const { q = '', before = Number.MAX_SAFE_INTEGER, limit = SEARCH_RESULTS_DEFAULT } = query;
    const request = { query: q, userId, before, limit, linkSigning: linkSigningFor(context, currentUser), acceptsGzip };
    return context.queryWorker.run('messageSearch', request, { ...caller, isSlow: true });
  }

  return {
    /** For an admin: all conversations, or one. */
    encodeAll: (currentUser: CurrentUser, query: Query, caller: ListCaller): Promise<EncodedAnswer> =>
      encode(currentUser, query, query.user_id ?? null, caller),

    /** For a user: the own conversation. @throws 403 for an admin, who has none */
    encodeOwn(currentUser: CurrentUser, query: Query, caller: ListCaller): Promise<EncodedAnswer> {
      if (currentUser.isAdmin) throw forbidden();
      return encode(currentUser, query, currentUser.id, caller);
    },
  };
}
export type MessageSearchService = ReturnType<typeof createMessageSearch>;
