import type { PushReach } from '#shared/api/system.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import type { Side } from '#shared/events.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { PushOutcome } from '../sending/push.ts';
import { decide, type Decision } from './decide.ts';
import { deliveryQueries, type NewMessage, type Receiver } from './delivery-queries.ts';
import type { Job, JobKey } from './delivery-queue.ts';
import {
  createDeliveryState,
  type DeliveryContext,
  type DeliveryDeps,
  type DeliveryState,
  nameOf,
} from './delivery-state.ts';
import { createLeaderStatus } from './leader-status.ts';
import { MARKED_AT_ONCE_MAX } from './owed-marks.ts';
import { topicOf } from './payload.ts';
import { originOf } from './receivers.ts';

/** The event loop is given back after so many attempts: the chat does not wait for pushes. */
const ATTEMPTS_PER_TURN = 8;
/** New messages are looked for at most so often: a look for each one would cost the chat more than the pushes gain. */
const LOOK_PAUSE_MS = 25;
/** Messages that are read at once. */
const MESSAGES_PER_READ = 1000;
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

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Tells devices without an open page what happens in conversations (R-PUSH-10 to R-PUSH-21). Each process notes what its
 * messages owe, and only the leader sends: it reads new messages from the database, so that it misses none of another process.
 */
export function createDelivery(context: DeliveryContext, deps: DeliveryDeps) {
  const delivery = createDeliveryState(context, deps);
  const { queries, queue, shown, status } = delivery;
  const readOwn = () => ({ waiting: queue.size(), ...status.read() });
  const leaderStatus = createLeaderStatus(context.processes, readOwn);
  return {
    messageStoring: (tx: Transaction, message: NewMessage): Promise<void> => noteOwed(delivery, tx, message),
    /** Called by each process for the changes of all: a message came, or was read or deleted. */
    unreadChanged(userId: string, side: Side): void {
      lookForMessages(delivery);
      inBackground(delivery, withdrawIfRead(delivery, userId, side));
    },
    viewerLost: (personId: string, userIds: readonly string[]): void =>
      inBackground(delivery, tellLostViewer(delivery, personId, userIds)),

    /** A device takes its notification away by itself. */
    handledOn: (key: Omit<JobKey, 'side'>): void => shown.forget(key),

    wishesChanged: (personId: string): void => inBackground(delivery, applyWishes(delivery, personId)),

    /**
     * Called every second: waiting pushes may be due, delivered ones are not owed any more, a message may have come of which
     * nothing was told, and another process may lead.
     */
    async tick(): Promise<void> {
      if (!delivery.isLeader()) return standDown(delivery);
      lookForMessages(delivery);
      // The queue may have become empty while the last ones were looked for.
      continueOverflowed(delivery);
      leaderStatus.tellChanges();
      await clearSettled(delivery);
    },

    settled: (): Promise<void> => sendEverythingDue(delivery),

    /** Of the pushes that the leader sends. */
    status: async (): Promise<PushReach> => ({
      subscriptions: await queries.countSubscriptions(),
      ...leaderStatus.read(),
    }),
    /** Of the pushes that this process sends. */
    ownStatus: async (): Promise<PushReach> => ({ subscriptions: await queries.countSubscriptions(), ...readOwn() }),

    /** A push that the test service sent: it too shows whether pushes get out. */
    noteOutcome({ endpoint }: { endpoint: string }, outcome: PushOutcome): void {
      if (delivery.isLeader()) status.note(originOf(endpoint), outcome);
    },

    close: (): Promise<void> => close(delivery),
  };
}
export type Delivery = ReturnType<typeof createDelivery>;

const sideToldOf = ({ fromAdmin }: NewMessage): Side => (fromAdmin ? 'user' : 'admin');

/**
 * Inside the transaction of a new message: notes to which devices it is owed, so that no crash loses that. Another process may
 * have cleared what was noted before, so only the statement itself knows what is noted.
 */
