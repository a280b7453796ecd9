import type { PushReach } from '#shared/api/system.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import type { Side } from '#shared/events.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { PushOutcome } from '../sending/push.ts';
import { decide, type Decision } from './decide.ts';
import { deliveryQueries, type Receiver } from './delivery-queries.ts';
import type { Job, JobKey } from './delivery-queue.ts';
import { createDeliveryState, type DeliveryDeps, type DeliveryState, nameOf } from './delivery-state.ts';
import { MARKED_AT_ONCE_MAX } from './owed-marks.ts';
import { topicOf } from './payload.ts';
import { originOf } from './receivers.ts';

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

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tells devices without an open page what happens in conversations (R-PUSH-10 to R-PUSH-21). */
export function createDelivery(
  context: Pick<ServiceContext, 'orm' | 'write' | 'policy' | 'now' | 'monotonicNow' | 'earliestNow' | 'timeZone'>,
  deps: DeliveryDeps,
) {
  const delivery = createDeliveryState(context, deps);
  const { queries, queue, shown, status } = delivery;
  return {
    messageStoring: (tx: Transaction, message: StoredMessage): Promise<void> => noteOwed(delivery, tx, message),
    messageStored: ({ id }: { id: number }): void => fanOutStored(delivery, [id]),
    unreadChanged: (userId: string, side: Side): void => inBackground(delivery, withdrawIfRead(delivery, userId, side)),
    viewerLost: (personId: string, userIds: readonly string[]): void =>
      inBackground(delivery, tellLostViewer(delivery, personId, userIds)),

    /** A device takes its notification away by itself. */
    handledOn: (key: Omit<JobKey, 'side'>): void => shown.forget(key),

    wishesChanged: (personId: string): void => inBackground(delivery, applyWishes(delivery, personId)),

    /** Goes on with the messages that an earlier process of the server owed. @param mayContinue asked before each device */
    resume: async (mayContinue: () => boolean): Promise<void> =>
      resume(delivery, await queries.listOwing(), mayContinue),

    /** Called every second: waiting pushes may be due, and delivered ones are not owed any more. */
    tick(): Promise<void> {
      if (queue.size() > 0) schedule(delivery);
      // The queue may have become empty while the last ones were looked for.
      continueOverflowed(delivery);
      if (delivery.storing.size > 0) inBackground(delivery, fanOutUnannounced(delivery));
      return clearSettled(delivery);
    },

    settled: (): Promise<void> => sendEverythingDue(delivery),

    status: async (): Promise<PushReach> => {
      const subscriptions = await queries.countSubscriptions();
      return { subscriptions, waiting: queue.size(), ...status.read() };
    },

    /** A push that the test service sent: it too shows whether pushes get out. */
    noteOutcome: ({ endpoint }: { endpoint: string }, outcome: PushOutcome): void =>
      status.note(originOf(endpoint), outcome),

    close: (): Promise<void> => close(delivery),
  };
}
export type Delivery = ReturnType<typeof createDelivery>;

type StoredMessage = { id: number; userId: string; fromAdmin: boolean };

/** Inside the transaction of a new message: notes to which devices it is owed, so that no crash loses that. */
async function noteOwed(
  delivery: DeliveryState,
  tx: Transaction,
  { id, userId, fromAdmin }: StoredMessage,
): Promise<void> {
  const { chat, storing } = delivery;
  delivery.unread.changed();
  const side = fromAdmin ? 'user' : 'admin';
  if (!delivery.allWaiting.has(nameOf({ userId, side }))) {
    const told = await delivery.receivers.list(tx, userId, side);
    if (told.length === 0) return;
    for (const receiver of told.slice(0, MARKED_AT_ONCE_MAX)) {
      if (receiver.owedAfterId !== null || chat.isViewing(receiver.personId, userId)) continue;
      await deliveryQueries(tx).markOwed(receiver.sessionId, id - 1);
      receiver.owedAfterId = id - 1;
    }
  }
  storing.set(id, { userId, side, messageId: id });
}

/** After the commit: before it, a device that looks for the message on another connection would find none and be settled. */
function fanOutStored(delivery: DeliveryState, ids: readonly number[]): void {
  const { allWaiting, fanOuts, storing } = delivery;
  for (const id of ids) {
    const stored = storing.get(id);
    if (!stored) continue;
    storing.delete(id);
    const name = nameOf(stored);
    if (allWaiting.has(name) || fanOuts.has(name)) continue;
    fanOuts.set(name, stored);
    schedule(delivery);
  }
}

/** Messages of which no commit was told: their change failed, or did after it. */
async function fanOutUnannounced(delivery: DeliveryState): Promise<void> {
  const ids = [...delivery.storing.keys()];
  // It ends after all changes that began before it.
  await delivery.write(() => undefined);
  fanOutStored(delivery, ids);
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

async function runTurn(delivery: DeliveryState): Promise<void> {
  if (delivery.isStopping) return;
  try {
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
  fanOuts.delete(name);
  const told = await delivery.receivers.list(delivery.orm, userId, side);
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
  // The message stays owed, and the next start delivers it.
  if (delivery.isStopping) return queue.hold(job, ERROR_PAUSE_MS);
  if (decision.kind === 'hold') return queue.hold(job, decision.ms);
  if (decision.kind === 'none') {
    if (decision.isTooOld) delivery.status.noteGivenUp();
    return finish(delivery, job, { hasAnswered: false });
  }
  if (decision.kind === 'message') job.isLate = false;
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
  if (delivery.overflowed.size === 0 || !delivery.queue.hasRoom() || delivery.isResuming || delivery.isStopping) return;
  inBackground(delivery, resumeOverflowed(delivery));
}

async function resumeOverflowed(delivery: DeliveryState): Promise<void> {
  const { overflowed } = delivery;
  const owing = (await delivery.queries.listOwing()).filter(({ sessionId }) => overflowed.has(sessionId));
  // Owed messages are noted in the commit of the message, or soon after it.
  if (!delivery.owed.isMarking()) overflowed.clear();
  await resume(delivery, owing, () => !delivery.isStopping);
}

/** In turns, because an admin's device may be owed many conversations. @param mayContinue asked before each device */
async function resume(delivery: DeliveryState, owing: readonly Receiver[], mayContinue: () => boolean): Promise<void> {
  const { overflowed } = delivery;
  delivery.isResuming = true;
  try {
    // A delivery before its turn must not settle a device.
    for (const { sessionId } of owing) overflowed.add(sessionId);
    for (const receiver of owing) {
      if (!mayContinue()) return;
      overflowed.delete(receiver.sessionId);
      await addOwedJobs(delivery, receiver);
      schedule(delivery);
      await nextTurn();
    }
  } finally {
    delivery.isResuming = false;
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
  if (delivery.isStopping || !(queue.hasJobsOfUser(userId) || shown.isKnown(userId))) return;
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
  if (delivery.isStopping || isAdmin === undefined || devices.length === 0) return;
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
  schedule(delivery);
  while (delivery.isScheduled || delivery.isResuming || running.size > 0 || looking.size > 0) {
    await Promise.all([...running, ...looking]);
    await nextTurn();
  }
  await clearSettled(delivery);
}

async function close(delivery: DeliveryState): Promise<void> {
  delivery.isStopping = true;
  const grace = new Promise((resolve) => setTimeout(resolve, CLOSE_GRACE_MS).unref());
  await Promise.race([Promise.all([...delivery.running, ...delivery.looking]), grace]);
  await clearSettled(delivery);
  delivery.isClosed = true;
}
