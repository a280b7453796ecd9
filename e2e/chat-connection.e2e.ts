import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { callAs, expect, SERVER_RESTART_ERRORS, type TestUser } from './fixtures.ts';
import { logIn } from './login-page.ts';
import type { TestServer } from './test-server.ts';
import {
  connectionStatus,
  adminMessageField,
  endSessionsOf,
  launcher,
  openConversation,
  openWidget,
  panel,
  PHONE,
  userMessageField,
  conversationRow,
  sendAsAdmin,
  sendAsUser,
  storedMessageTexts,
  test,
  messageTexts,
  ticks,
  sendMessageByApi,
} from './chat-page.ts';

/** Chromium prints these when a connection is lost. */
const CONNECTION_LOST_ERRORS =
  /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_FAILED|WebSocket connection to/;

const waitingMessages = (page: Page) => page.getByRole('log').locator('[data-delivery="waiting"]');

/** A line that a test can cut: the sockets alone, or every call as well. */
function createBreakableNetwork() {
  const sockets = new Set<WebSocketRoute>();
  let blocked: 'nothing' | 'sockets' | 'everything' = 'nothing';
  return {
    openSocketCount: () => sockets.size,
    prepareContext: async (context: BrowserContext): Promise<void> => {
      await context.routeWebSocket(/\/socket\.io\//, (socket) => {
        if (blocked !== 'nothing') {
          void socket.close();
          return;
        }
        const server = socket.connectToServer();
        sockets.add(socket);
        socket.onMessage((message) => server.send(message));
        server.onMessage((message) => socket.send(message));
        socket.onClose(() => {
          sockets.delete(socket);
          void server.close();
        });
        server.onClose(() => {
          sockets.delete(socket);
          void socket.close();
        });
      });
      await context.route('**/socket.io/**', (route) => (blocked === 'nothing' ? route.continue() : route.abort()));
      await context.route('**/api/**', (route) => (blocked === 'everything' ? route.abort() : route.continue()));
    },
    block: async (what: 'sockets' | 'everything'): Promise<void> => {
      blocked = what;
      await Promise.all([...sockets].map((socket) => socket.close()));
      sockets.clear();
    },
    restore: (): void => {
      blocked = 'nothing';
    },
  };
}

/** Both sides show exactly what is stored, in its order. */
async function expectSameMessages(testServer: TestServer, user: TestUser, pages: readonly Page[]): Promise<string[]> {
  const stored = storedMessageTexts(testServer, user);
  for (const page of pages) {
    await expect(messageTexts(page)).toHaveText(stored);
    await expect(waitingMessages(page)).toHaveCount(0);
  }
  return stored;
}

test('messages written offline wait with a clock and are sent once, in order', async ({
  testServer,
  user,
  admin,
  openInNewContext,
  openPhoneChat,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(CONNECTION_LOST_ERRORS);
  const phone = await openPhoneChat(user);
  const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
  await expect(adminPage.getByText('Mulai percakapan dengan user ini')).toBeVisible();
  await sendAsUser(phone, 'nol');
  await expect(messageTexts(adminPage)).toHaveText(['nol']);
  // Without the server's answer the page would keep this message waiting, too.
  await expect(waitingMessages(phone)).toHaveCount(0);

  await phone.context().setOffline(true);
  await expect(connectionStatus(phone)).toContainText('Offline');
  for (const text of ['satu', 'dua', 'tiga']) {
    await sendAsUser(phone, text);
    await expect(ticks(phone, text)).toHaveAttribute('data-delivery', 'waiting');
  }
  await expect(panel(phone).getByText('Koneksi terputus. 3 pesan Anda dikirim begitu koneksi kembali.')).toBeVisible();
  await sendMessageByApi(testServer, admin, user, 'dari kantor');
  await expect(messageTexts(adminPage)).toHaveText(['nol', 'dari kantor']);
  expect(storedMessageTexts(testServer, user)).toEqual(['nol', 'dari kantor']);

  await phone.context().setOffline(false);
  await expect(connectionStatus(phone)).toContainText('Online');
  await expect(messageTexts(adminPage)).toHaveText(['nol', 'dari kantor', 'satu', 'dua', 'tiga']);
  const stored = await expectSameMessages(testServer, user, [phone, adminPage]);
  expect(stored).toEqual(['nol', 'dari kantor', 'satu', 'dua', 'tiga']);
});

test('messages written without a connection survive a reload', async ({
  testServer,
  user,
  admin,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(CONNECTION_LOST_ERRORS);
  const network = createBreakableNetwork();
  const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE, prepare: network.prepareContext });
  await openWidget(phone);
  await sendAsUser(phone, 'sebelum');
  await expect(ticks(phone, 'sebelum')).toHaveAttribute('data-delivery', 'stored');

  await network.block('everything');
  await expect(connectionStatus(phone)).toContainText('Offline');
  await sendAsUser(phone, 'satu');
  await sendAsUser(phone, 'dua');
  await expect(waitingMessages(phone)).toHaveCount(2);
  await phone.reload();
  await launcher(phone).click();
  await expect(messageTexts(phone)).toHaveText(['satu', 'dua']);
  await expect(waitingMessages(phone)).toHaveCount(2);
  expect(storedMessageTexts(testServer, user)).toEqual(['sebelum']);

  network.restore();
  await expect(messageTexts(phone)).toHaveText(['sebelum', 'satu', 'dua']);
  await expect(waitingMessages(phone)).toHaveCount(0);
  const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
  expect(await expectSameMessages(testServer, user, [phone, adminPage])).toEqual(['sebelum', 'satu', 'dua']);
});

