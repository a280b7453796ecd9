import type { Page } from '@playwright/test';
import { startPushService, type PushService } from '#server/testing/network/push-service.ts';
import type { PushPayload } from '#shared/push.ts';
import {
  launcher,
  messageTexts,
  panel,
  PHONE,
  sendMessageByApi,
  storedMessageTexts,
  test as base,
  userMessageField,
} from '../chat-page.ts';
import { callAs, expect, SERVER_DOWN_ERRORS, type TestUser } from '../fixtures.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { preparePush, pressNotification, serviceWorkerOf, shownNotifications } from './push-browser.ts';

const test = base.extend<object, { pushService: PushService; testServer: TestServer }>({
  pushService: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const service = await startPushService();
      await use(service);
      await service.close();
    },
    { scope: 'worker' },
  ],
  testServer: [
    async ({ pushService }, use) => {
      const server = await startTestServer({ PUSH_ALLOW: pushService.origin });
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
});

/** The switch on the page of the account, as a resident turns notifications on. */
async function turnOn(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Notifikasi di perangkat ini' }).click({ force: true });
  await expect(page.getByText(/^Menyala di perangkat ini/)).toBeVisible();
}

/** The unread messages of a resident, as the server counts them. */
const unreadOf = (testServer: TestServer, user: TestUser): number =>
  testServer.withDatabase(
    (database) =>
      (
        database
          .prepare('select admin_ordinal - user_read_ordinal as unread from conversations where user_id = ?')
          .get(user.id) as { unread: number }
      ).unread,
  );

/** The next push that is about a new message of this person, not about one that was read, or of the test before. */
async function nextMessageFor(pushService: PushService, { id }: TestUser): Promise<PushPayload> {
  for (;;) {
    const { payload } = await pushService.next();
    if (payload.receiver_id === id && !payload.read) return payload;
  }
}

/** A push of another conversation: once it is shown, everything before it has been dealt with. */
const markerFor = (receiver: TestUser): PushPayload => ({
  title: 'Penanda',
  body: 'Penanda',
  user_id: 'penanda',
  receiver_id: receiver.id,
  url: '/account',
  tag: `penanda-${receiver.id}`,
  unread: 0,
  message_id: '1',
});

test('a message is one notification over a push and several tabs, and a press opens it, also without a network', async ({
  context,
  page,
  pushService,
  testServer,
  admin,
  registerUser,
  openAs,
  allowedConsoleErrors,
}) => {
  const browser = await preparePush(context, pushService);
  const resident = await registerUser('Siti Aminah');
  await openAs(page, resident, '/account');
  await turnOn(page);
  const worker = await serviceWorkerOf(context);
  const shown = () => shownNotifications(worker);
  const bodies = async () => (await shown()).map(({ body }) => body);

  // The page shows it, and the push adds its buttons to the same notification.
  await sendMessageByApi(testServer, admin, resident, 'Berkas Anda sudah lengkap');
  const first = await nextMessageFor(pushService, resident);
  await expect.poll(bodies).toEqual(['Berkas Anda sudah lengkap']);
  await browser.deliver(page, first);
  await expect
    .poll(shown)
    .toMatchObject([{ title: first.title, body: 'Berkas Anda sudah lengkap', actions: ['reply', 'read'] }]);

  const otherTab = await context.newPage();
  await otherTab.goto('/tax-records');
  await expect(launcher(otherTab)).toBeVisible();
  await sendMessageByApi(testServer, admin, resident, 'Silakan ambil besok');
  const second = await nextMessageFor(pushService, resident);
  await browser.deliver(page, second);
  await browser.deliver(page, first);
  await expect.poll(bodies).toEqual(['Silakan ambil besok']);

  await pressNotification(worker);
  const openTabs = async () => {
    const counts = await Promise.all([page, otherTab].map((tab) => panel(tab).count()));
    return [page, otherTab].filter((_tab, index) => counts[index] === 1);
  };
  await expect.poll(async () => (await openTabs()).length).toBe(1);
  const [opened = page] = await openTabs();
  await expect(userMessageField(opened)).toBeFocused();
  await expect(messageTexts(opened)).toHaveText(['Berkas Anda sudah lengkap', 'Silakan ambil besok']);

  // Read by now: what comes late shows nothing, and what is shown of it elsewhere goes.
  await expect.poll(() => unreadOf(testServer, resident)).toBe(0);
  await browser.deliver(page, second);
  await browser.deliver(page, markerFor(resident));
  await expect.poll(shown).toMatchObject([{ body: 'Penanda', isSilent: false }]);
  // Its device rang often enough lately.
  await browser.deliver(page, { ...markerFor(resident), body: 'Penanda senyap', message_id: '2', silent: true });
  await expect.poll(shown).toMatchObject([{ body: 'Penanda senyap', isSilent: true }]);
  await browser.deliver(page, { ...markerFor(resident), message_id: '2', read: true });
  await expect.poll(bodies).toEqual([]);

  // On the screen, so it is not pushed; the end of this test has waited long enough.
  await sendMessageByApi(testServer, admin, resident, 'Terlihat langsung');
  await expect(messageTexts(opened)).toContainText(['Terlihat langsung']);
  // A message that is unread when a connection breaks is pushed after all.
  await expect.poll(() => unreadOf(testServer, resident)).toBe(0);

  allowedConsoleErrors.push(SERVER_DOWN_ERRORS);
  await context.setOffline(true);
  const cold = await context.newPage();
  await cold.setViewportSize(PHONE);
  await cold.goto(`${second.url}#balas`);
  await expect(userMessageField(cold)).toBeFocused();
  await cold.goBack();
  await expect(launcher(cold)).toBeVisible();
  await expect(cold).toHaveURL(/\/dashboard$/);
  expect(pushService.received.map(({ payload }) => payload.body)).not.toContain('Terlihat langsung');
});

