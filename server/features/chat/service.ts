import type { ConversationsQuery, History, HistoryQuery, SendBody } from '#shared/api/chat.ts';
import { CONVERSATIONS_DEFAULT, HISTORY_DEFAULT, SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { EncodedAnswer } from '#server/http/encoded-answer.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/list-caller.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { createAccessChecks } from './access.ts';
import { createCursors, sideOf } from './cursors.ts';
import { createHistoryQueries } from './history-queries.ts';
import { presentConversationPage, readHistoryPage } from './list-answers.ts';
import { readConversations } from './list-queries.ts';
import { presentConversation, presentMessage } from './present.ts';
import type { ConversationRow, MessageRow } from './message-queries.ts';
import * as queries from './queries.ts';
import { createUnreadCounts, unreadOf } from './unread.ts';

/** How many messages one commit empties: a few milliseconds, so that other writes do not wait long. */
const WIPE_BATCH_SIZE = 500;

/** The number of messages of a conversation. */
const countMessages = (row: ConversationRow): number => row.userOrdinal + row.adminOrdinal - row.clearedCount;

/** Live chat over REST: one conversation per user, shared by all admins (R-CHAT-1). */
export function createChatService(
  context: ServiceContext,
  statements: queries.ChatQueries,
  requireContactAdmin: () => { id: string; name: string },
) {
  const { audit, policy, write, now, monotonicNow, publish } = context;
  const sendLimit = createRateLimit(SENDS_MAX, SENDS_WINDOW_MS, monotonicNow);
  const history = createHistoryQueries(context.orm);
  const access = createAccessChecks(statements);
  const unread = createUnreadCounts(context, statements);
  const cursors = createCursors(context, statements, history, unread);

  function store(currentUser: CurrentUser, conversation: ConversationRow, body: SendBody): MessageRow {
    const { userId, userOrdinal, adminOrdinal, unansweredSince } = conversation;
    const fromAdmin = currentUser.isAdmin;
    const sideOrdinal = (fromAdmin ? adminOrdinal : userOrdinal) + 1;
    const row = {
      userId,
      senderId: currentUser.id,
      senderName: currentUser.name,
      fromAdmin,
      // Half an emoji cannot be stored: the event must contain what a reload shows.
      content: body.content.toWellFormed(),
      clientId: body.client_id,
      prevId: conversation.lastMessageId || null,
      replyTo: null,
      sideOrdinal,
      createdAt: now(),
    };
    const id = statements.insertMessage(row);
    statements.advanceConversation({
      userId,
      lastMessageId: id,
      userOrdinal: fromAdmin ? userOrdinal : sideOrdinal,
      adminOrdinal: fromAdmin ? sideOrdinal : adminOrdinal,
      unansweredSince: fromAdmin ? null : (unansweredSince ?? row.createdAt),
    });
    return { id, ...row };
  }

  async function emptyClearedMessages(userId: string, mayContinue: () => boolean): Promise<void> {
    for (let at: number | null = 0; at !== null && mayContinue();) {
      const from: number = at;
      at = await write((tx) => queries.emptyMessageBatch(tx, userId, from, WIPE_BATCH_SIZE));
    }
  }

  return {
    cursors,

    /**
     * Stores a message once; the answer and the events come after its commit is on disk (R-CHAT-6). The same sender and
     * `client_id` again get the first message, and nothing is stored (R-CHAT-5).
     * @throws 401, 403, 404, 429
     */
    async send(currentUser: CurrentUser, body: SendBody) {
      if (context.rateLimits) {
        sendLimit.check(currentUser.id);
        sendLimit.count(currentUser.id);
      }
      const { row, isNew } = await write(() => {
        policy.requireLiveSession(currentUser);
        const before = body.client_id === null ? undefined : statements.findSentMessage(currentUser.id, body.client_id);
        // An account that was deleted leaves its messages for a moment.
        if (before && !statements.findConversation(before.userId)) throw notFound(errorTexts.userMissing);
        // The text of a deleted message is gone; its sender gets back the text of this request.
        if (before) return { row: { ...before, content: before.content || body.content.toWellFormed() }, isNew: false };
        return {
          row: store(currentUser, access.requireReceiverConversation(currentUser, body.to_user_id), body),
          isNew: true,
        };
      });
      const message = presentMessage(row);
      if (isNew) {
        publish.toUserAndAdmins(row.userId, 'message:new', message);
        await unread.changed(row.userId, row.fromAdmin ? 'user' : 'admin');
      }
      return { message, isNew };
    },

    /**
     * A page of a conversation; reading marks nothing as seen. A long page is encoded by the query worker.
     * @throws 403, 404
     */
    async history(
      currentUser: CurrentUser,
      userId: string,
      { limit = HISTORY_DEFAULT, page = 1, before, after }: HistoryQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<History | EncodedAnswer> {
      const row = access.requireConversation(currentUser, userId);
      const historyPage = { limit, page, before, after };
      if (limit <= HISTORY_DEFAULT) return readHistoryPage(history, row, historyPage);
      const request = { userId: row.userId, page: historyPage, acceptsGzip };
      const answer = await context.queryWorker.run('history', request, caller);
      if (answer === null) throw notFound(errorTexts.userMissing);
      return answer;
    },

    /** A page of the inbox, for an admin; a search reads every account. */
    encodeInbox(
      { limit = CONVERSATIONS_DEFAULT, page = 1, ...filter }: ConversationsQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      const request = { filter: { ...filter, limit, offset: (page - 1) * limit }, page, acceptsGzip };
      return context.queryWorker.run('conversations', request, {
        ...caller,
        isSlow: typeof filter.search === 'string',
      });
    },

    /** The list of a user: the own conversation, so a search does not apply, unless it can match no row at all. */
    listOwn(
      currentUser: CurrentUser,
      { limit = CONVERSATIONS_DEFAULT, page = 1, search, ...filter }: ConversationsQuery,
    ) {
      const impossibleSearch = search === null ? { search } : {};
      const ownFilter = {
        ...filter,
        ...impossibleSearch,
        limit,
        offset: (page - 1) * limit,
        onlyUserId: currentUser.id,
      };
      const { rows, total } = readConversations(context.orm, ownFilter);
      const summaries = rows.map((row) =>
        presentConversation(
          { ...row, user: { ...requireContactAdmin(), email: '', isActive: true } },
          row.unreadForUser,
        ),
      );
      const totalUnread = unread.total(currentUser.id, 'user');
      return presentConversationPage({ rows: summaries, total, totalUnread }, { limit, page });
    },

    /** Marks the conversation as seen up to a message, or up to its end. @throws 401, 403, 404 */
    async markSeen(currentUser: CurrentUser, userId: string, upTo: number | undefined) {
      const row = access.requireConversation(currentUser, userId);
      const unreadCount = await cursors.see(row.userId, sideOf(currentUser), upTo, () =>
        policy.requireLiveSession(currentUser),
      );
      return { user_id: row.userId, unread_count: unreadCount };
    },

    /** Deletes the history of a conversation for both sides; admins only. @throws 401, 403, 404 */
    async clear(currentUser: CurrentUser, userId: string): Promise<void> {
      if (!currentUser.isAdmin) throw forbidden();
      const before = await write((tx) => {
        policy.requireLiveSession(currentUser);
        const row = access.requireConversation(currentUser, userId);
        queries.clearConversation(tx, row);
        audit.conversationDeleted(tx, currentUser, { id: userId }, countMessages(row));
        return row;
      });
      publish.toUserAndAdmins(userId, 'conversation:deleted', { user_id: userId });
      if (unreadOf(before, 'user') > 0) await unread.changed(userId, 'user');
      if (unreadOf(before, 'admin') > 0) await unread.changed(userId, 'admin');
      // The messages are no longer visible; before the answer their texts are also gone from the disk (R-CHAT-11).
      await emptyClearedMessages(userId, () => true);
      await context.eraseDeleted();
    },

    /**
     * Finishes the deletions that a crash interrupted.
     * @param mayContinue asked before each step, so that a server that closes does not wait
     */
    async finishClears(mayContinue: () => boolean): Promise<void> {
      const userIds = queries.listUnfinishedClears(context.orm);
      for (const userId of userIds) await emptyClearedMessages(userId, mayContinue);
      if (userIds.length > 0 && mayContinue()) await context.eraseDeleted();
    },

    /**
     * Updates the inbox after another service's commit has deleted an account or changed its role: its conversation leaves
     * the list (or comes back), and so does its share of the unread total.
     */
    async accountChanged(userId: string): Promise<void> {
      if (statements.findUser(userId)?.isAdmin !== false) publish.toAdmins('conversation:deleted', { user_id: userId });
      await unread.changed(userId, 'admin');
    },
  };
}
export type ChatService = ReturnType<typeof createChatService>;