test('a power cut in the middle of sending loses and doubles nothing', async ({
  testServer,
  registerUser,
  admin,
  openInNewContext,
  openPhoneChat,
  allowedConsoleErrors,
}) => {
  test.slow();
  allowedConsoleErrors.push(CONNECTION_LOST_ERRORS, SERVER_RESTART_ERRORS);
  const user = await registerUser('Slamet Riyadi');
  const phone = await openPhoneChat(user);
  const adminPage = await openInNewContext(admin, '/admin/chat');
  await openConversation(adminPage, user);
  const numbers = Array.from({ length: 24 }, (_, index) => index + 1);
  const [questions, answers] = [
    numbers.map((number) => `tanya ${number}.`),
    numbers.map((number) => `jawab ${number}.`),
  ];

  async function sendAll(send: (text: string) => Promise<void>, all: readonly string[]): Promise<void> {
    for (const text of all) await send(text);
  }
  async function killServer(): Promise<void> {
    // Often enough that a quick machine has not sent everything by then.
    await expect.poll(() => storedMessageTexts(testServer, user).length, { intervals: [20] }).toBeGreaterThan(8);
    await testServer.stop('SIGKILL');
  }
  await Promise.all([
    sendAll((text) => sendAsUser(phone, text), questions),
    sendAll((text) => sendAsAdmin(adminPage, text), answers),
    killServer(),
  ]);
  // It fell while there was still something to send.
  expect(storedMessageTexts(testServer, user).length).toBeLessThan(2 * numbers.length);
  await testServer.start();

  for (const page of [phone, adminPage]) {
    await expect(messageTexts(page)).toHaveCount(2 * numbers.length);
    await expect(waitingMessages(page)).toHaveCount(0);
  }
  await expect.poll(() => storedMessageTexts(testServer, user)).toHaveLength(2 * numbers.length);
  const stored = await expectSameMessages(testServer, user, [phone, adminPage]);
  expect(stored.filter((text) => text.startsWith('tanya'))).toEqual(questions);
  expect(stored.filter((text) => text.startsWith('jawab'))).toEqual(answers);
});

