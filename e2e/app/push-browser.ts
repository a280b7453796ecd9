import type { BrowserContext, Page, Worker } from '@playwright/test';
import type { PushPayload } from '#shared/push.ts';
import type { PushService, TestSubscription } from '#server/testing/network/push-service.ts';

/**
 * A browser with a push service. Chromium of the tests reaches none, so the page gets its subscriptions from the test, and what
 * arrives there is handed to the real service worker through the devtools protocol.
 */
export async function preparePush(context: BrowserContext, service: PushService) {
  let current: { subscription: TestSubscription; key: number[] } | null = null;
  await context.grantPermissions(['notifications']);
  await context.exposeFunction('testSubscription', () => current);
  await context.exposeFunction('changeTestSubscription', (key: number[] | null) => {
    current = key && { subscription: service.subscribe(), key };
    return current;
  });
  await context.addInitScript(() => {
    type Current = { subscription: { endpoint: string }; key: number[] } | null;
    const { testSubscription, changeTestSubscription } = globalThis as unknown as {
      testSubscription: () => Promise<Current>;
      changeTestSubscription: (key: number[] | null) => Promise<Current>;
    };
    const wrap = (found: Current) =>
      found && {
        endpoint: found.subscription.endpoint,
        options: { applicationServerKey: Uint8Array.from(found.key).buffer },
        toJSON: () => found.subscription,
        unsubscribe: async () => {
          await changeTestSubscription(null);
          return true;
        },
      };
    Object.assign(PushManager.prototype, {
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) =>
        wrap(await changeTestSubscription([...applicationServerKey])),
      getSubscription: async () => wrap(await testSubscription()),
    });
  });

  return {
    endpoint: () => current?.subscription.endpoint ?? null,
    /** As the push service of the browser hands it over. */
    async deliver(page: Page, payload: PushPayload): Promise<void> {
      const devtools = await context.newCDPSession(page);
      const found = new Promise<string>((resolve) => {
        devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId);
        });
      });
      await devtools.send('ServiceWorker.enable');
      await devtools.send('ServiceWorker.deliverPushMessage', {
        origin: new URL(page.url()).origin,
        registrationId: await found,
        data: JSON.stringify(payload),
      });
      await devtools.detach();
    },
  };
}

export const serviceWorkerOf = async (context: BrowserContext): Promise<Worker> =>
  context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));

/** The globals of a service worker. The tests are compiled with the types of pages. */
type WorkerScope = {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (type: string, init: object) => Event & { waitUntil: (work: Promise<unknown>) => void };
};
export type Shown = { title: string; body: string; actions: string[]; isSilent: boolean };

/**
 * The notifications that a user sees, with the app open or not. The call holds the lock of the app: Chromium forgets a
 * notification that is listed while it is being shown.
 */
export const shownNotifications = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(() =>
    navigator.locks.request('pbb-notifications', async () => {
      const { registration } = globalThis as unknown as WorkerScope;
      return (await registration.getNotifications()).map((notification) => {
        const { title, body, silent, actions = [] } = notification as Notification & { actions?: { action: string }[] };
        return { title, body, actions: actions.map(({ action }) => action), isSilent: silent === true };
      });
    }),
  );

/** Presses the only notification, or one of its buttons, and waits until the service worker has dealt with it. */
export const pressNotification = (worker: Worker, action = '', reply: string | null = null): Promise<void> =>
  worker.evaluate(
    async (pressed) => {
      const { registration, NotificationEvent } = globalThis as unknown as WorkerScope;
      const [notification] = await registration.getNotifications();
      const event = new NotificationEvent('notificationclick', { notification, ...pressed });
      const work: Promise<unknown>[] = [];
      // Only the browser's own events keep a service worker alive.
      event.waitUntil = (promise) => void work.push(promise);
      (globalThis as unknown as EventTarget).dispatchEvent(event);
      await Promise.all(work);
    },
    { action, reply },
  );
