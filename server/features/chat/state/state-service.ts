import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { SNOOZE_MAX_MS } from '#shared/limits.ts';
import { inboxTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/engine.ts';
import { conflict, invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { requireConversation } from '../access.ts';
import type { ConversationRow } from '../message-queries.ts';
import { chatQueries } from '../queries.ts';
import { createClaimTracker } from './claim-tracker.ts';
import { hasNewState, type StateColumns, unclaimed } from './conversation-state.ts';
import { createStateEvents } from './state-events.ts';
import { stateQueries } from './state-queries.ts';

/** Number of conversations that one commit changes: a few milliseconds, so that other writes do not wait long. */
const BATCH_SIZE = 100;

const CONVERSATION_CHANGED = 'conversation changed';
/** `isNews`: each process publishes the new state to its own admins. */
type Told = { userId: string; isNews: boolean };

/** Claims, snoozes and dismissals of conversations (R-INBOX). */
export async function createConversationStates(context: ServiceContext, onWaitingChanged: () => void = () => {}) {
  const { orm, audit, policy, write, now, processes } = context;
  const claims = createClaimTracker(context);
  const events = createStateEvents(context, claims, onWaitingChanged);
  let endingDue: Promise<void> | null = null;

  /** Called after the commit that stored `after`. */
  async function changed(before: ConversationRow, after: ConversationRow): Promise<void> {
    const { userId } = after;
    const isNews = hasNewState(before, after);
    processes.tell(CONVERSATION_CHANGED, { userId, isNews } satisfies Told);
    await claims.track(orm, after);
    if (isNews) await events.changed(userId);
  }

  processes.on(CONVERSATION_CHANGED, async ({ userId, isNews }: Told) => {
    const row = await chatQueries(orm).findConversation(userId);
    if (row) await claims.track(orm, row);
    else claims.forget(userId);
    if (isNews) await events.changed(userId);
    else onWaitingChanged();
  });
  async function loadClaims(): Promise<void> {
    for (const userId of new Set([...claims.list(), ...(await stateQueries(orm).listClaimed())])) {
      const row = await chatQueries(orm).findConversation(userId);
      if (row) await claims.load(orm, row);
      else claims.forget(userId);
    }
  }
  processes.onMissed(loadClaims);
  // Changes of other processes are followed from here on.
  await loadClaims();

  /** A state that changed without a change of its own row. */
  function changedBeside(userId: string): Promise<void> {
    processes.tell(CONVERSATION_CHANGED, { userId, isNews: true } satisfies Told);
    return events.changed(userId);
  }

  /** Changes what is stored of one conversation, for an admin. @throws 401, 403, 404 */
  async function change(
    currentUser: CurrentUser,
    userId: string,
    edit: (row: ConversationRow, tx: Transaction) => Promise<Partial<StateColumns>>,
  ): Promise<ConversationStateUpdate> {
    const { before, after } = await write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const stored = await requireConversation(tx, currentUser, userId);
      const row = await claims.settle(tx, stored);
      const edited = { ...row, ...(await edit(row, tx)) };
      await stateQueries(tx).saveState(edited);
      return { before: stored, after: edited };
    });
    await changed(before, after);
    // As it is now: a colleague may have taken it in the same commit, and that event must not be older than this answer.
    return events.present((await chatQueries(orm).findConversation(userId)) ?? after);
  }

  /**
   * The admin must have seen the newest message; a notice that came after it does not matter.
   * @returns the newest message that is no notice
   * @throws 409
   */
  async function requireNewest(tx: Transaction, row: ConversationRow, upTo: number): Promise<number> {
    const newestChatId = await stateQueries(tx).findNewestChatId(row);
    if (upTo < newestChatId || upTo > row.lastMessageId) throw conflict(inboxTexts.newMessage);
    return newestChatId;
  }

  /** @throws 409 when a colleague handles it */
  async function requireNotClaimedByOther(
    tx: Transaction,
    row: ConversationRow,
    currentUser: CurrentUser,
  ): Promise<void> {
    const holder = row.claimedBy === currentUser.id ? null : await events.findHolder(tx, row.claimedBy);
    if (holder) throw conflict(inboxTexts.claimed(holder.name));
  }

  /** Stores new states of many conversations in steps, and publishes them. */
  async function changeAll(
    userIds: readonly string[],
    edit: (row: ConversationRow, tx: Transaction) => ConversationRow | Promise<ConversationRow>,
  ): Promise<void> {
    for (let at = 0; at < userIds.length; at += BATCH_SIZE) {
      const batch = userIds.slice(at, at + BATCH_SIZE);
      const results = await write(async (tx) => {
        const changes: { userId: string; before?: ConversationRow; after?: ConversationRow }[] = [];
        for (const userId of batch) {
          const before = await chatQueries(tx).findConversation(userId);
          const after = before && (await edit(before, tx));
          if (after && after !== before) await stateQueries(tx).saveState(after);
          changes.push(before && after ? { userId, before, after } : { userId });
        }
        return changes;
      });
      await Promise.all(
        results.map(async ({ userId, before, after }) => {
          if (before && after) await changed(before, after);
          else claims.forget(userId);
        }),
      );
    }
  }

  async function endDueNow(): Promise<void> {
    await changeAll(claims.listEnded(), (row, tx) => claims.settle(tx, row));
    const { listDueSnoozes } = stateQueries(orm);
    for (let due = await listDueSnoozes(now(), BATCH_SIZE); due.length > 0;) {
      await changeAll(due, (row, tx) => claims.settle(tx, row));
      due = await listDueSnoozes(now(), BATCH_SIZE);
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
    settle: (tx: Transaction, row: ConversationRow) => claims.settle(tx, row),
    changed,

    /** @param take also from a colleague, which is audited @throws 401, 403, 404, 409 */
    claim: (currentUser: CurrentUser, userId: string, take: boolean) =>
      change(currentUser, userId, async (row, tx) => {
        if (row.claimedBy === currentUser.id) return {};
        if (!take) await requireNotClaimedByOther(tx, row, currentUser);
        const holder = await events.findHolder(tx, row.claimedBy);
        if (holder) await audit.conversationTaken(tx, currentUser, { id: userId }, holder.name);
        return { claimedBy: currentUser.id, claimedAt: now() };
      }),

    /** @throws 401, 403, 404, 409 for the claim of a colleague */
    release: (currentUser: CurrentUser, userId: string) =>
      change(currentUser, userId, async (row, tx) => {
        await requireNotClaimedByOther(tx, row, currentUser);
        return unclaimed;
      }),

    /** No message up to this one needs an answer. @param upTo the newest on the screen @throws 401, 403, 404, 409 */
    dismiss: (currentUser: CurrentUser, userId: string, upTo: number) =>
      change(currentUser, userId, async (row, tx) => {
        const dismissedId = await requireNewest(tx, row, upTo);
        if (row.unansweredSince !== null) await stateQueries(tx).addDismissal(userId, dismissedId);
        return {
          ...(row.claimedBy === currentUser.id ? unclaimed : {}),
          // A repeated call keeps the position to which the undo returns.
          ...(row.dismissedId === dismissedId ? {} : { dismissedId, previousDismissedId: row.dismissedId }),
          unansweredSince: null,
        };
      }),

    /** Brings the wait back as the messages tell it. @throws 401, 403, 404 */
    undoDismiss: (currentUser: CurrentUser, userId: string) =>
      change(currentUser, userId, async (row, tx) => {
        const { findWaitStart, removeDismissal } = stateQueries(tx);
        const dismissedId = row.previousDismissedId;
        if (row.dismissedId !== dismissedId) await removeDismissal(userId, row.dismissedId);
        return { dismissedId, unansweredSince: await findWaitStart({ ...row, dismissedId }) };
      }),

    /** @param upTo the newest on the screen @throws 401, 403, 404, 409, 422 */
    async snooze(currentUser: CurrentUser, userId: string, until: string, upTo: number) {
      const untilMs = Date.parse(until);
      return change(currentUser, userId, async (row, tx) => {
        if (untilMs <= now() || untilMs > now() + SNOOZE_MAX_MS) throw invalid('until', inboxTexts.snoozeRange);
        await requireNewest(tx, row, upTo);
        return { snoozedUntil: untilMs };
      });
    },

    /** @throws 401, 403, 404 */
    undoSnooze: (currentUser: CurrentUser, userId: string) =>
      change(currentUser, userId, async () => ({ snoozedUntil: null })),

    /** Stores the end of claims and snoozes whose time has come, and publishes it. */
    endDue,
    /** The same before an answer, which then tells the truth whenever the last check was. */
    async endDueFirst(): Promise<void> {
      // One that runs may have begun before the newest one was due.
      await endingDue;
      const hasDue = claims.listEnded().length > 0 || (await stateQueries(orm).listDueSnoozes(now(), 1)).length > 0;
      if (hasDue) await endDue();
    },

    /** Called when an admin connects: an absence that was too long has ended the claims, although nobody looked. */
    noteAbsences: (): void => void claims.listEnded(),

    /** Ends the claims of an account that was deleted or is no admin any more. */
    async accountChanged(adminId: string): Promise<void> {
      if ((await chatQueries(orm).findUser(adminId))?.isAdmin) return;
      const userIds = claims.listHeldBy(adminId);
      await changeAll(userIds, (row) => (row.claimedBy === adminId ? { ...row, ...unclaimed } : row));
      // A deletion has removed the account from its claims already, so the rows tell no difference.
      for (let at = 0; at < userIds.length; at += BATCH_SIZE) {
        await Promise.all(userIds.slice(at, at + BATCH_SIZE).map(changedBeside));
        await nextTurn();
      }
    },

    /** Publishes a state that changed without a change of its own row, as that of an account that is a user again. */
    publishState: changedBeside,
  };
}
export type ConversationStates = Awaited<ReturnType<typeof createConversationStates>>;
