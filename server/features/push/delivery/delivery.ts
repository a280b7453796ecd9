import type { FastifyBaseLogger } from 'fastify';
import { MINUTE_MS } from '#shared/durations.ts';
import type { PushReach } from '#shared/api/system.ts';
import type { Side } from '#shared/events.ts';
import { findOfficeName } from '#server/office/office-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ActionTokens } from '../actions/action-tokens.ts';
import type { PushOutcome, SendTo } from '../sending/push.ts';
import { createDecide, type Decision, type DeliveryChat } from './decide.ts';
import { createDeliveryQueries, type Receiver } from './delivery-queries.ts';
import { createDeliveryStatus } from './delivery-status.ts';
import { createOwedMarks, MARKED_AT_ONCE_MAX } from './owed-marks.ts';
import { topicOf } from './payload.ts';
import { createDeliveryQueue, type Job, type JobKey, QUEUE_LIMITS, type QueueLimits } from './delivery-queue.ts';
import { createReceivers, originOf } from './receivers.ts';
import { createShownNotifications } from './shown-notifications.ts';

/** The event loop is given back after so many attempts: the chat does not wait for pushes. */
const ATTEMPTS_PER_TURN = 8;
/** Devices that one turn adds to the queue. */
const DEVICES_PER_TURN = 200;
/** Conversations that a device of an admin is told of after a restart: the latest ones. */
const OWED_CONVERSATIONS_MAX = 500;
/** A page may be gone so long before Socket.IO notices it, see `openNamespace`. */
const PAGE_LOST_MS = 30_000;
/** The pause after an error of the database or the disk. */
const ERROR_PAUSE_MS = MINUTE_MS;
/** Pushes that are on their way when the server closes have so long; the others are owed. */
const CLOSE_GRACE_MS = 1000;

type DeliveryDeps = {
  send: SendTo;
  chat: DeliveryChat;
  tokens: Pick<ActionTokens, 'issue'>;
  countUnread: (receiver: { id: string; isAdmin: boolean }) => number;
  /** A push service has ended a subscription. */
  endSubscription: (device: Pick<Receiver, 'sessionId' | 'endpoint'>) => Promise<void>;
  queueLimits?: QueueLimits | undefined;
  log: Pick<FastifyBaseLogger, 'error'>;
};
type FanOut = { userId: string; side: Side; messageId: number };

