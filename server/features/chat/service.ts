import type { ConversationsQuery, History, HistoryQuery, SendBody } from '#shared/api/chat.ts';
import { CONVERSATIONS_DEFAULT, HISTORY_DEFAULT, SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import { errorTexts, inboxTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { EncodedAnswer } from '#server/http/encoded-answer.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
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
import type { MessageIndexer } from './search/indexer.ts';
import { stateAfterMessage } from './state/conversation-state.ts';
import type { ConversationStates } from './state/state-service.ts';
import { createUnreadCounts, unreadOf } from './unread.ts';

/** The number of messages of a conversation. */
const countMessages = (row: ConversationRow): number => row.userOrdinal + row.adminOrdinal - row.clearedCount;

/** `conversation`: before and after it; null when the message was stored earlier. */
type StoredMessage = {
  row: MessageRow;
  quoted: MessageRow | null;
  conversation: { before: ConversationRow; after: ConversationRow } | null;
};

/** Live chat over REST: one conversation per user, shared by all admins (R-CHAT-1). */
export function createChatService(
  context: ServiceContext,
  statements: queries.ChatQueries,
  states: ConversationStates,
  requireContactAdmin: () => { id: string; name: string },
  indexer: MessageIndexer,
) {
  const { audit, policy, write, now, monotonicNow, publish } = context;
  const sendLimit = createRateLimit(SENDS_MAX, SENDS_WINDOW_MS, monotonicNow);
  const history = createHistoryQueries(context.orm);
  const access = createAccessChecks(statements);
  const unread = createUnreadCounts(context, statements);
  const cursors = createCursors(context, statements, history, unread);

  /** The message that a new one quotes. @throws 422 */
  function findQuotable({ userId, clearedId }: ConversationRow, replyTo: number | undefined): MessageRow | null {
    if (replyTo === undefined) return null;
    const quoted = statements.findMessage(replyTo);
    if (!quoted || quoted.userId !== userId || quoted.id <= clearedId) {
      throw invalid('reply_to', inboxTexts.quotedMissing);
    }
    return quoted;
  }

  /** @throws 409 when another admin has written after what this admin saw (R-INBOX-10) */
  function requireNoUnseenAnswer(
    { id, isAdmin }: CurrentUser,
    { userId, lastMessageId, clearedId }: ConversationRow,
    seenId: number | undefined,
  ): void {
    if (!isAdmin || seenId === undefined || seenId >= lastMessageId) return;
    const name = states.findOtherAnswer(userId, Math.max(seenId, clearedId), id);
    if (name !== null) throw conflict(inboxTexts.answered(name));
  }

  function store(currentUser: CurrentUser, stored: ConversationRow, body: SendBody): StoredMessage {
    const before = states.settle(stored);
    const { userId, userOrdinal, adminOrdinal } = before;
    const fromAdmin = currentUser.isAdmin;
    const quoted = findQuotable(before, body.reply_to);
    const sideOrdinal = (fromAdmin ? adminOrdinal : userOrdinal) + 1;
    const row = {
      userId,
      senderId: currentUser.id,
      senderName: currentUser.name,
      fromAdmin,
      // Half an emoji cannot be stored: the event must contain what a reload shows.
      content: body.content.toWellFormed(),
      kind: 'chat' as const,
      photoCount: 0,
      documentCount: 0,
      recordId: null,
      recordThen: null,
      clientId: body.client_id,
      prevId: before.lastMessageId || null,
      replyTo: quoted?.id ?? null,
      sideOrdinal,
      createdAt: now(),
    };
    const id = statements.insertMessage(row);
    const after = {
      ...before,
      lastMessageId: id,
      userOrdinal: fromAdmin ? userOrdinal : sideOrdinal,
      adminOrdinal: fromAdmin ? sideOrdinal : adminOrdinal,
      ...stateAfterMessage(before, row),
    };
    statements.advanceConversation(after);
    return { row: { id, ...row }, quoted, conversation: { before: stored, after } };
  }

  /** The first message again, for a repeated send. */
  function findStored(before: MessageRow, content: string): StoredMessage {
    const conversation = statements.findConversation(before.userId);
    // An account that was deleted leaves its messages for a moment.
    if (!conversation) throw notFound(errorTexts.userMissing);
    const quoted = before.replyTo === null ? null : statements.findMessage(before.replyTo);
    return {
      // The text of a deleted message is gone; its sender gets back the text of this request.
      row: { ...before, content: before.content || content },
      quoted: quoted && quoted.id > conversation.clearedId ? quoted : null,
      conversation: null,
    };
  }

  async function emptyClearedMessages(userId: string, mayContinue: () => boolean): Promise<void> {
    for (let at: number | null = 0; at !== null && mayContinue();) {
      const from: number = at;
      at = await write((tx) => queries.emptyMessageBatch(tx, context.orm.$client, { userId, afterId: from }));
    }
  }

  return {
    cursors,

    /**
     * Stores a message once; the answer and the events come after its commit is on disk (R-CHAT-6). The same sender and
     * `client_id` again get the first message, and nothing is stored (R-CHAT-5).
     * @throws 401, 403, 404, 409 for a second answer, 422 for a quoted message that is gone, 429
     */
    async send(currentUser: CurrentUser, body: SendBody) {
      if (context.rateLimits) {
        sendLimit.check(currentUser.id);
        sendLimit.count(currentUser.id);
      }
      const { row, quoted, conversation } = await write(() => {
        policy.requireLiveSession(currentUser);
        const before = body.client_id === null ? undefined : statements.findSentMessage(currentUser.id, body.client_id);
        if (before) return findStored(before, body.content.toWellFormed());
        const receiving = access.requireReceiverConversation(currentUser, body.to_user_id);
        requireNoUnseenAnswer(currentUser, receiving, body.seen_id);
        return store(currentUser, receiving, body);
      });
      const message = presentMessage(row, quoted);
      const isNew = conversation !== null;
      if (conversation) {
        publish.toUserAndAdmins(row.userId, 'message:new', message);
        indexer.messageStored();
        await Promise.all([
          states.changed(conversation.before, conversation.after),
          unread.changed(row.userId, row.fromAdmin ? 'user' : 'admin'),
        ]);
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
      { limit = HISTORY_DEFAULT, page = 1, before, after, around }: HistoryQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<History | EncodedAnswer> {
      const row = access.requireConversation(currentUser, userId);
      const historyPage = { limit, page, before, after, around };
      if (limit <= HISTORY_DEFAULT) return readHistoryPage(context.orm, history, row, historyPage);
      const request = { userId: row.userId, page: historyPage, acceptsGzip };
      const answer = await context.queryWorker.run('history', request, caller);
      if (answer === null) throw notFound(errorTexts.userMissing);
      return answer;
    },

    /** A page of the inbox, for an admin; a search reads every account. */
    async encodeInbox(
      currentUser: CurrentUser,
      { limit = CONVERSATIONS_DEFAULT, page = 1, ...filter }: ConversationsQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      // The list must not show what has ended. If this cannot be stored now, the timer tries again and logs it.
      await states.endDueFirst().catch(() => undefined);
      const inbox = { adminId: currentUser.id, nowMs: now() };
      const request = { filter: { ...filter, limit, offset: (page - 1) * limit, inbox }, page, acceptsGzip };
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
      // A user waits for an answer also when the admins have decided that none is needed: that is not theirs to see.
      const conversation = statements.findConversation(currentUser.id);
      const wait = conversation?.dismissedId ? states.findWaitStart({ ...conversation, dismissedId: 0 }) : undefined;
      const ownFilter = {
        ...filter,
        ...(wait ? { unanswered: false } : {}),
        ...impossibleSearch,
        limit,
        offset: (page - 1) * limit,
        onlyUserId: currentUser.id,
      };
      const { rows, total } = readConversations(context.orm, ownFilter);
      const summaries = rows.map((row) =>
        presentConversation(
          {
            ...row,
            ...(wait === undefined ? {} : { unansweredSince: wait }),
            user: { ...requireContactAdmin(), email: '', isActive: true },
          },
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
      await states.changed(before, { ...before, ...queries.stateOfEmpty });
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
      await Promise.all([unread.changed(userId, 'admin'), states.publishState(userId), states.accountChanged(userId)]);
    },
  };
}
export type ChatService = ReturnType<typeof createChatService>;
