import { openInPage } from '#client/lib/notifications/ask-pages.ts';
import type { NotificationData } from '#client/lib/notifications/show-once.ts';
import { ANSWER_HASH } from '#client/paths.ts';

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
export async function openConversation({ receiver_id, user_id, url }: NotificationData): Promise<void> {
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
export async function openStart(path: string): Promise<void> {
  const [first] = await listWindows();
  if (first) await bringToFront(first);
  else await openWindow(path);
}
