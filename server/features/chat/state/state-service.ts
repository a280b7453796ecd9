import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { SNOOZE_MAX_MS } from '#shared/limits.ts';
import { inboxTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/open.ts';
import { conflict, invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { requireConversation } from '../access.ts';
import type { ConversationRow } from '../message-queries.ts';
import type { ChatQueries } from '../queries.ts';
import { createClaimTracker } from './claim-tracker.ts';
import { hasNewState, type StateColumns, unclaimed } from './conversation-state.ts';
import { createStateEvents } from './state-events.ts';
import { createStateQueries } from './state-queries.ts';

/** Number of conversations that one commit changes: a few milliseconds, so that other writes do not wait long. */
const BATCH_SIZE = 100;

/** Claims, snoozes and dismissals of conversations (R-INBOX). */
export function createConversationStates(
  context: ServiceContext,
  statements: ChatQueries,
  onWaitingChanged: () => void = () => {},
) {
  const { audit, policy, write, now } = context;
  const queries = createStateQueries(context.orm);
  const claims = createClaimTracker(context, queries);
  const events = createStateEvents(context, statements, claims, onWaitingChanged);
  let endingDue: Promise<void> | null = null;

  for (const userId of queries.listClaimed()) {
    const row = statements.findConversation(userId);
    if (row) claims.load(row);
  }

  /** Called after the commit that stored `after`. */
  async function changed(before: ConversationRow, after: ConversationRow): Promise<void> {
    claims.track(after);
    if (hasNewState(before, after)) await events.changed(after.userId);
  }

  /** Changes what is stored of one conversation, for an admin. @throws 401, 403, 404 */
  async function change(
    currentUser: CurrentUser,
    userId: string,
    edit: (row: ConversationRow, tx: Transaction) => Partial<StateColumns>,
  ): Promise<ConversationStateUpdate> {
    const { before, after } = await write((tx) => {
      policy.requireLiveAdmin(currentUser);
      const stored = requireConversation(statements, currentUser, userId);
      const row = claims.settle(stored);
      const edited = { ...row, ...edit(row, tx) };
      queries.saveState(edited);
      return { before: stored, after: edited };
    });
    await changed(before, after);
    // As it is now: a colleague may have taken it in the same commit, and that event must not be older than this answer.
    return events.present(statements.findConversation(userId) ?? after);
  }

  /**
   * The admin must have seen the newest message; a notice that came after it does not matter.
   * @returns the newest message that is no notice
   * @throws 409
   */
  function requireNewest(row: ConversationRow, upTo: number): number {
    const newestChatId = queries.findNewestChatId(row);
    if (upTo < newestChatId || upTo > row.lastMessageId) throw conflict(inboxTexts.newMessage);
    return newestChatId;
  }

  /** @throws 409 when a colleague handles it */
  function requireNotClaimedByOther(row: ConversationRow, currentUser: CurrentUser): void {
    const holder = row.claimedBy === currentUser.id ? null : events.findHolder(row.claimedBy);
    if (holder) throw conflict(inboxTexts.claimed(holder.name));
  }

  /** Stores new states of many conversations in steps, and publishes them. */
  async function changeAll(userIds: readonly string[], edit: (row: ConversationRow) => ConversationRow): Promise<void> {
    for (let at = 0; at < userIds.length; at += BATCH_SIZE) {
      const batch = userIds.slice(at, at + BATCH_SIZE);
      const results = await write(() =>
        batch.map((userId) => {
          const before = statements.findConversation(userId);
          const after = before && edit(before);
          if (after && after !== before) queries.saveState(after);
          return { userId, before, after };
        }),
      );
      await Promise.all(
        results.map(async ({ userId, before, after }) => {
          if (before && after) await changed(before, after);
          else claims.forget(userId);
        }),
      );
    }
  }

  async function endDueNow(): Promise<void> {
    await changeAll(claims.listEnded(), (row) => claims.settle(row));
    for (let due = queries.listDueSnoozes(now(), BATCH_SIZE); due.length > 0;) {
      await changeAll(due, (row) => claims.settle(row));
      due = queries.listDueSnoozes(now(), BATCH_SIZE);
    }
  }

  async function endDue(): Promise<void> {
    endingDue ??= endDueNow().finally(() => {
      endingDue = null;
    });
    await endingDue;
  }

  return {
    /** The conversation as it is now, for a change inside a write. */
    settle: (row: ConversationRow) => claims.settle(row),
    changed,
    findOtherAnswer: queries.findOtherAnswer,
    findWaitStart: (row: Parameters<typeof queries.findWaitStart>[0]) => queries.findWaitStart(row),

    /** @param take also from a colleague, which is audited @throws 401, 403, 404, 409 */
    claim: (currentUser: CurrentUser, userId: string, take: boolean) =>
      change(currentUser, userId, (row, tx) => {
        if (row.claimedBy === currentUser.id) return {};
        if (!take) requireNotClaimedByOther(row, currentUser);
        const holder = events.findHolder(row.claimedBy);
        if (holder) audit.conversationTaken(tx, currentUser, { id: userId }, holder.name);
        return { claimedBy: currentUser.id, claimedAt: now() };
      }),

    /** @throws 401, 403, 404, 409 for the claim of a colleague */
    release: (currentUser: CurrentUser, userId: string) =>
      change(currentUser, userId, (row) => {
        requireNotClaimedByOther(row, currentUser);
        return unclaimed;
      }),

    /** No message up to this one needs an answer. @param upTo the newest on the screen @throws 401, 403, 404, 409 */
    dismiss: (currentUser: CurrentUser, userId: string, upTo: number) =>
      change(currentUser, userId, (row) => {
        const dismissedId = requireNewest(row, upTo);
        if (row.unansweredSince !== null) queries.addDismissal(userId, dismissedId);
        return {
          ...(row.claimedBy === currentUser.id ? unclaimed : {}),
          // A repeated call keeps the position to which the undo returns.
          ...(row.dismissedId === dismissedId ? {} : { dismissedId, previousDismissedId: row.dismissedId }),
          unansweredSince: null,
        };
      }),

    /** Brings the wait back as the messages tell it. @throws 401, 403, 404 */
    undoDismiss: (currentUser: CurrentUser, userId: string) =>
      change(currentUser, userId, (row) => {
        const dismissedId = row.previousDismissedId;
        if (row.dismissedId !== dismissedId) queries.removeDismissal(userId, row.dismissedId);
        return { dismissedId, unansweredSince: queries.findWaitStart({ ...row, dismissedId }) };
      }),

    /** @param upTo the newest on the screen @throws 401, 403, 404, 409, 422 */
    async snooze(currentUser: CurrentUser, userId: string, until: string, upTo: number) {
      const untilMs = Date.parse(until);
      return change(currentUser, userId, (row) => {
        if (untilMs <= now() || untilMs > now() + SNOOZE_MAX_MS) throw invalid('until', inboxTexts.snoozeRange);
        requireNewest(row, upTo);
        return { snoozedUntil: untilMs };
      });
    },

    /** @throws 401, 403, 404 */
    undoSnooze: (currentUser: CurrentUser, userId: string) =>
      change(currentUser, userId, () => ({ snoozedUntil: null })),

    /** Stores the end of claims and snoozes whose time has come, and publishes it. */
    endDue,
    /** The same before an answer, which then tells the truth whenever the last check was. */
    async endDueFirst(): Promise<void> {
      // One that runs may have begun before the newest one was due.
      await endingDue;
      if (claims.listEnded().length > 0 || queries.listDueSnoozes(now(), 1).length > 0) await endDue();
    },

    /** Called when an admin connects: an absence that was too long has ended the claims, although nobody looked. */
    noteAbsences: (): void => void claims.listEnded(),

    /** Ends the claims of an account that was deleted or is no admin any more. */
    async accountChanged(adminId: string): Promise<void> {
      if (statements.findUser(adminId)?.isAdmin) return;
      const userIds = claims.listHeldBy(adminId);
      await changeAll(userIds, (row) => (row.claimedBy === adminId ? { ...row, ...unclaimed } : row));
      // A deletion has removed the account from its claims already, so the rows tell no difference.
      for (let at = 0; at < userIds.length; at += BATCH_SIZE) {
        await Promise.all(userIds.slice(at, at + BATCH_SIZE).map((userId) => events.changed(userId)));
        await nextTurn();
      }
    },

    /** Publishes a state that changed without a change of its own row, as that of an account that is a user again. */
    publishState: (userId: string) => events.changed(userId),
  };
}
export type ConversationStates = ReturnType<typeof createConversationStates>;
