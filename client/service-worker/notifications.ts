import { isPageMessage } from '#client/lib/notifications/worker-messages.ts';
import { receivePush } from './notifications/receive-push.ts';
import { leaveAccount, tellPages } from './notifications/device.ts';
import { press } from './notifications/press.ts';

declare const self: ServiceWorkerGlobalScope;

/** Registers what reacts to pushes and to presses on notifications (docs/requirements.md R-PUSH-41 to R-PUSH-46). */
export function bindNotifications(): void {
  self.addEventListener('push', (event) => {
    event.waitUntil(receivePush(event.data));
  });
  self.addEventListener('notificationclick', (event) => {
    event.waitUntil(press(event));
  });
  self.addEventListener('pushsubscriptionchange', (event) => {
    // Only a page has the session; without one, the next start of a page does the same.
    event.waitUntil(tellPages({ type: 'subscription-changed' }));
  });
  self.addEventListener('message', (event) => {
    const message: unknown = event.data;
    if (isPageMessage(message)) event.waitUntil(leaveAccount(message));
  });
}