const nameOf = ({ userId, side }: Pick<JobKey, 'userId' | 'side'>): string => `${side} ${userId}`;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tells devices without an open page what happens in conversations (R-PUSH-10 to R-PUSH-21). */
export function createDelivery(
  context: Pick<ServiceContext, 'orm' | 'write' | 'policy' | 'now' | 'monotonicNow' | 'earliestNow' | 'timeZone'>,
  { send, chat, tokens, countUnread, endSubscription, queueLimits = QUEUE_LIMITS, log }: DeliveryDeps,
) {
  const { orm, write, now, monotonicNow, earliestNow } = context;
  const queries = createDeliveryQueries(orm);
  const queue = createDeliveryQueue(monotonicNow, Math.random, queueLimits);
  const shown = createShownNotifications(monotonicNow);
  const status = createDeliveryStatus(now, monotonicNow);
  const fanOuts = new Map<string, FanOut>();
  /** Devices for which the queue had no place. The database says which messages are owed to them. */
  const overflowed = new Set<string>();
  /** Conversations of which every device of a side waits for its turn: a newer message changes nothing for them. */
  const allWaiting = new Set<string>();
  const running = new Set<Promise<void>>();
  let unreadForAdmins: number | null = null;
  let nextErrorLogAt = -Infinity;
  let isScheduled = false;
  let isResuming = false;
  /** Nothing new is sent any more. */
  let isStopping = false;
  let isClosed = false;

  const receivers = createReceivers(queries, monotonicNow);
  const owed = createOwedMarks(write, queries, {
    isOwed: (sessionId) => {
      if (fanOuts.size > 0) return 'later';
      return queue.hasJobsOfSession(sessionId) || overflowed.has(sessionId) ? 'owed' : 'settled';
    },
    onCleared: receivers.changed,
  });
  const decide = createDecide(context, {
    officeName: () => findOfficeName(orm),
    queries,
    shown,
    chat,
    tokens,
    countUnread: (receiver) => {
      if (!receiver.isAdmin) return countUnread(receiver);
      unreadForAdmins ??= countUnread(receiver);
      return unreadForAdmins;
    },
  });

  /** @param origin of the push service. @returns false when the queue has no place for it */
  function add(key: JobKey, origin: string): boolean {
    const isAdded = queue.add(key, origin);
    if (!isAdded) overflowed.add(key.sessionId);
    return isAdded;
  }

  function schedule(): void {
    if (isScheduled || isStopping) return;
    isScheduled = true;
    setImmediate(runTurn);
  }

  /** @returns whether another turn has something to do */
  function fanOutNext(): boolean {
    const [next] = fanOuts;
    if (!next) return false;
    const [name, { userId, side, messageId }] = next;
    fanOuts.delete(name);
    const told = receivers.list(userId, side);
    let isComplete = overflowed.size === 0;
    for (const { sessionId, personId, origin } of told) {
      if (chat.isViewing(personId, userId)) isComplete = false;
      else add({ sessionId, userId, side }, origin);
    }
    if (isComplete && told.length > 0 && overflowed.size === 0) allWaiting.add(name);
    const unmarked = told
      .slice(MARKED_AT_ONCE_MAX)
      .filter(({ personId, owedAfterId }) => owedAfterId === null && !chat.isViewing(personId, userId));
    if (unmarked.length > 0) owed.markLater(unmarked, messageId - 1).catch(logError);
    return fanOuts.size > 0 || told.length > DEVICES_PER_TURN;
  }

  function runTurn(): void {
    isScheduled = false;
    if (isStopping) return;
    try {
      if (fanOutNext()) return schedule();
      for (let attempt = 0; attempt < ATTEMPTS_PER_TURN; attempt += 1) {
        const job = queue.take();
        if (!job) return;
        start(job);
      }
      schedule();
    } catch (error) {
      logError(error);
    }
  }

  /** One line for all pushes that fail for the same reason. */
  function logError(error: unknown): void {
    if (isClosed || monotonicNow() < nextErrorLogAt) return;
    nextErrorLogAt = monotonicNow() + ERROR_PAUSE_MS;
    log.error({ err: error }, 'a push notification failed');
  }

  function start(job: Job): void {
    allWaiting.delete(nameOf(job));
    let decision: Decision;
    try {
      decision = decide(job);
    } catch (error) {
      logError(error);
      return queue.hold(job, ERROR_PAUSE_MS);
    }
    if (decision.kind === 'hold') return queue.hold(job, decision.ms);
    if (decision.kind === 'none') {
      if (decision.isTooOld) status.noteGivenUp();
      return finish(job, { hasAnswered: false });
    }
    const { device } = decision;
    if (decision.kind === 'message') job.isLate = false;
    if (originOf(device.endpoint) !== job.origin) {
      // The browser has another subscription since.
      queue.finish(job, { hasAnswered: false });
      add(job, originOf(device.endpoint));
      return schedule();
    }
    const attempt = sendDecided(job, decision)
      .catch((error: unknown) => {
        logError(error);
        // The key or the database could not be used: it keeps its place, and gives back that of a running one.
        if (job.isRunning) queue.hold(job, ERROR_PAUSE_MS);
      })
      .finally(() => {
        running.delete(attempt);
        schedule();
      });
    running.add(attempt);
  }

  async function sendDecided(job: Job, decision: Exclude<Decision, { kind: 'none' | 'hold' }>): Promise<void> {
    const { device, payload, messageId, ttlS, kind } = decision;
    const urgency = kind === 'message' ? 'high' : 'normal';
    const takeRingBack = kind === 'message' && !payload.silent ? shown.ring(job.sessionId) : undefined;
    const outcome = await send(device, payload, { ttlS, urgency, topic: topicOf(job.userId) }).catch(
      (error: unknown) => {
        takeRingBack?.();
        throw error;
      },
    );
    if (isClosed) return;
    if (outcome.kind !== 'sent') takeRingBack?.();
    status.note(job.origin, outcome);
    if (outcome.kind === 'unreachable' && outcome.error !== undefined) logError(outcome.error);
    if (outcome.kind === 'sent') {
      if (kind === 'message') shown.remember(job, messageId);
      else shown.forget(job);
    }
    if (outcome.kind === 'gone') {
      shown.forget(job);
      await endSubscription(device);
      devicesChanged();
    }
    settle(job, outcome);
  }

  function devicesChanged(): void {
    receivers.changed();
    allWaiting.clear();
  }

  function settle(job: Job, outcome: PushOutcome): void {
    switch (outcome.kind) {
      case 'busy':
        return queue.retry(job, outcome.retryAfterMs);
      case 'unreachable':
        return queue.unreachable(job);
      case 'refused':
        if (outcome.status === 413 && !job.isShort) {
          job.isShort = true;
          return queue.again(job);
        }
        shown.forget(job);
        return finish(job, { hasAnswered: true });
      case 'sent':
        return finish(job, { hasAnswered: true, isAccepted: true });
      case 'gone':
        return finish(job, { hasAnswered: true });
    }
  }

  function finish(job: Job, how: Parameters<typeof queue.finish>[1]): void {
    allWaiting.delete(nameOf(job));
    job.isShort = false;
    queue.finish(job, how);
    owed.settled(job.sessionId);
    continueOverflowed();
  }

  function continueOverflowed(): void {
    if (overflowed.size > 0 && queue.hasRoom() && !isResuming && !isStopping) resumeOverflowed().catch(logError);
  }

  /** In turns, because an admin's device may be owed many conversations. @param mayContinue asked before each device */
  async function resume(mayContinue: () => boolean, owing = queries.listOwing()): Promise<void> {
    isResuming = true;
    try {
      // A delivery before its turn must not settle a device.
      for (const { sessionId } of owing) overflowed.add(sessionId);
      for (const receiver of owing) {
        if (!mayContinue()) return;
        overflowed.delete(receiver.sessionId);
        addOwedOf(receiver);
        schedule();
        await nextTurn();
      }
    } finally {
      isResuming = false;
    }
  }

  async function resumeOverflowed(): Promise<void> {
    const owing = queries.listOwing().filter(({ sessionId }) => overflowed.has(sessionId));
    // Owed messages are noted in the commit of the message, or soon after it.
    if (!owed.isMarking()) overflowed.clear();
    await resume(() => !isStopping, owing);
  }

  /** Adds the messages that a device was not told of, as far as they are still unread. */
  function addOwedOf({ sessionId, personId, endpoint, owedAfterId }: Receiver): void {
    if (owedAfterId === null) return;
    const isAdmin = queries.findIsAdmin(personId) === true;
    const userIds = isAdmin ? queries.listUnreadForAdmins(owedAfterId, OWED_CONVERSATIONS_MAX) : [personId];
    const side = isAdmin ? 'admin' : 'user';
    for (const userId of userIds) {
      const message = queries.findNewestUnread(userId, side);
      if (!message || message.id <= owedAfterId) continue;
      // The others stay owed, and are looked for when there is room again.
      if (!add({ sessionId, userId, side }, originOf(endpoint))) break;
    }
    owed.settled(sessionId);
  }

  return {
    /** Inside the transaction of a new message: notes to which devices it is owed, so that no crash loses that. */
    messageStoring({ id, userId, fromAdmin }: { id: number; userId: string; fromAdmin: boolean }): void {
      unreadForAdmins = null;
      const side = fromAdmin ? 'user' : 'admin';
      const name = nameOf({ userId, side });
      if (allWaiting.has(name)) return;
      const told = receivers.list(userId, side);
      if (told.length === 0) return;
      for (const receiver of told.slice(0, MARKED_AT_ONCE_MAX)) {
        if (receiver.owedAfterId !== null || chat.isViewing(receiver.personId, userId)) continue;
        queries.markOwed(receiver.sessionId, id - 1);
        receiver.owedAfterId = id - 1;
      }
      if (!fanOuts.has(name)) fanOuts.set(name, { userId, side, messageId: id });
      schedule();
    },

    /** After a commit: messages that were read or deleted are not pushed, and are withdrawn where they were shown (R-PUSH-14). */
    unreadChanged(userId: string, side: Side): void {
      unreadForAdmins = null;
      if (isStopping || !(queue.hasJobsOfUser(userId) || shown.isKnown(userId))) return;
      if (queries.hasUnread(userId, side)) return;
      allWaiting.delete(nameOf({ userId, side }));
      const devices = shown.devicesOf(userId, side);
      const sessionIds = new Set(devices.map(({ sessionId }) => sessionId));
      for (const job of queue.jobsOfUser(userId)) {
        if (job.side !== side) continue;
        if (job.isRunning) {
          job.isLate = true;
          add(job, job.origin);
          continue;
        }
        // A notification that a device shows is withdrawn when its turn comes.
        if (sessionIds.has(job.sessionId)) continue;
        queue.drop(job);
        owed.settled(job.sessionId);
      }
      for (const { sessionId, origin } of devices) add({ sessionId, userId, side }, origin);
      // A withdrawal makes no sound, so it waits for no pause.
      queue.releaseHeld((job) => job.userId === userId && job.side === side);
      schedule();
    },

    /** Messages that came just before a page stopped answering were probably not seen there. */
    viewerLost(personId: string, userIds: readonly string[]): void {
      const isAdmin = queries.findIsAdmin(personId);
      const devices = queries.listReceiversOf(personId);
      if (isStopping || isAdmin === undefined || devices.length === 0) return;
      const side = isAdmin ? 'admin' : 'user';
      let firstId = Infinity;
      for (const userId of userIds) {
        const message = queries.findNewestUnread(userId, side);
        if (!message || earliestNow() - message.createdAt > PAGE_LOST_MS) continue;
        firstId = Math.min(firstId, message.id);
        for (const { sessionId, endpoint } of devices) add({ sessionId, userId, side }, originOf(endpoint));
      }
      // Nothing was owed to a person who had it on the screen.
      if (firstId < Infinity) owed.markLater(devices, firstId - 1).catch(logError);
      schedule();
    },

    /** A device takes its notification away by itself. */
    handledOn: (key: Omit<JobKey, 'side'>): void => shown.forget(key),

    /** A device came, or a person has other wishes: quiet hours may be over. */
    wishesChanged: (personId: string): void => {
      devicesChanged();
      const sessionIds = new Set(queries.listReceiversOf(personId).map(({ sessionId }) => sessionId));
      queue.releaseHeld(({ sessionId }) => sessionIds.has(sessionId));
      schedule();
    },

    /** Goes on with the messages that an earlier process of the server owed. @param mayContinue asked before each device */
    resume: (mayContinue: () => boolean): Promise<void> => resume(mayContinue),

    /** Called every second: waiting pushes may be due, and delivered ones are not owed any more. */
    tick(): Promise<void> {
      if (queue.size() > 0) schedule();
      // The queue may have become empty while the last ones were looked for.
      continueOverflowed();
      return owed.flush().catch(logError);
    },

    /** Resolves when everything that may be sent now has been sent. */
    async settled(): Promise<void> {
      schedule();
      const isBusy = (): boolean => isScheduled || isResuming || running.size > 0;
      while (isBusy()) {
        await Promise.all(running);
        await nextTurn();
      }
      await owed.flush().catch(logError);
    },

    status: (): PushReach => ({ subscriptions: queries.countSubscriptions(), waiting: queue.size(), ...status.read() }),

    /** A push that the test service sent: it too shows whether pushes get out. */
    noteOutcome: ({ endpoint }: { endpoint: string }, outcome: PushOutcome): void =>
      status.note(new URL(endpoint).origin, outcome),

    async close(): Promise<void> {
      isStopping = true;
      const grace = new Promise((resolve) => setTimeout(resolve, CLOSE_GRACE_MS).unref());
      await Promise.race([Promise.all(running), grace]);
      await owed.flush().catch(logError);
      isClosed = true;
    },
  };
}
export type Delivery = ReturnType<typeof createDelivery>;
