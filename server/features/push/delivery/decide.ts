import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import type { PushPayload } from '#shared/push.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ActionTokens } from '../actions/action-tokens.ts';
import type { DeliveryQueries, ReceivingDevice, UnreadMessage } from './delivery-queries.ts';
import { presentPush, presentShortPush, presentWithdrawal } from './payload.ts';
import type { JobKey } from './queue/delivery-queue.ts';
import { quietForMs } from './quiet-hours.ts';
import type { ShownNotifications } from './shown-notifications.ts';

/** An older message is not worth a notification any more (R-PUSH-13). */
const MESSAGE_MATTERS_MS = DAY_MS;
/** The clock of the computer may be set, so a long time is waited for in parts. */
const HOLD_MAX_MS = 15 * MINUTE_MS;
const TTL_MIN_S = 60;

export type Decision =
  /** Nothing is to be sent, now and later. `isTooOld`: it was, but no push service accepted it in time. */
  | { kind: 'none'; isTooOld?: boolean }
  | { kind: 'hold'; ms: number }
  | { kind: 'message' | 'withdrawal'; device: ReceivingDevice; payload: PushPayload; messageId: number; ttlS: number };

/** What the delivery needs of the conversations. */
export type DeliveryChat = {
  /** Whether an account has a conversation on the screen of a visible page that is connected. */
  isViewing: (accountId: string, userId: string) => boolean;
  /** Whether a session has a page that is connected. */
  isConnected: (accountId: string, sessionId: string) => boolean;
};

export type DecideDeps = {
  queries: DeliveryQueries;
  shown: ShownNotifications;
  chat: DeliveryChat;
  tokens: Pick<ActionTokens, 'issue'>;
  countUnread: (receiver: { id: string; isAdmin: boolean }) => number;
  officeName: () => string;
};

/** Apple's push service ends subscriptions that get pushes without a notification. */
const punishesSilentPushes = ({ endpoint }: ReceivingDevice): boolean =>
  new URL(endpoint).hostname.endsWith('push.apple.com');

/**
 * What one device is to be told of one conversation now. Asked again at every attempt, because the session, the account, its role,
 * its wishes and the message may be others than when the message came (R-PUSH-11).
 */
export function createDecide(
  { policy, now, earliestNow, timeZone }: Pick<ServiceContext, 'policy' | 'now' | 'earliestNow' | 'timeZone'>,
  { queries, shown, chat, tokens, countUnread, officeName }: DecideDeps,
) {
  type Receiver = { id: string; isAdmin: boolean };
  type Withdrawn = { receiver: Receiver; isLate: boolean };

  /** The person of a device, if that person may still read the conversation. */
  function findReceiver({ sessionId, userId }: JobKey, device: ReceivingDevice): Receiver | null {
    const receiver = policy.findLiveSession(sessionId)?.user;
    if (receiver?.id !== device.personId) return null;
    // A conversation of an account that became an admin is in no list.
    const mayRead = receiver.isAdmin ? queries.findIsAdmin(userId) === false : receiver.id === userId;
    return mayRead ? receiver : null;
  }

  function decideWithdrawal(job: JobKey, device: ReceivingDevice, { receiver, isLate }: Withdrawn): Decision {
    const messageId = shown.find(job);
    // A page that is connected has been told, and withdraws what its browser shows by then.
    const isWithdrawnByPage = !isLate && chat.isConnected(receiver.id, job.sessionId);
    if (messageId === null || isWithdrawnByPage || punishesSilentPushes(device)) {
      shown.forget(job);
      return { kind: 'none' };
    }
    const about = { userId: job.userId, receiver, unread: countUnread(receiver) };
    const payload = presentWithdrawal(about, messageId);
    return { kind: 'withdrawal', device, payload, messageId, ttlS: MESSAGE_MATTERS_MS / 1000 };
  }

  function presentMessage(
    { sessionId, userId }: JobKey,
    { receiver, message, showsPreview, isShort }: DecidedMessage,
  ): PushPayload {
    const unread = countUnread(receiver);
    const about = { userId, receiver, unread, isSilent: shown.isSilent(sessionId), officeName: officeName() };
    if (isShort) return presentShortPush(about, message);
    const actionToken = tokens.issue({ sessionId, isAdmin: receiver.isAdmin, userId, messageId: message.id });
    return presentPush(about, message, { showsPreview, actionToken });
  }
  type DecidedMessage = { receiver: Receiver; message: UnreadMessage; showsPreview: boolean; isShort: boolean };

  /**
   * @param isShort the push service found the whole too large
   * @param isLate what it told was read while it was on its way
   */
  return (job: JobKey, { isShort, isLate }: { isShort: boolean; isLate: boolean }): Decision => {
    const device = queries.findDevice(job.sessionId);
    const receiver = device && findReceiver(job, device);
    if (!receiver || !device.isEnabled) {
      shown.forget(job);
      return { kind: 'none' };
    }
    const message = queries.findNewestUnread(job.userId, receiver.isAdmin ? 'admin' : 'user');
    if (!message) return decideWithdrawal(job, device, { receiver, isLate });
    const ageMs = earliestNow() - message.createdAt;
    if (ageMs >= MESSAGE_MATTERS_MS) return { kind: 'none', isTooOld: true };
    if (chat.isViewing(receiver.id, job.userId) || shown.find(job) === message.id) return { kind: 'none' };
    const quietMs = quietForMs(device, timeZone, now());
    if (quietMs > 0) return { kind: 'hold', ms: Math.min(quietMs, HOLD_MAX_MS) };
    const pauseMs = shown.pauseMs(job);
    if (pauseMs > 0) return { kind: 'hold', ms: pauseMs };
    const { showsPreview } = device;
    const payload = presentMessage(job, { receiver, message, showsPreview, isShort });
    const ttlS = Math.max(TTL_MIN_S, Math.floor((MESSAGE_MATTERS_MS - Math.max(0, ageMs)) / 1000));
    return { kind: 'message', device, payload, messageId: message.id, ttlS };
  };
}