async function noteOwed(delivery: DeliveryState, tx: Transaction, message: NewMessage): Promise<void> {
  const { id, userId } = message;
  const told = await delivery.receivers.list(tx, userId, sideToldOf(message));
  const marked = told.slice(0, MARKED_AT_ONCE_MAX).filter(({ personId }) => !delivery.chat.isViewing(personId, userId));
  if (marked.length === 0) return;
  await deliveryQueries(tx).markOwed(
    marked.map(({ sessionId }) => sessionId),
    id - 1,
  );
}

/** Soon, for all messages that came until then. */
function lookForMessages(delivery: DeliveryState): void {
  if (delivery.isStopping) return;
  delivery.nextLook ??= setTimeout(() => lookAtOnce(delivery), LOOK_PAUSE_MS);
}

function lookAtOnce(delivery: DeliveryState): void {
  clearTimeout(delivery.nextLook);
  delivery.nextLook = undefined;
  delivery.progress.isBehind = true;
  schedule(delivery);
}

/** Reads the messages that came since the last time; for the first time, what is owed from before. */
async function readMessages(delivery: DeliveryState): Promise<void> {
  const { allWaiting, fanOuts, progress, queries } = delivery;
  progress.isBehind = false;
  try {
    if (progress.upToId === null) await takeOver(delivery);
    const { upToId } = progress;
    const messages = await queries.listMessagesAfter(upToId ?? 0, MESSAGES_PER_READ);
    // This process stood down meanwhile.
    if (progress.upToId !== upToId) return lookAtOnce(delivery);
    if (messages.length > 0) delivery.unread.changed();
    for (const message of messages) {
      const side = sideToldOf(message);
      const name = nameOf({ userId: message.userId, side });
      progress.upToId = message.id;
      if (!message.hasDevices || allWaiting.has(name) || fanOuts.has(name)) continue;
      fanOuts.set(name, { userId: message.userId, side, messageId: message.id });
    }
    if (messages.length === MESSAGES_PER_READ) lookAtOnce(delivery);
  } catch (error) {
    progress.isBehind = true;
    throw error;
  }
}

/** Goes on with the messages that another process, or an earlier one, owed. */
async function takeOver(delivery: DeliveryState): Promise<void> {
  // A message that comes between the two is owed, and read as a new one too.
  const newestId = await delivery.queries.findNewestMessageId();
  const owing = await delivery.queries.listOwing();
  devicesChanged(delivery);
  delivery.progress.upToId = newestId;
  inBackground(delivery, resume(delivery, owing));
}

/** Another process delivers now, and takes from the database what is owed. A push that is on its way ends by itself. */
function standDown({ allWaiting, fanOuts, overflowed, progress, queue }: DeliveryState): void {
  progress.upToId = null;
  fanOuts.clear();
  overflowed.clear();
  allWaiting.clear();
  queue.dropAll();
}

function schedule(delivery: DeliveryState): void {
  if (delivery.isScheduled || delivery.isStopping) return;
  delivery.isScheduled = true;
  setImmediate(() => {
    delivery.isScheduled = false;
    // One turn after the other, because a turn waits for the database.
    delivery.turn = delivery.turn.then(() => runTurn(delivery));
    inBackground(delivery, delivery.turn);
  });
}

const isDelivering = ({ isStopping, isLeader }: DeliveryState): boolean => !isStopping && isLeader();

async function runTurn(delivery: DeliveryState): Promise<void> {
  if (!isDelivering(delivery)) return;
  try {
    if (delivery.progress.isBehind) await readMessages(delivery);
    if (await fanOutNext(delivery)) return schedule(delivery);
    for (let attempt = 0; attempt < ATTEMPTS_PER_TURN; attempt += 1) {
      const job = delivery.queue.take();
      if (!job) return;
      await start(delivery, job);
    }
    schedule(delivery);
  } catch (error) {
    logError(delivery, error);
  }
}

