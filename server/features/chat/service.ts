import type { ConversationsQuery, ConversationSummary, HistoryQuery, SendBody } from '#shared/api/chat.ts';
import { CONVERSATIONS_DEFAULT, HISTORY_DEFAULT, SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { forbidden } from '#server/http/errors.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { createAccessChecks } from './access.ts';
import { createCursors, sideOf } from './cursors.ts';
import { createHistoryQueries } from './history-queries.ts';
import { presentConversation, presentCursors, presentMessage } from './present.ts';
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
  const { audit, policy, write, now, publish } = context;
  const sendLimit = createRateLimit(SENDS_MAX, SENDS_WINDOW_MS, now);
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

    /** Reading marks nothing as seen. @throws 403, 404 */
    history(currentUser: CurrentUser, userId: string, query: HistoryQuery) {
      const row = access.requireConversation(currentUser, userId);
      const limit = query.limit ?? HISTORY_DEFAULT;
      const byMessage = query.before !== undefined || query.after !== undefined;
      const page = byMessage ? 1 : (query.page ?? 1);
      const total = countMessages(row);
      // Any page past the end is empty, so a huge number costs nothing.
      const offset = Math.min((page - 1) * limit, total);
      const { before, after } = query;
      const slice = history.readHistory({ userId: row.userId, clearedId: row.clearedId, limit, before, after, offset });
      return {
        messages: slice.rows.map(presentMessage),
        total,
        page,
        limit,
        has_more: slice.hasMore,
        ...presentCursors(row),
      };
    },

    /** The inbox list for an admin; a user's own conversation for a user. */
    async list(currentUser: CurrentUser, query: ConversationsQuery) {
      const limit = query.limit ?? CONVERSATIONS_DEFAULT;
      const page = query.page ?? 1;
      const { search, ...filter } = query;
      const { rows, total } = await context.queryWorker.run('conversations', {
        ...filter,
        limit,
        offset: (page - 1) * limit,
        // A user's list has a single row, so a search does not apply to it, unless it can match no row at all.
        ...(currentUser.isAdmin || search === null ? { search } : {}),
        ...(currentUser.isAdmin ? {} : { onlyUserId: currentUser.id }),
      });
      const present = (row: (typeof rows)[number]): ConversationSummary =>
        currentUser.isAdmin
          ? presentConversation(row, row.unreadForAdmin)
          : presentConversation({ ...row, user: { ...requireContactAdmin(), email: '' } }, row.unreadForUser);
      return {
        data: rows.map(present),
        total,
        per_page: limit,
        current_page: page,
        last_page: Math.max(1, Math.ceil(total / limit)),
        has_more: page * limit < total,
        total_unread: unread.total(currentUser.id, sideOf(currentUser)),
      };
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
      for (let at: number | null = 0; at !== null;) {
        const from: number = at;
        at = await write((tx) => queries.emptyMessageBatch(tx, userId, from, WIPE_BATCH_SIZE));
      }
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
