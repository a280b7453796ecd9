import { eraseReplies, forgetDevice, readDeviceAccount } from '#client/lib/notifications/device-store.ts';
import { closeForeign } from '#client/lib/notifications/show-once.ts';
import type { PageMessage, WorkerMessage } from '#client/lib/notifications/worker-messages.ts';

declare const self: ServiceWorkerGlobalScope;

/** The number on the icon of the installed app; where there is none, nothing happens. */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in self.navigator)) return;
  await (count > 0 ? self.navigator.setAppBadge(count) : self.navigator.clearAppBadge()).catch(() => undefined);
}

export async function tellPages(message: WorkerMessage): Promise<void> {
  for (const client of await self.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    client.postMessage(message);
}

/** Nothing reaches this browser any more; the push service forgets what waits there. */
export async function endSubscription(): Promise<void> {
  const subscription = await self.registration.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

/** An account has left this browser (R-PUSH-41). What is shown goes also where the database cannot be read. */
export async function leaveAccount({ accountId, erase }: PageMessage): Promise<void> {
  if (erase) await eraseReplies(accountId).catch(() => undefined);
  const account = await readDeviceAccount().catch(() => null);
  // A later one is here already: what is shown is its own.
  if (account !== null && account.id !== accountId) return;
  // First, so that a push that comes meanwhile finds nobody.
  await forgetDevice().catch(() => undefined);
  await Promise.allSettled([closeForeign(self.registration, null), endSubscription(), showBadge(0)]);
}
