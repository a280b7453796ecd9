import { readDeviceAccount } from '#client/lib/notifications/device-store.ts';
import { readNotificationData, type NotificationData } from '#client/lib/notifications/show-once.ts';
import { paths, ANSWER_HASH } from '#client/paths.ts';
import { markAsRead, sendReply } from './answer.ts';
import { openInPage } from '#client/lib/notifications/ask-pages.ts';

/** A notification or one of its buttons was pressed. */
export async function press(event: NotificationEvent): Promise<void> {
  const { notification, action } = event;
  const data = readNotificationData(notification);
  // Some platforms have a field for a reply (R-PUSH-46); elsewhere the button opens the conversation.
  const { reply = null } = event as { reply?: string | null };
  const account = await readDeviceAccount();
  if (!data || account?.id !== data.receiver_id) {
    notification.close();
    await openStart(paths.home);
  } else if (data.user_id === '') {
    // Of a test, which belongs to no conversation.
    notification.close();
    await openStart(data.url);
  } else if (action === 'read' && data.action_token !== undefined) {
    await markAsRead(notification, data, data.action_token);
  } else if (action === 'reply' && data.action_token !== undefined && reply !== null && reply.trim() !== '') {
    await sendReply(notification, data, data.action_token, reply.trim());
  } else {
    notification.close();
    await openConversation(data);
  }
}

declare const self: ServiceWorkerGlobalScope;

/** The browser lists first what had the focus last. */
const listWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** The browser allows it only after a press; without it the conversation is open nevertheless, behind. */
async function bringToFront(client: WindowClient): Promise<void> {
  await client.focus().catch(() => undefined);
}

async function openWindow(url: string): Promise<void> {
  await self.clients.openWindow(url).catch(() => undefined);
}

/** In one of the open windows, else in a new one (R-PUSH-44). */
async function openConversation({ receiver_id, user_id, url }: NotificationData): Promise<void> {
  const windows = await listWindows();
  const chosen = await openInPage(windows, { type: 'may-open', accountId: receiver_id, userId: user_id });
  if (chosen) {
    await bringToFront(chosen);
    return;
  }
  const target = new URL(url, self.location.origin);
  // Never to another server, whatever a push says.
  if (target.origin !== self.location.origin) return;
  target.hash = ANSWER_HASH;
  await openWindow(target.href);
}

/** For a press that leads to no conversation: of a test, or because its account is not signed in here. */
async function openStart(path: string): Promise<void> {
  const [first] = await listWindows();
  if (first) await bringToFront(first);
  else await openWindow(path);
}