/** Adds a job for each device of one message. @returns whether another turn has something to do */
async function fanOutNext(delivery: DeliveryState): Promise<boolean> {
  const { chat, fanOuts, overflowed } = delivery;
  const [next] = fanOuts;
  if (!next) return false;
  const [name, { userId, side, messageId }] = next;
  const told = await delivery.receivers.list(delivery.orm, userId, side);
  // Not before: its devices would count as settled.
  fanOuts.delete(name);
  let isComplete = overflowed.size === 0;
  for (const { sessionId, personId, origin } of told) {
    if (chat.isViewing(personId, userId)) isComplete = false;
    else addJob(delivery, { sessionId, userId, side }, origin);
  }
  if (isComplete && told.length > 0 && overflowed.size === 0) delivery.allWaiting.add(name);
  const unmarked = told
    .slice(MARKED_AT_ONCE_MAX)
    .filter(({ personId, owedAfterId }) => owedAfterId === null && !chat.isViewing(personId, userId));
  if (unmarked.length > 0) markOwedLater(delivery, unmarked, messageId - 1);
  return fanOuts.size > 0 || told.length > DEVICES_PER_TURN;
}

/** @param origin of the push service. @returns false when the queue has no place for it */
function addJob({ queue, overflowed }: DeliveryState, key: JobKey, origin: string): boolean {
  const isAdded = queue.add(key, origin);
  if (!isAdded) overflowed.add(key.sessionId);
  return isAdded;
}

function markOwedLater(delivery: DeliveryState, receivers: readonly Receiver[], afterId: number): void {
  delivery.owed.markLater(receivers, afterId).catch((error: unknown) => logError(delivery, error));
}

/** Lets work go on by itself. An error is logged, and a server that closes waits for a moment. */
function inBackground(delivery: DeliveryState, work: Promise<void>): void {
  const attempt: Promise<void> = work
    .catch((error: unknown) => logError(delivery, error))
    .finally(() => delivery.looking.delete(attempt));
  delivery.looking.add(attempt);
}

/** One line for all pushes that fail for the same reason. */
function logError(delivery: DeliveryState, error: unknown): void {
  const nowMs = delivery.monotonicNow();
  if (delivery.isClosed || nowMs < delivery.nextErrorLogAt) return;
  delivery.nextErrorLogAt = nowMs + ERROR_PAUSE_MS;
  delivery.log.error({ err: error }, 'a push notification failed');
}

/** Decides about a job that the queue has given out, and sends what there is to send. */
async function start(delivery: DeliveryState, job: Job): Promise<void> {
  const { queue, running } = delivery;
  delivery.allWaiting.delete(nameOf(job));
  let decision: Decision;
  try {
    decision = await decide(delivery, job);
  } catch (error) {
    logError(delivery, error);
    return queue.hold(job, ERROR_PAUSE_MS);
  }
  // The message stays owed, and the next start or the next leader delivers it.
  if (!isDelivering(delivery)) return queue.hold(job, ERROR_PAUSE_MS);
  if (decision.kind === 'hold') return queue.hold(job, decision.ms);
  if (decision.kind === 'none') {
    if (decision.isTooOld) delivery.status.noteGivenUp();
    return finish(delivery, job, { hasAnswered: false });
  }
  // The next round takes back what was read since the decision.
  if (decision.kind === 'message' && !job.isStale) job.isLate = false;
  const origin = originOf(decision.device.endpoint);
  if (origin !== job.origin) {
    // The browser has another subscription since.
    queue.finish(job, { hasAnswered: false });
    addJob(delivery, job, origin);
    return schedule(delivery);
  }
  const attempt = sendDecided(delivery, job, decision)
    .catch((error: unknown) => {
      logError(delivery, error);
      // The key or the database could not be used: it keeps its place, and gives back that of a running one.
      if (job.isRunning) queue.hold(job, ERROR_PAUSE_MS);
    })
    .finally(() => {
      running.delete(attempt);
      schedule(delivery);
    });
  running.add(attempt);
}

type DecidedPush = Exclude<Decision, { kind: 'none' | 'hold' }>;

