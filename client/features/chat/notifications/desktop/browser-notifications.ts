import { withWorker } from '#client/lib/notifications/with-worker.ts';
import { createPageNotifications, type DesktopNotifications, type NotifiedUser } from './desktop-notification.ts';

/** Desktop notifications by the service worker as soon as there is one, before and elsewhere by this page. */
export function createBrowserNotifications(
  currentUser: NotifiedUser,
  onPress: (userId: string) => void,
): DesktopNotifications {
  const ofPage = createPageNotifications(onPress);
  let shown = ofPage;
  const stopWorker = withWorker(async (registration) => {
    const { createWorkerNotifications } = await import('./worker-notifications.ts');
    const ofWorker = await createWorkerNotifications({ registration, currentUser, onPress });
    shown = ofWorker;
    return ofWorker.stop;
  });
  return {
    show: (notification) => shown.show(notification),
    withdraw(userId, upTo): void {
      // One that was shown before there was a service worker.
      ofPage.withdraw(userId, upTo);
      if (shown !== ofPage) shown.withdraw(userId, upTo);
    },
    stop(): void {
      ofPage.stop();
      stopWorker();
    },
  };
}
