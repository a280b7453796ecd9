import type { ConversationsQuery, ConversationSummary, HistoryQuery, SendBody } from '#shared/api/chat.ts';
import { CONVERSATIONS_DEFAULT, HISTORY_DEFAULT, SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import type { Context } from '#server/context.ts';
import { forbidden } from '#server/http/errors.ts';
import { createWindowLimit } from '#server/http/rate-limit.ts';
import type { Viewer } from '#server/http/session.ts';
import { createAccess } from './access.ts';
import { createCursors, sideOf } from './cursors.ts';
import { createHistoryQueries } from './history-queries.ts';
import { presentConversation, presentCursors, presentMessage } from './present.ts';
import type { ConversationRow, MessageRow } from './message-queries.ts';
import * as queries from './queries.ts';
import { createUnread, unreadOf } from './unread.ts';

/** So many messages are emptied in one commit: a few milliseconds, and then others get their turn. */
const WIPE_STEP = 500;

/** How many messages a conversation holds. */
const countOf = (row: ConversationRow): number => row.userOrdinal + row.adminOrdinal - row.clearedCount;

/** Live chat over REST: one conversation per resident, shared by all administrators (contract 4 and 5). */
export function createChatService(
  context: Context,
  statements: queries.ChatQueries,
  requireContact: () => { id: string; name: string },
) {
  const { audit, commit, now, publish } = context;
  const sends = createWindowLimit(SENDS_MAX, SENDS_WINDOW_MS, now);
  const history = createHistoryQueries(context.orm);
  const access = createAccess(statements);
  const unread = createUnread(context, statements);
  const cursors = createCursors(context, statements, history, unread);

  function store(viewer: Viewer, conversation: ConversationRow, body: SendBody): MessageRow {
    const { userId, userOrdinal, adminOrdinal, unansweredSince } = conversation;
    const fromAdmin = viewer.isAdmin;
    const sideOrdinal = (fromAdmin ? adminOrdinal : userOrdinal) + 1;
    const row = {
      userId,
      senderId: viewer.id,
      senderName: viewer.name,
      fromAdmin,
      // Half an emoji cannot be stored: what is pushed must be what a reload shows.
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
     * Stores a message once; the answer and the push come after its commit is on disk.
     * The same sender and `client_id` again gives the first message and stores nothing.
     * @throws 401, 403, 404, 429
     */
    async send(viewer: Viewer, body: SendBody) {
      if (context.rateLimits) {
        sends.check(viewer.id);
        sends.count(viewer.id);
      }
      const { row, isNew } = await commit(() => {
        access.requireStanding(viewer);
        const before = body.client_id === null ? undefined : statements.findSent(viewer.id, body.client_id);
        // Of a deleted history only the fact is kept; its sender gets back what they just sent.
        if (before) return { row: { ...before, content: before.content || body.content.toWellFormed() }, isNew: false };
        return { row: store(viewer, access.requireConversationOf(viewer, body.to_user_id), body), isNew: true };
      });
      const message = presentMessage(row);
      if (isNew) {
        publish.toConversation(row.userId, 'message:new', message);
        await unread.changed(row.userId, row.fromAdmin ? 'user' : 'admin');
      }
      return { message, isNew };
    },

    /** @throws 403, 404. Reading marks nothing as seen. */
    history(viewer: Viewer, userId: string, query: HistoryQuery) {
      const row = access.requireConversation(viewer, userId);
      const limit = query.limit ?? HISTORY_DEFAULT;
      const byMessage = query.before !== undefined || query.after !== undefined;
      const page = byMessage ? 1 : (query.page ?? 1);
      const total = countOf(row);
      // Past the end there is nothing, however far past it is.
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

    /** The desk's list; a resident's own conversation with the office for a resident. */
    async list(viewer: Viewer, query: ConversationsQuery) {
      const limit = query.limit ?? CONVERSATIONS_DEFAULT;
      const page = query.page ?? 1;
      const { search, ...filter } = query;
      const { rows, total } = await context.reads.run('conversations', {
        ...filter,
        limit,
        offset: (page - 1) * limit,
        // For a resident there is one name to search for: the office's.
        ...(viewer.isAdmin ? { search } : { onlyUserId: viewer.id }),
      });
      const present = (row: (typeof rows)[number]): ConversationSummary =>
        viewer.isAdmin
          ? presentConversation(row, row.unreadForAdmin)
          : presentConversation({ ...row, user: { ...requireContact(), email: '' } }, row.unreadForUser);
      return {
        data: rows.map(present),
        total,
        per_page: limit,
        current_page: page,
        last_page: Math.max(1, Math.ceil(total / limit)),
        has_more: page * limit < total,
        total_unread: unread.total(viewer.id, sideOf(viewer)),
      };
    },

    /** Marks the conversation read up to a message, or up to its end. @throws 401, 403, 404 */
    async markSeen(viewer: Viewer, userId: string, upTo: number | undefined) {
      const row = access.requireConversation(viewer, userId);
      const left = await cursors.see(row.userId, sideOf(viewer), upTo, () => access.requireStanding(viewer));
      return { user_id: row.userId, unread_count: left };
    },

    /** Deletes a conversation's history for both sides; administrators only. @throws 401, 403, 404 */
    async clear(viewer: Viewer, userId: string): Promise<void> {
      if (!viewer.isAdmin) throw forbidden();
      const before = await commit((tx) => {
        access.requireStanding(viewer);
        const row = access.requireConversation(viewer, userId);
        queries.clearConversation(tx, row);
        audit.conversationDeleted(tx, viewer, { id: userId }, countOf(row));
        return row;
      });
      publish.toConversation(userId, 'conversation:deleted', { user_id: userId });
      if (unreadOf(before, 'user') > 0) await unread.changed(userId, 'user');
      if (unreadOf(before, 'admin') > 0) await unread.changed(userId, 'admin');
      // Nobody sees the words any more; before the answer they are gone from the disk too.
      for (let at: number | null = 0; at !== null;) {
        const from: number = at;
        at = await commit((tx) => queries.wipeSome(tx, userId, from, WIPE_STEP));
      }
    },

    /**
     * Tells the desk after somebody else's commit deleted an account or changed its role: its conversation is gone
     * from the list (or back), and with it its share of the unread total.
     */
    async accountChanged(userId: string): Promise<void> {
      if (statements.findPerson(userId)?.isAdmin !== false)
        publish.toAdmins('conversation:deleted', { user_id: userId });
      await unread.changed(userId, 'admin');
    },
  };
}
export type ChatService = ReturnType<typeof createChatService>;
