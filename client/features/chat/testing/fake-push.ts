import { vi } from 'vitest';

type Options = { permission?: NotificationPermission; answer?: NotificationPermission };

/**
 * Gives jsdom what a browser over https has for notifications, for one test. `requestPermission` answers `answer`;
 * `subscribe` may be made to fail.
 */
export function fakePush({ permission = 'default', answer = 'granted' }: Options = {}) {
  const notification = {
    permission,
    requestPermission: vi.fn(() => {
      if (notification.permission === 'default') notification.permission = answer;
      return Promise.resolve(notification.permission);
    }),
  };
  let subscription: object | null = null;
  const subscribe = vi.fn((options: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
    subscription = {
      endpoint: 'https://push.contoh.id/1',
      options: { applicationServerKey: options.applicationServerKey.buffer },
      toJSON: () => ({ endpoint: 'https://push.contoh.id/1', keys: { p256dh: 'kunci', auth: 'rahasia' } }),
      unsubscribe: () => {
        subscription = null;
        return Promise.resolve(true);
      },
    };
    return Promise.resolve(subscription);
  });
  const pushManager = { getSubscription: () => Promise.resolve(subscription), subscribe };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('Notification', notification);
  vi.stubGlobal('PushManager', vi.fn());
  const registration = { pushManager, getNotifications: async () => [] };
  const serviceWorker = Object.assign(new EventTarget(), {
    ready: Promise.resolve(registration),
    getRegistration: vi.fn(() => Promise.resolve<object | undefined>(registration)),
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  return {
    notification,
    subscribe,
    getRegistration: serviceWorker.getRegistration,
    undo: () => {
      vi.unstubAllGlobals();
      Reflect.deleteProperty(navigator, 'serviceWorker');
    },
  };
}
