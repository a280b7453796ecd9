import { readDeviceAccount, readTold, rememberTold, writeDeviceAccount } from './device-store.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** The data that a notification keeps for the press on it. */
export type NotificationData = {
  /** The account that it is for. */
  receiver_id: string;
  /** The user whose conversation it is. */
  user_id: string;
  url: string;
  message_id: string;
  action_token?: string;
};

export type ChatNotification = {
  title: string;
  body: string;
  tag: string;
  data: NotificationData;
  /** It makes no sound. */
  isSilent?: boolean;
  actions?: readonly NotificationButton[];
};

/** The browser's own type leaves out what only some platforms have. */
export type NotificationButton = { action: string; title: string; type?: 'button' | 'text'; placeholder?: string };

type Options = NotificationOptions & { renotify?: boolean; actions?: readonly NotificationButton[] };

export const NOTIFICATION_ICON = '/icons/icon-192.png';
/** White on nothing: Android takes only its outline. */
export const NOTIFICATION_BADGE = '/icons/badge-96.png';

/** Of the notification that says that an answer was not sent. */
export const replyTag = (userId: string): string => `pbb-reply-${userId}`;

/** Also because Chromium forgets a notification that is listed while it is being shown. */
const LOCK = 'notifications';

export function readNotificationData({ data }: Notification): NotificationData | null {
  const { receiver_id, user_id, url, message_id } = (data ?? {}) as Partial<Record<string, unknown>>;
  const isOurs = [receiver_id, user_id, url, message_id].every((value) => typeof value === 'string');
  return isOurs ? (data as NotificationData) : null;
}

const messageIdOf = (notification: Notification): number =>
  Number(readNotificationData(notification)?.message_id ?? 0) || 0;

/**
 * Shows the newest message of a conversation, once for all pages and the service worker of this browser (R-PUSH-42): nothing
 * that is older than what was shown, nothing that was read, and nothing again that was dismissed.
 */
export function showOnce(
  registration: ServiceWorkerRegistration,
  { title, body, tag, data, isSilent = false, actions = [] }: ChatNotification,
): Promise<void> {
  return oneAtATime(LOCK, async () => {
    const messageId = Number(data.message_id) || 0;
    const told = await readTold(tag);
    const shown = await registration.getNotifications({ tag });
    const isNew = messageId === 0 || messageId > told;
    // A page showed it first, without the buttons that only a push can bring.
    const bringsButtons =
      messageId === told &&
      data.action_token !== undefined &&
      shown.some(
        (notification) =>
          messageIdOf(notification) === messageId && readNotificationData(notification)?.action_token === undefined,
      );
    if (!isNew && !bringsButtons) return;
    const rings = isNew && !isSilent;
    const options: Options = {
      body,
      tag,
      data,
      actions,
      icon: NOTIFICATION_ICON,
      badge: NOTIFICATION_BADGE,
      lang: 'id',
      // Without it a newer message would replace the older one without a sound.
      renotify: rings,
      silent: rings ? null : true,
    };
    await registration.showNotification(title, options);
    if (messageId > 0) await rememberTold(tag, messageId);
  });
}

/** Takes the notification of a conversation away that was read up to a message; a push that comes late shows nothing either. */
export function withdraw(registration: ServiceWorkerRegistration, tag: string, upTo: number): Promise<void> {
  return oneAtATime(LOCK, async () => {
    await rememberTold(tag, upTo);
    for (const notification of await registration.getNotifications({ tag }))
      if (messageIdOf(notification) <= upTo) notification.close();
  });
}

/** From now on this browser shows the notifications of this account; what another one left here goes first (R-PUSH-41). */
export async function takeOverDevice(registration: ServiceWorkerRegistration, accountId: string): Promise<void> {
  if ((await readDeviceAccount())?.id === accountId) return;
  await closeForeign(registration, accountId);
  await writeDeviceAccount({ id: accountId });
}

/** Takes away what is not for this account; null: everything. */
export async function closeForeign(registration: ServiceWorkerRegistration, accountId: string | null): Promise<void> {
  for (const notification of await registration.getNotifications())
    if (accountId === null || readNotificationData(notification)?.receiver_id !== accountId) notification.close();
}
