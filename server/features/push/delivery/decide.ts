import { wallClockMs } from '#shared/domain/dates/time-zones.ts';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import type { PushPayload } from '#shared/push.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ActionTokens } from '../actions/action-tokens.ts';
import type { DeliveryQueries, ReceivingDevice, UnreadMessage } from './delivery-queries.ts';
import { presentPush, presentShortPush, presentWithdrawal } from './payload.ts';
import type { Job, JobKey } from './delivery-queue.ts';
import type { ShownNotifications } from './shown-notifications.ts';

/** An older message is not worth a notification any more (R-PUSH-13). */
const MESSAGE_MATTERS_MS = DAY_MS;
/** The clock of the computer may be set, so a long time is waited for in parts. */
const HOLD_MAX_MS = 15 * MINUTE_MS;
const TTL_MIN_S = 60;
const DAY_MINUTES = DAY_MS / MINUTE_MS;

export type Decision =
  /** Nothing is to be sent, now and later. `isTooOld`: it was, but no push service accepted it in time. */
  | { kind: 'none'; isTooOld?: boolean }
  | { kind: 'hold'; ms: number }
  | { kind: 'message' | 'withdrawal'; device: ReceivingDevice; payload: PushPayload; messageId: number; ttlS: number };

/** The state of conversations that the delivery asks for. */
export type DeliveryChat = {
  /** Whether an account has a conversation on the screen of a visible page that is connected. */
  isViewing: (accountId: string, userId: string) => boolean;
  /** Whether a session has a page that is connected. */
  isConnected: (accountId: string, sessionId: string) => boolean;
};

export type DecideDeps = Pick<ServiceContext, 'orm' | 'policy' | 'now' | 'earliestNow' | 'timeZone'> & {
  queries: DeliveryQueries;
  shown: ShownNotifications;
  chat: DeliveryChat;
  tokens: Pick<ActionTokens, 'issue'>;
  unread: { count: (receiver: Receiver) => Promise<number> };
  officeName: () => Promise<string>;
};
type Receiver = { id: string; isAdmin: boolean };

/** Apple's push service ends subscriptions that get pushes without a notification. */
const punishesSilentPushes = ({ endpoint }: ReceivingDevice): boolean =>
  new URL(endpoint).hostname.endsWith('push.apple.com');

/** Minutes after midnight; both or none. Over midnight when `to` is before `from`. */
type QuietHours = { quietFrom: number | null; quietTo: number | null };

/** The rest of quiet hours (R-PUSH-15); 0 outside of them. */
function quietForMs({ quietFrom, quietTo }: QuietHours, timeZone: string, nowMs: number): number {
  if (quietFrom === null || quietTo === null) return 0;
  const sinceMidnightMs = wallClockMs(timeZone, nowMs) % DAY_MS;
  const minute = Math.floor(sinceMidnightMs / MINUTE_MS);
  const isAfterFrom = minute >= quietFrom;
  const isBeforeTo = minute < quietTo;
  const isQuiet = quietFrom < quietTo ? isAfterFrom && isBeforeTo : isAfterFrom || isBeforeTo;
  if (!isQuiet) return 0;
  const minutesLeft = (quietTo - minute + DAY_MINUTES) % DAY_MINUTES;
  return minutesLeft * MINUTE_MS - (sinceMidnightMs % MINUTE_MS);
}

/**
 * Decides about one device and one conversation, again at every attempt: the session, the account, its role, its wishes
 * and the message may be others than when the message came (R-PUSH-11).
 */
export async function decide(deps: DecideDeps, job: Job): Promise<Decision> {
  const { queries, shown, chat } = deps;
  const device = await queries.findDevice(job.sessionId);
  const receiver = device && (await findReceiver(deps, job, device));
  if (!receiver || !device.isEnabled) {
    shown.forget(job);
    return { kind: 'none' };
  }
  const message = await queries.findNewestUnread(job.userId, receiver.isAdmin ? 'admin' : 'user');
  if (!message) return decideWithdrawal(deps, job, device, receiver);
  const ageMs = deps.earliestNow() - message.createdAt;
  if (ageMs >= MESSAGE_MATTERS_MS) return { kind: 'none', isTooOld: true };
  if (chat.isViewing(receiver.id, job.userId) || shown.find(job) === message.id) return { kind: 'none' };
  const quietMs = quietForMs(device, deps.timeZone, deps.now());
  if (quietMs > 0) return { kind: 'hold', ms: Math.min(quietMs, HOLD_MAX_MS) };
  const pauseMs = shown.pauseMs(job);
  if (pauseMs > 0) return { kind: 'hold', ms: pauseMs };
  const payload = await presentMessage(deps, job, { receiver, message, showsPreview: device.showsPreview });
  const ttlS = Math.max(TTL_MIN_S, Math.floor((MESSAGE_MATTERS_MS - Math.max(0, ageMs)) / 1000));
  return { kind: 'message', device, payload, messageId: message.id, ttlS };
}

/** The person of a device, if that person may still read the conversation. */
async function findReceiver(
  { orm, policy, queries }: DecideDeps,
  { sessionId, userId }: JobKey,
  device: ReceivingDevice,
): Promise<Receiver | null> {
  const receiver = (await policy.findLiveSession(orm, sessionId))?.user;
  if (receiver?.id !== device.personId) return null;
  // A conversation of an account that became an admin is in no list.
  const mayRead = receiver.isAdmin ? (await queries.findIsAdmin(userId)) === false : receiver.id === userId;
  return mayRead ? receiver : null;
}

async function decideWithdrawal(
  { shown, chat, unread }: DecideDeps,
  job: Job,
  device: ReceivingDevice,
  receiver: Receiver,
): Promise<Decision> {
  const messageId = shown.find(job);
  // A page that is connected has been told, and withdraws what its browser shows by then.
  const isWithdrawnByPage = !job.isLate && chat.isConnected(receiver.id, job.sessionId);
  if (messageId === null || isWithdrawnByPage || punishesSilentPushes(device)) {
    shown.forget(job);
    return { kind: 'none' };
  }
  const payload = presentWithdrawal({ userId: job.userId, receiver, unread: await unread.count(receiver) }, messageId);
  return { kind: 'withdrawal', device, payload, messageId, ttlS: MESSAGE_MATTERS_MS / 1000 };
}

type DecidedMessage = { receiver: Receiver; message: UnreadMessage; showsPreview: boolean };

async function presentMessage(
  { shown, tokens, unread, officeName }: DecideDeps,
  { sessionId, userId, isShort }: Job,
  { receiver, message, showsPreview }: DecidedMessage,
): Promise<PushPayload> {
  const about = {
    userId,
    receiver,
    unread: await unread.count(receiver),
    isSilent: shown.isSilent(sessionId),
    officeName: await officeName(),
  };
  if (isShort) return presentShortPush(about, message);
  const actionToken = tokens.issue({ sessionId, isAdmin: receiver.isAdmin, userId, messageId: message.id });
  return presentPush(about, message, { showsPreview, actionToken });
}
