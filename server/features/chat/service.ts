import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationsQuery, History, HistoryQuery } from '#shared/api/chat/chat.ts';
import { CONVERSATIONS_DEFAULT, HISTORY_DEFAULT } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { readSnapshot, type Transaction } from '#server/db/engine.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { createLinkForSession, linkSigningFor } from '#server/uploads/upload-links.ts';
import { requireConversation } from './access.ts';
import { createCursors, sideOf } from './cursors.ts';
import type { AttachmentService } from './files/attachment-service.ts';
import { presentConversationPage, readHistoryPage } from './list-answers.ts';
import { readConversations } from './list-queries.ts';
import { presentConversation } from './present.ts';
import type { ConversationRow } from './message-queries.ts';
import * as older from './older-queries.ts';
import * as queries from './queries.ts';
import { stateQueries } from './state/state-queries.ts';
import type { ConversationStates } from './state/state-service.ts';
import { type UnreadCounts, unreadOf } from './unread.ts';

/** Parts of each transaction that deletes old messages: whether it may still do so, and how many they were. */
export type ClearOlderHooks = {
  isAllowed: (tx: Transaction) => Promise<boolean>;
  count: (tx: Transaction, messages: number) => Promise<void>;
};

/** The number of messages of a conversation. */
const countMessages = (row: ConversationRow): number => row.userOrdinal + row.adminOrdinal - row.clearedCount;