async function sendDecided(delivery: DeliveryState, job: Job, decision: DecidedPush): Promise<void> {
  const { shown } = delivery;
  const { device, payload, messageId, ttlS, kind } = decision;
  const urgency = kind === 'message' ? 'high' : 'normal';
  const takeRingBack = kind === 'message' && !payload.silent ? shown.ring(job.sessionId) : undefined;
  const outcome = await delivery
    .send(device, payload, { ttlS, urgency, topic: topicOf(job.userId) })
    .catch((error: unknown) => {
      takeRingBack?.();
      throw error;
    });
  if (delivery.isClosed) return;
  if (outcome.kind !== 'sent') takeRingBack?.();
  delivery.status.note(job.origin, outcome);
  if (outcome.kind === 'unreachable' && outcome.error !== undefined) logError(delivery, outcome.error);
  if (outcome.kind === 'sent') {
    if (kind === 'message') shown.remember(job, messageId);
    else shown.forget(job);
  }
  if (outcome.kind === 'gone') {
    shown.forget(job);
    await delivery.endSubscription(device);
    devicesChanged(delivery);
  }
  settle(delivery, job, outcome);
}

function devicesChanged(delivery: DeliveryState): void {
  delivery.receivers.changed();
  delivery.allWaiting.clear();
}

function settle(delivery: DeliveryState, job: Job, outcome: PushOutcome): void {
  switch (outcome.kind) {
    case 'busy':
      return delivery.queue.retry(job, outcome.retryAfterMs);
    case 'unreachable':
      return delivery.queue.unreachable(job);
    case 'refused':
      if (outcome.status === 413 && !job.isShort) {
        job.isShort = true;
        return delivery.queue.again(job);
      }
      delivery.shown.forget(job);
      return finish(delivery, job, { hasAnswered: true });
    case 'sent':
      return finish(delivery, job, { hasAnswered: true, isAccepted: true });
    case 'gone':
      return finish(delivery, job, { hasAnswered: true });
  }
}

function finish(delivery: DeliveryState, job: Job, how: { hasAnswered: boolean; isAccepted?: boolean }): void {
  delivery.allWaiting.delete(nameOf(job));
  job.isShort = false;
  delivery.queue.finish(job, how);
  delivery.owed.settled(job.sessionId);
  continueOverflowed(delivery);
}

/** Goes on with the devices for which the queue had no place, once it has room. */
function continueOverflowed(delivery: DeliveryState): void {
  if (delivery.overflowed.size === 0 || !delivery.queue.hasRoom() || delivery.progress.isResuming) return;
  if (!isDelivering(delivery)) return;
  inBackground(delivery, resumeOverflowed(delivery));
}

async function resumeOverflowed(delivery: DeliveryState): Promise<void> {
  const { overflowed } = delivery;
  const owing = (await delivery.queries.listOwing()).filter(({ sessionId }) => overflowed.has(sessionId));
  // Owed messages are noted in the commit of the message, or soon after it.
  if (!delivery.owed.isMarking()) overflowed.clear();
  await resume(delivery, owing);
}

/** In turns, because an admin's device may be owed many conversations. */
async function resume(delivery: DeliveryState, owing: readonly Receiver[]): Promise<void> {
  const { overflowed } = delivery;
  delivery.progress.isResuming = true;
  try {
    // A delivery before its turn must not settle a device.
    for (const { sessionId } of owing) overflowed.add(sessionId);
    for (const receiver of owing) {
      if (!isDelivering(delivery)) return;
      overflowed.delete(receiver.sessionId);
      await addOwedJobs(delivery, receiver);
      schedule(delivery);
      await nextTurn();
    }
  } finally {
    delivery.progress.isResuming = false;
  }
}

/** Adds the messages that a device was not told of, as far as they are still unread. */
async function addOwedJobs(
  delivery: DeliveryState,
  { sessionId, personId, endpoint, owedAfterId }: Receiver,
): Promise<void> {
  const { queries } = delivery;
  if (owedAfterId === null) return;
  const isAdmin = (await queries.findIsAdmin(personId)) === true;
  const userIds = isAdmin ? await queries.listUnreadForAdmins(owedAfterId, OWED_CONVERSATIONS_MAX) : [personId];
  const side = isAdmin ? 'admin' : 'user';
  for (const userId of userIds) {
    const message = await queries.findNewestUnread(userId, side);
    if (!message || message.id <= owedAfterId) continue;
    // The others stay owed, and are looked for when there is room again.
    if (!addJob(delivery, { sessionId, userId, side }, originOf(endpoint))) break;
  }
  delivery.owed.settled(sessionId);
}

