import type { PageMessage } from './worker-messages.ts';

async function eraseRepliesOf(accountId: string): Promise<void> {
  const { eraseReplies } = await import('./device-store.ts');
  await eraseReplies(accountId);
}

/**
 * Ends notifications in this browser when an account leaves it (docs/requirements.md R-PUSH-41): what is shown, the subscription,
 * the number on the icon. The service worker does it, so that it is also done when the page goes away meanwhile.
 */
export function endNotificationsOf(accountId: string, { erase }: { erase: boolean }): void {
  // Over plain http there is none.
  if (!('serviceWorker' in navigator)) return;
  // The page deletes typed replies itself, because the service worker may have been switched off since.
  if (erase) eraseRepliesOf(accountId).catch(() => undefined);
  const message: PageMessage = { type: 'account-left', accountId, erase };
  const { controller } = navigator.serviceWorker;
  if (controller) controller.postMessage(message);
  else
    void navigator.serviceWorker.ready.then(
      ({ active }) => active?.postMessage(message),
      () => undefined,
    );
}