test('a page without its socket polls, and shows no message twice when the socket is back', async ({
  testServer,
  user,
  admin,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(CONNECTION_LOST_ERRORS);
  const networks = { phone: createBreakableNetwork(), adminPage: createBreakableNetwork() };
  const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE, prepare: networks.phone.prepareContext });
  await openWidget(phone);
  const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`, {
    prepare: networks.adminPage.prepareContext,
  });
  await expect(adminPage.getByText('Mulai percakapan dengan user ini')).toBeVisible();
  await sendAsUser(phone, 'satu');
  await expect(messageTexts(adminPage)).toHaveText(['satu']);

  await Promise.all([networks.phone.block('sockets'), networks.adminPage.block('sockets')]);
  await sendAsUser(phone, 'dua');
  await expect(messageTexts(adminPage)).toHaveText(['satu', 'dua']);
  await sendAsAdmin(adminPage, 'tiga');
  await expect(messageTexts(phone)).toHaveText(['satu', 'dua', 'tiga']);
  await expect(connectionStatus(phone)).toContainText('Online');
  expect(networks.phone.openSocketCount() + networks.adminPage.openSocketCount()).toBe(0);

  for (const network of [networks.phone, networks.adminPage]) network.restore();
  for (const network of [networks.phone, networks.adminPage]) {
    await expect.poll(network.openSocketCount).toBe(1);
  }
  await sendAsUser(phone, 'empat');
  await sendAsAdmin(adminPage, 'lima');
  await expect(messageTexts(phone)).toHaveText(['satu', 'dua', 'tiga', /empat|lima/, /empat|lima/]);
  await expect(messageTexts(adminPage)).toHaveCount(5);
  expect(await expectSameMessages(testServer, user, [phone, adminPage])).toHaveLength(5);
});

test('a page with a connected socket does not poll', async ({ user, admin, openInNewContext }) => {
  const pings: (() => Promise<unknown>)[] = [];
  async function prepare(context: BrowserContext): Promise<void> {
    context.on('page', (page) =>
      page.on('websocket', (socket) => {
        pings.push(() => socket.waitForEvent('framereceived', { predicate: ({ payload }) => payload === '2' }));
      }),
    );
  }
  const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE, prepare });
  await openWidget(phone);
  const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`, { prepare });
  await expect(adminPage.getByText('Mulai percakapan dengan user ini')).toBeVisible();
  await sendAsUser(phone, 'Halo');
  await expect(ticks(phone, 'Halo')).toHaveAttribute('data-delivery', 'read');

  let lastCallMs = Date.now();
  const calls: string[] = [];
  for (const page of [phone, adminPage]) {
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/api/messages') && !pathname.startsWith('/socket.io')) return;
      lastCallMs = Date.now();
      calls.push(pathname);
    });
  }
  // The inbox counts once more after the last event of the message.
  await expect.poll(() => Date.now() - lastCallMs).toBeGreaterThan(2000);
  calls.length = 0;
  expect(pings).toHaveLength(2);
  const startedMs = Date.now();
  // The server's own pings are ten seconds apart: longer than the slowest of the three intervals.
  await Promise.all(pings.map((ping) => ping()));
  await Promise.all(pings.map((ping) => ping()));
  expect(Date.now() - startedMs).toBeGreaterThan(10_000);
  expect(calls).toEqual([]);

  await sendAsAdmin(adminPage, 'Ya?');
  await expect(messageTexts(phone)).toHaveText(['Halo', 'Ya?']);
  expect(calls).toContain('/api/messages/send');
});