/** After a commit: messages that were read or deleted are not pushed, and are withdrawn where they were shown (R-PUSH-14). */
async function withdrawIfRead(delivery: DeliveryState, userId: string, side: Side): Promise<void> {
  const { queue, shown } = delivery;
  delivery.unread.changed();
  if (!isDelivering(delivery) || !(queue.hasJobsOfUser(userId) || shown.isKnown(userId))) return;
  const jobs = (): Job[] => queue.jobsOfUser(userId).filter((job) => job.side === side);
  const onTheirWay = new Set(jobs().flatMap(({ isRunning, sessionId }) => (isRunning ? sessionId : [])));
  if (await delivery.queries.hasUnread(userId, side)) return;
  delivery.allWaiting.delete(nameOf({ userId, side }));
  const devices = shown.devicesOf(userId, side);
  const sessionIds = new Set(devices.map(({ sessionId }) => sessionId));
  for (const job of jobs()) {
    if (job.isRunning) {
      addJob(delivery, job, job.origin);
      continue;
    }
    // A notification that a device shows is withdrawn when its turn comes.
    if (sessionIds.has(job.sessionId)) continue;
    queue.drop(job);
    delivery.owed.settled(job.sessionId);
  }
  for (const { sessionId, origin } of devices) addJob(delivery, { sessionId, userId, side }, origin);
  // A push that was on its way when the page withdrew its notification, also one that has arrived since.
  for (const job of jobs()) if (job.isRunning || onTheirWay.has(job.sessionId)) job.isLate = true;
  // A withdrawal makes no sound, so it waits for no pause.
  queue.releaseHeld((job) => job.userId === userId && job.side === side);
  schedule(delivery);
}

/** Messages that came just before a page stopped answering were probably not seen there. */
async function tellLostViewer(delivery: DeliveryState, personId: string, userIds: readonly string[]): Promise<void> {
  const { queries } = delivery;
  const isAdmin = await queries.findIsAdmin(personId);
  const devices = await queries.listReceiversOf(personId);
  if (!isDelivering(delivery) || isAdmin === undefined || devices.length === 0) return;
  const side = isAdmin ? 'admin' : 'user';
  let firstId = Infinity;
  for (const userId of userIds) {
    const message = await queries.findNewestUnread(userId, side);
    if (!message || delivery.earliestNow() - message.createdAt > PAGE_LOST_MS) continue;
    firstId = Math.min(firstId, message.id);
    for (const { sessionId, endpoint } of devices) {
      addJob(delivery, { sessionId, userId, side }, originOf(endpoint));
    }
  }
  // Nothing was owed to a person who had it on the screen.
  if (firstId < Infinity) markOwedLater(delivery, devices, firstId - 1);
  schedule(delivery);
}

/** A device came, or a person has other wishes: quiet hours may be over. */
async function applyWishes(delivery: DeliveryState, personId: string): Promise<void> {
  devicesChanged(delivery);
  const sessionIds = new Set((await delivery.queries.listReceiversOf(personId)).map(({ sessionId }) => sessionId));
  delivery.queue.releaseHeld(({ sessionId }) => sessionIds.has(sessionId));
  schedule(delivery);
}

/** Delivered messages are not owed any more. */
function clearSettled(delivery: DeliveryState): Promise<void> {
  return delivery.owed.flush().catch((error: unknown) => logError(delivery, error));
}

/** Resolves when everything that may be sent now has been sent. */
async function sendEverythingDue(delivery: DeliveryState): Promise<void> {
  const { looking, running } = delivery;
  lookAtOnce(delivery);
  while (delivery.isScheduled || delivery.progress.isResuming || running.size > 0 || looking.size > 0) {
    await Promise.all([...running, ...looking]);
    await nextTurn();
  }
  await clearSettled(delivery);
}

async function close(delivery: DeliveryState): Promise<void> {
  delivery.isStopping = true;
  clearTimeout(delivery.nextLook);
  const grace = new Promise((resolve) => setTimeout(resolve, CLOSE_GRACE_MS).unref());
  await Promise.race([Promise.all([...delivery.running, ...delivery.looking]), grace]);
  await clearSettled(delivery);
  delivery.isClosed = true;
}