test('buttons answer without a page, an answer that cannot be sent becomes a draft, and a sign-out takes all along', async ({
  context,
  page,
  pushService,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  const browser = await preparePush(context, pushService);
  const resident = await registerUser('Tono');
  await openAs(page, resident, '/account');
  await turnOn(page);
  const worker = await serviceWorkerOf(context);
  const titles = async () => (await shownNotifications(worker)).map(({ title }) => title);
  // No page of the app is open.
  await page.goto('/healthz');
  async function receive(text: string): Promise<PushPayload> {
    await sendMessageByApi(testServer, admin, resident, text);
    const payload = await nextMessageFor(pushService, resident);
    await browser.deliver(page, payload);
    await expect.poll(titles).toEqual([payload.title]);
    return payload;
  }

  await receive('Mohon bawa KTP');
  await pressNotification(worker, 'reply', 'Baik, besok saya bawa');
  expect(storedMessageTexts(testServer, resident)).toEqual(['Mohon bawa KTP', 'Baik, besok saya bawa']);
  expect(await titles()).toEqual([]);

  await receive('Terima kasih');
  expect(unreadOf(testServer, resident)).toBe(1);
  await pressNotification(worker, 'read');
  expect(unreadOf(testServer, resident)).toBe(0);
  expect(await titles()).toEqual([]);

  const last = await receive('Sudah di kantor?');
  await callAs(testServer, admin, 'DELETE', `/messages/conversation/${resident.id}`);
  await pressNotification(worker, 'reply', 'Sebentar lagi sampai');
  expect(await titles()).toEqual(['Balasan belum terkirim']);
  await page.goto('/dashboard?obrolan=1');
  await expect(userMessageField(page)).toHaveValue('Sebentar lagi sampai');
  await expect.poll(titles).toEqual([]);
  await userMessageField(page).fill('');
  await page.getByRole('button', { name: 'Tutup Live Chat' }).click();

  // A shared phone: nothing of the one who signed out is shown to the next one, or opened there.
  await browser.deliver(page, { ...last, message_id: String(Number(last.message_id) + 1), body: 'Rahasia' });
  await expect.poll(titles).toEqual([last.title]);
  await page.getByRole('button', { name: 'Keluar (Logout)' }).click();
  await expect.poll(titles).toEqual([]);
  const next = await registerUser('Wati');
  await openAs(page, next, '/dashboard');
  await expect(launcher(page)).toBeVisible();
  await expect
    .poll(async () => {
      await browser.deliver(page, { ...last, message_id: String(Number(last.message_id) + 2) });
      await browser.deliver(page, markerFor(next));
      return titles();
    })
    .toEqual(['Penanda']);
});