/** Live chat over REST: one conversation per user, shared by all admins (R-CHAT-1). */
export function createChatService(
  context: ServiceContext,
  states: ConversationStates,
  requireContactAdmin: () => Promise<{ id: string; name: string }>,
  unread: UnreadCounts,
  attachments: Pick<AttachmentService, 'removeCleared'>,
) {
  const { audit, policy, write, now, publish } = context;
  const cursors = createCursors(context, unread);

  async function emptyClearedMessages(userId: string, mayContinue: () => boolean, afterId = 0): Promise<void> {
    for (let at: number | null = afterId; at !== null && mayContinue();) {
      const from: number = at;
      at = await write((tx) => queries.emptyMessageBatch(tx, { userId, afterId: from }));
    }
  }

  /** @returns whether it was allowed */
  async function clearConversationUpTo(
    userId: string,
    upToId: number,
    hooks: ClearOlderHooks,
    mayContinue: () => boolean,
  ): Promise<boolean> {
    const cleared = await write(async (tx) => {
      if (!(await hooks.isAllowed(tx))) return 'refused';
      const before = await queries.chatQueries(tx).findConversation(userId);
      // The account may be gone, and the history may have been deleted meanwhile.
      if (!before || before.clearedId >= upToId) return 'gone';
      const after = await older.clearUpTo(tx, before, upToId);
      await hooks.count(tx, after.clearedCount - before.clearedCount);
      return { before, after };
    });
    if (cleared === 'refused') return false;
    if (cleared === 'gone') return true;
    const { before, after } = cleared;
    publish.toUserAndAdmins(userId, 'conversation:deleted', { user_id: userId });
    await states.changed(before, after);
    if (unreadOf(before, 'user') !== unreadOf(after, 'user')) await unread.changed(userId, 'user');
    if (unreadOf(before, 'admin') !== unreadOf(after, 'admin')) await unread.changed(userId, 'admin');
    await emptyClearedMessages(userId, mayContinue, before.clearedId);
    await attachments.removeCleared(userId, mayContinue);
    return true;
  }

  return {
    cursors,

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
      const linkSigning = linkSigningFor(context, currentUser);
      const historyPage = { limit, page, before, after, around };
      if (limit <= HISTORY_DEFAULT) {
        return readSnapshot(context.orm, async (tx) => {
          const row = await requireConversation(tx, currentUser, userId);
          return readHistoryPage(tx, row, historyPage, createLinkForSession(linkSigning));
        });
      }
      const row = await requireConversation(context.orm, currentUser, userId);
      const request = { userId: row.userId, page: historyPage, linkSigning, acceptsGzip };
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
    async listOwn(
      currentUser: CurrentUser,
      { limit = CONVERSATIONS_DEFAULT, page = 1, search, ...filter }: ConversationsQuery,
    ) {
      const impossibleSearch = search === null ? { search } : {};
      const contactAdmin = await requireContactAdmin();
      const { rows, total, wait, totalUnread } = await readSnapshot(context.orm, async (tx) => {
        const conversation = await queries.chatQueries(tx).findConversation(currentUser.id);
        // A user waits for an answer also when the admins have decided that none is needed: that is not theirs to see.
        const waitStart = conversation?.dismissedId
          ? await stateQueries(tx).findWaitStart({ ...conversation, dismissedId: 0 })
          : undefined;
        const ownFilter = {
          ...filter,
          ...(waitStart ? { unanswered: false } : {}),
          ...impossibleSearch,
          limit,
          offset: (page - 1) * limit,
          onlyUserId: currentUser.id,
        };
        return {
          ...(await readConversations(tx, ownFilter)),
          wait: waitStart,
          totalUnread: conversation ? unreadOf(conversation, 'user') : 0,
        };
      });
      const summaries = rows.map((row) =>
        presentConversation(
          {
            ...row,
            ...(wait === undefined ? {} : { unansweredSince: wait }),
            user: { ...contactAdmin, email: '', isActive: true },
          },
          row.unreadForUser,
        ),
      );
      return presentConversationPage({ rows: summaries, total, totalUnread }, { limit, page });
    },

    /** Marks the conversation as seen up to a message, or up to its end. @throws 401, 403, 404 */
    async markSeen(currentUser: CurrentUser, userId: string, upTo: number | undefined) {
      const row = await requireConversation(context.orm, currentUser, userId);
      const unreadCount = await cursors.see(row.userId, sideOf(currentUser), upTo, (tx) =>
        policy.requireLiveSession(tx, currentUser),
      );
      return { user_id: row.userId, unread_count: unreadCount };
    },

    /** Deletes the history of a conversation for both sides; admins only. @throws 401, 403, 404 */
    async clear(currentUser: CurrentUser, userId: string): Promise<void> {
      if (!currentUser.isAdmin) throw forbidden();
      const before = await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        const row = await requireConversation(tx, currentUser, userId);
        await queries.clearConversation(tx, row);
        await audit.conversationDeleted(tx, currentUser, { id: userId }, countMessages(row));
        return row;
      });
      publish.toUserAndAdmins(userId, 'conversation:deleted', { user_id: userId });
      await states.changed(before, { ...before, ...queries.stateOfEmpty });
      if (unreadOf(before, 'user') > 0) await unread.changed(userId, 'user');
      if (unreadOf(before, 'admin') > 0) await unread.changed(userId, 'admin');
      // The messages are no longer visible; before the answer their texts are also gone from the disk (R-CHAT-11).
      await Promise.all([emptyClearedMessages(userId, () => true), attachments.removeCleared(userId, () => true)]);
      await context.eraseDeleted();
    },

    /**
     * Deletes the messages of all conversations up to this one, a conversation after the other. The caller erases what is left.
     * @returns whether it came to the end
     */
    async clearOlder(upToId: number, hooks: ClearOlderHooks, mayContinue: () => boolean): Promise<boolean> {
      for (let after: string | null = ''; after !== null;) {
        if (!mayContinue()) return false;
        const { userIds, lastUserId } = await older.listWithOlder(context.orm, { afterUserId: after, upToId });
        for (const userId of userIds) {
          if (!mayContinue() || !(await clearConversationUpTo(userId, upToId, hooks, mayContinue))) return false;
          await nextTurn();
        }
        after = lastUserId;
      }
      return true;
    },

    /**
     * Finishes the deletions that a crash interrupted.
     * @param mayContinue asked before each step, so that a server that closes does not wait
     */
    async finishClears(mayContinue: () => boolean): Promise<void> {
      const userIds = await queries.listUnfinishedClears(context.orm);
      for (const userId of userIds) await emptyClearedMessages(userId, mayContinue);
      if (userIds.length > 0 && mayContinue()) await context.eraseDeleted();
    },

    /**
     * Updates the inbox after another service's commit has deleted an account or changed its role: its conversation leaves
     * the list (or comes back), and so does its share of the unread total.
     */
    async accountChanged(userId: string): Promise<void> {
      const user = await queries.chatQueries(context.orm).findUser(userId);
      if (user?.isAdmin !== false) publish.toAdmins('conversation:deleted', { user_id: userId });
      await Promise.all([unread.changed(userId, 'admin'), states.publishState(userId), states.accountChanged(userId)]);
    },
  };
}
export type ChatService = ReturnType<typeof createChatService>;
