import { showOnce, takeOverDevice, withdraw } from '#client/lib/notifications/show-once.ts';
import { isWorkerMessage, OPEN, type OpenOffer } from '#client/lib/notifications/worker-messages.ts';
import { paths } from '#client/paths.ts';
import { notificationTag } from '#shared/push.ts';
import { hasUnsavedForm } from '#client/ui/form/use-unsaved-warning.ts';
import { renewSubscription } from '../push/subscription.ts';
import { canShowDesktopNotification, type DesktopNotifications, type NotifiedUser } from './desktop-notification.ts';

type Deps = {
  registration: ServiceWorkerRegistration;
  currentUser: NotifiedUser;
  /** A notification was pressed, also one that the service worker showed: its conversation should open, ready for the answer. */
  onPress: (userId: string) => void;
};

const warn = (error: unknown): void => console.warn('Notifikasi tidak dapat ditampilkan', error);

/** Ranks this page: higher if it has less to change to show a conversation; null if it must ask first. */
function rankFor(currentUser: NotifiedUser, userId: string): number | null {
  const visible = document.visibilityState === 'visible' ? 0.5 : 0;
  if (currentUser.side === 'user') return visible;
  const { pathname, search } = window.location;
  if (pathname !== paths.adminChat) return hasUnsavedForm() ? null : visible;
  const params = new URLSearchParams(search);
  return [params.get('user'), ...(params.get('beside')?.split(',') ?? [])].includes(userId) ? 2 + visible : 1 + visible;
}

/**
 * Desktop notifications by the service worker, which shows those of pushes too, so that there is one for each conversation
 * (R-PUSH-42). Its press is answered here while a page is open (R-PUSH-44).
 */
export async function createWorkerNotifications({
  registration,
  currentUser,
  onPress,
}: Deps): Promise<DesktopNotifications> {
  const accountId = currentUser.id;
  await takeOverDevice(registration, accountId);
  void renewSubscription();

  function offerToOpen(rank: number | null, userId: string, port: MessagePort): void {
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === OPEN) onPress(userId);
      port.close();
    });
    port.start();
    port.postMessage({ rank } satisfies OpenOffer);
  }

  function onMessage({ data, ports: [port] }: MessageEvent<unknown>): void {
    if (!isWorkerMessage(data)) return;
    if (data.type === 'subscription-changed') void renewSubscription();
    if (data.type === 'may-open' && port) {
      const isOurs = data.accountId === accountId;
      offerToOpen(isOurs ? rankFor(currentUser, data.userId) : null, data.userId, port);
    }
  }
  navigator.serviceWorker.addEventListener('message', onMessage);

  return {
    show({ userId, messageId, title, body }): void {
      if (!canShowDesktopNotification()) return;
      const url = currentUser.side === 'user' ? paths.openChat : paths.adminConversation(userId);
      const data = { receiver_id: accountId, user_id: userId, url, message_id: String(messageId) };
      showOnce(registration, { title, body, tag: notificationTag(userId), data }).catch(warn);
    },
    withdraw: (userId, upTo): void => void withdraw(registration, notificationTag(userId), upTo).catch(warn),
    stop: (): void => navigator.serviceWorker.removeEventListener('message', onMessage),
  };
}
