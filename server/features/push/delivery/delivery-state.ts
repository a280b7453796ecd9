import type { FastifyBaseLogger } from 'fastify';
import type { Side } from '#shared/events.ts';
import { findOfficeName } from '#server/office/office-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { SendTo } from '../sending/push.ts';
import type { DecideDeps } from './decide.ts';
import { deliveryQueries, type Receiver } from './delivery-queries.ts';
import { createDeliveryQueue, type JobKey, QUEUE_LIMITS, type QueueLimits } from './delivery-queue.ts';
import { createDeliveryStatus } from './delivery-status.ts';
import { createOwedMarks } from './owed-marks.ts';
import { createReceivers } from './receivers.ts';
import { createShownNotifications } from './shown-notifications.ts';

export type DeliveryDeps = Pick<DecideDeps, 'chat' | 'tokens'> & {
  send: SendTo;
  countUnread: CountUnread;
  /** A push service has ended a subscription. */
  endSubscription: (device: Pick<Receiver, 'sessionId' | 'endpoint'>) => Promise<void>;
  queueLimits?: QueueLimits | undefined;
  log: Pick<FastifyBaseLogger, 'error'>;
};
/** The place up to which the leader has read the messages. Older messages that are still owed are marked in the database. */
type Progress = {
  /** All messages up to this one; null while another process delivers. */
  upToId: number | null;
  /** There may be newer ones. */
  isBehind: boolean;
  /** Devices that are owed something from before get their places in the queue. */
  isResuming: boolean;
};
type CountUnread = (receiver: { id: string; isAdmin: boolean }) => Promise<number>;
type FanOut = { userId: string; side: Side; messageId: number };

/** The parts of the service that the delivery needs. */
export type DeliveryContext = Pick<
  ServiceContext,
  'orm' | 'write' | 'policy' | 'now' | 'monotonicNow' | 'earliestNow' | 'timeZone' | 'processes'
>;

/** The state of the delivery, which each of its steps reads and changes. */
export type DeliveryState = ReturnType<typeof createDeliveryState>;

export function createDeliveryState(
  context: DeliveryContext,
  { send, chat, tokens, countUnread, endSubscription, queueLimits = QUEUE_LIMITS, log }: DeliveryDeps,
) {
  const { orm, write, policy, now, monotonicNow, earliestNow, timeZone } = context;
  const { isLeader } = context.processes;
  const queries = deliveryQueries(orm);
  const queue = createDeliveryQueue(monotonicNow, Math.random, queueLimits);
  const receivers = createReceivers(monotonicNow);
  const fanOuts = new Map<string, FanOut>();
  const overflowed = new Set<string>();
  const progress: Progress = { upToId: null, isBehind: true, isResuming: false };
  const owed = createOwedMarks(write, {
    isLeader,
    knows: (messageId) => messageId <= (progress.upToId ?? -1) && fanOuts.size === 0 && !progress.isResuming,
    isOwed: (sessionId) => queue.hasJobsOfSession(sessionId) || overflowed.has(sessionId),
    onCleared: receivers.changed,
  });
  return {
    isLeader,
    orm,
    write,
    policy,
    now,
    monotonicNow,
    earliestNow,
    timeZone,
    send,
    chat,
    tokens,
    endSubscription,
    log,
    officeName: () => findOfficeName(orm),
    queries,
    queue,
    receivers,
    owed,
    shown: createShownNotifications(monotonicNow),
    status: createDeliveryStatus(now, monotonicNow),
    unread: createUnreadCounts(countUnread),
    /** Messages that came, by conversation and side, whose devices are not in the queue yet. */
    fanOuts,
    progress,
    /** Devices for which the queue had no place. The database says which messages are owed to them. */
    overflowed,
    /** Conversations of which every device of a side waits for its turn: a newer message changes nothing for them. */
    allWaiting: new Set<string>(),
    running: new Set<Promise<void>>(),
    /** The last turn that began. */
    turn: Promise.resolve(),
    /** Work that goes on by itself, see `inBackground`. */
    looking: new Set<Promise<void>>(),
    /** The timer of the next look for messages. */
    nextLook: undefined as NodeJS.Timeout | undefined,
    nextErrorLogAt: -Infinity,
    isScheduled: false,
    /** Nothing new is sent any more. */
    isStopping: false,
    isClosed: false,
  };
}

/** All admins have the same number, which is kept until a conversation changes. */
function createUnreadCounts(countUnread: CountUnread) {
  let ofAdmins: Promise<number> | null = null;
  return {
    count: (receiver: { id: string; isAdmin: boolean }): Promise<number> => {
      if (!receiver.isAdmin) return countUnread(receiver);
      ofAdmins ??= countUnread(receiver).catch((error: unknown) => {
        ofAdmins = null;
        throw error;
      });
      return ofAdmins;
    },
    changed: (): void => {
      ofAdmins = null;
    },
  };
}

/** The name of a side of a conversation in `fanOuts` and `allWaiting`. */
export const nameOf = ({ userId, side }: Pick<JobKey, 'userId' | 'side'>): string => `${side} ${userId}`;