test.describe('when the session has ended', () => {
  test('the page goes to the login and keeps the draft', async ({
    testServer,
    user,
    openPhoneChat,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 401/);
    const phone = await openPhoneChat(user);
    await userMessageField(phone).fill('Draf yang panjang sekali');
    // The typing's own end, a few seconds later, is the next thing that asks about the session.
    endSessionsOf(testServer, user);
    await expect(phone).toHaveURL('/login');
    await logIn(phone, user);
    await phone.waitForURL('/dashboard');
    await openWidget(phone);
    await expect(userMessageField(phone)).toHaveValue('Draf yang panjang sekali');
    expect(storedMessageTexts(testServer, user)).toEqual([]);
  });

  test('a message sent into the ended session is sent once after the next login', async ({
    testServer,
    user,
    openPhoneChat,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 401/);
    const phone = await openPhoneChat(user);
    // Ended while the message is on its way: a moment earlier the page would have gone to the login by itself.
    await phone.route(
      '**/api/messages/send',
      async (route) => {
        endSessionsOf(testServer, user);
        await route.continue();
      },
      { times: 1 },
    );
    await userMessageField(phone).fill('Jangan hilang');
    await userMessageField(phone).press('Enter');
    await expect(phone).toHaveURL('/login');
    expect(storedMessageTexts(testServer, user)).toEqual([]);
    await logIn(phone, user);
    await phone.waitForURL('/dashboard');
    await openWidget(phone);
    await expect(ticks(phone, 'Jangan hilang')).toHaveAttribute('data-delivery', 'stored');
    await expect(messageTexts(phone)).toHaveText(['Jangan hilang']);
    expect(storedMessageTexts(testServer, user)).toEqual(['Jangan hilang']);
  });

  test('an admin who is deactivated by another admin leaves the inbox at once', async ({
    testServer,
    createAdmin,
    user,
    admin,
    openInNewContext,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 401/);
    const colleague = await createAdmin('Pak Budi');
    const adminPage = await openInNewContext(colleague, '/admin/chat');
    await openConversation(adminPage, user);
    await adminMessageField(adminPage).fill('Setengah jadi');
    const ownPassword = { current_password: admin.password };
    await callAs(testServer, admin, 'PUT', `/admin/users/${colleague.id}/toggle-status`, ownPassword);
    await expect(adminPage).toHaveURL('/login');
    await expect(conversationRow(adminPage, user)).toHaveCount(0);
  });
});

test('a click in the menu while the server is away stays in the app, which goes on when the server is back', async ({
  testServer,
  user,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(CONNECTION_LOST_ERRORS, SERVER_RESTART_ERRORS);
  // As if the browser had loaded nothing in advance.
  const prepare = async (context: BrowserContext): Promise<void> => {
    await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  };
  const page = await openInNewContext(user, '/dashboard', { prepare });
  const menu = page.getByRole('navigation', { name: 'Menu utama' });
  await expect(menu.getByRole('link', { name: 'Laporan' })).toBeVisible();
  // Until something talks to the server, nothing can notice that it is away.
  await openWidget(page);
  await page.route('**/assets/*report*', (route) => route.abort());
  await testServer.stop();
  await expect(page.getByText('Tidak ada sambungan. Mencoba lagi…')).toBeVisible();
  await menu.getByRole('link', { name: 'Laporan' }).click();
  await expect(page.getByRole('heading', { name: 'Halaman belum dapat dibuka' })).toBeVisible();
  await page.getByRole('button', { name: 'Coba lagi' }).click();
  await expect(menu).toBeVisible();
  await expect(page).toHaveURL('/reports');

  await page.unroute('**/assets/*report*');
  await testServer.start();
  await expect(page.getByRole('heading', { level: 1, name: 'Laporan' })).toBeVisible();
  await expect(page.getByText('Tidak ada sambungan. Mencoba lagi…')).toHaveCount(0);
});

test('signing out asks about an unsent message, and leaves nothing readable in the browser', async ({
  testServer,
  user,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(CONNECTION_LOST_ERRORS, /status of 401/);
  const network = createBreakableNetwork();
  const tab = await openInNewContext(user, '/dashboard', { prepare: network.prepareContext });
  await openWidget(tab);
  const other = await tab.context().newPage();
  await other.goto('/dashboard');
  await openWidget(other);
  await network.block('everything');
  await sendAsUser(tab, 'NIK saya 3273');
  await userMessageField(tab).fill('jangan dibaca orang lain');
  await expect(userMessageField(other)).toHaveValue('jangan dibaca orang lain');

  const signOutButton = tab.getByRole('button', { name: 'Keluar (Logout)' });
  await signOutButton.click();
  const question = tab.getByRole('dialog', { name: '1 pesan belum terkirim. Keluar juga?' });
  await question.getByRole('button', { name: 'Kirim dulu' }).click();
  await expect(question.getByRole('alert')).toContainText('Pesan belum dapat dikirim.');
  await question.getByRole('button', { name: 'Buang dan keluar' }).click();
  for (const page of [tab, other]) await expect(page).toHaveURL('/login');
  const stored = await other.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(stored).not.toMatch(/NIK|dibaca|pbb-outbox|pbb-draft/);
  network.restore();
  expect(storedMessageTexts(testServer, user)).toEqual([]);
});
