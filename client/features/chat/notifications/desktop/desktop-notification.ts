import type { Side } from '#shared/events.ts';
import { notificationTag } from '#shared/push.ts';

/** The account that is notified in this browser. */
export type NotifiedUser = { side: Side; id: string };

/**
 * Desktop notifications need https or localhost, and a permission that was not denied; otherwise there are none (R-CHAT-26).
 */
export function canShowDesktopNotification(): boolean {
  return typeof Notification !== 'undefined' && window.isSecureContext && Notification.permission === 'granted';
}

export type DesktopNotification = { userId: string; messageId: number; title: string; body: string };

export type DesktopNotifications = {
  show: (notification: DesktopNotification) => void;
  /** This side has read the conversation up to a message. */
  withdraw: (userId: string, upTo: number) => void;
  stop: () => void;
};

/** Notifications of this page alone, for a browser without a service worker. */
export function createPageNotifications(onPress: (userId: string) => void): DesktopNotifications {
  const open = new Map<string, { messageId: number; close: () => void }>();
  return {
    show({ userId, messageId, title, body }): void {
      if (!canShowDesktopNotification()) return;
      try {
        const notification = new Notification(title, { body, tag: notificationTag(userId) });
        notification.addEventListener('click', () => {
          window.focus();
          notification.close();
          onPress(userId);
        });
        open.set(userId, { messageId, close: () => notification.close() });
      } catch (error) {
        // Chrome on Android has the constructor, but it throws.
        console.warn('Notifikasi desktop tidak dapat ditampilkan', error);
      }
    },
    withdraw(userId, upTo): void {
      const shown = open.get(userId);
      if (!shown || shown.messageId > upTo) return;
      shown.close();
      open.delete(userId);
    },
    stop(): void {
      // They show the beginning of a message, and the user may have signed out.
      for (const { close } of open.values()) close();
    },
  };
}
