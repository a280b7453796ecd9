import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openInPage } from '#client/lib/notifications/ask-pages.ts';
import { forgetDevice, readDeviceAccount } from '#client/lib/notifications/device-store.ts';
import type { NotificationData } from '#client/lib/notifications/show-once.ts';
import type { Side } from '#shared/events.ts';
import type { DesktopNotifications } from './desktop-notification.ts';
import { createWorkerNotifications } from './worker-notifications.ts';

vi.mock(
  '#client/lib/notifications/device-store.ts',
  () => import('#client/lib/notifications/testing/memory-device-store.ts'),
);

type Shown = { title: string; tag: string; data: NotificationData; renotify: boolean; close: () => void };
let shown: Shown[] = [];
let alerts = 0;
const registration = {
  getNotifications: async ({ tag }: { tag?: string } = {}) => shown.filter((one) => !tag || one.tag === tag),
  showNotification: async (title: string, options: Omit<Shown, 'title' | 'close'>) => {
    if (options.renotify) alerts += 1;
    const made: Shown = { title, ...options, close: () => void (shown = shown.filter((one) => one !== made)) };
    shown = [...shown.filter(({ tag }) => tag !== options.tag), made];
  },
} as unknown as ServiceWorkerRegistration;

const started: DesktopNotifications[] = [];
/** Starts a page to which the service worker can post: each page has its own container. */
async function startPage(side: Side, id: string, path = '/dashboard') {
  const container = new EventTarget();
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  const onPress = vi.fn();
  const notifications = await createWorkerNotifications({ registration, currentUser: { side, id }, onPress });
  started.push(notifications);
  const page = {
    onPress,
    notifications,
    isFrozen: false,
    postMessage(data: unknown, ports: Transferable[]): void {
      if (page.isFrozen) return;
      window.history.replaceState(null, '', path);
      container.dispatchEvent(new MessageEvent('message', { data, ports: ports as MessagePort[] }));
    },
  };
  return page;
}
const message = (id: number) => ({ userId: 'u1', messageId: id, title: `Pesan ${id}`, body: 'Halo' });
/** Each call that was begun waits for nothing, so it ends within this turn of the event loop. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(async () => {
  await forgetDevice();
  shown = [];
  alerts = 0;
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('Notification', { permission: 'granted' });
});
afterEach(() => {
  for (const { stop } of started.splice(0)) stop();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  window.history.replaceState(null, '', '/');
});

it('shows the newest message of a conversation once, and nothing again that was dismissed or read', async () => {
  const { notifications } = await startPage('admin', 'a1');
  const titles = () => shown.map(({ title }) => title);
  for (const id of [1, 1, 2, 1]) {
    notifications.show(message(id));
    await settle();
  }
  expect([titles(), alerts]).toEqual([['Pesan 2'], 2]);
  expect(shown[0]?.data).toEqual({ receiver_id: 'a1', user_id: 'u1', url: '/admin/chat?user=u1', message_id: '2' });
  shown[0]?.close();
  notifications.show(message(2));
  notifications.withdraw('u1', 3);
  notifications.show(message(3));
  await settle();
  expect(titles()).toEqual([]);
  notifications.show(message(4));
  await settle();
  notifications.withdraw('u1', 3);
  await settle();
  expect(titles()).toEqual(['Pesan 4']);
});

it('takes away what another account left in this browser, and keeps its own', async () => {
  const first = await startPage('user', 'u1');
  first.notifications.show(message(1));
  await settle();
  await startPage('user', 'u1');
  expect(shown).toHaveLength(1);
  await startPage('user', 'u2');
  expect([shown, await readDeviceAccount()]).toEqual([[], { id: 'u2' }]);
});

it('opens a press in the page that has to change least, and never in one of another account or one that sleeps', async () => {
  const form = await startPage('admin', 'a1', '/admin/tax-records');
  const inbox = await startPage('admin', 'a1', '/admin/chat');
  const beside = await startPage('admin', 'a1', '/admin/chat?user=u7&beside=u8,u1');
  const stranger = await startPage('admin', 'a2', '/admin/chat?user=u1');
  const pages = [form, stranger, inbox, beside];
  const request = { type: 'may-open', accountId: 'a1', userId: 'u1' } as const;
  const opened = () => pages.map(({ onPress }) => onPress.mock.calls.length);

  expect(await openInPage(pages, request)).toBe(beside);
  await expect.poll(() => opened()).toEqual([0, 0, 0, 1]);
  beside.isFrozen = true;
  expect(await openInPage(pages, request)).toBe(inbox);
  await expect.poll(() => opened()).toEqual([0, 0, 1, 1]);
  expect(await openInPage([stranger], request)).toBeNull();
});
