import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { callAs, expect, test as base, type TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

type ContextOptions = {
  viewport?: { width: number; height: number };
  /** The browser's own zoom: 1.25 is 125 %. */
  zoom?: number;
  /** Prepares the browser before its first page. */
  prepare?: (context: BrowserContext) => Promise<void>;
  /** Waits until the page is connected: what is said in the title and by a notification comes as an event. */
  untilConnected?: boolean;
};

type ChatFixtures = {
  /** Deletes all users except admins, so that no test depends on the tests before it. */
  noUsers: void;
  /** Opens a path as a user in a browser context of its own, with the same checks as the first context of the test. */
  openInNewContext: (user: TestUser, path: string, options?: ContextOptions) => Promise<Page>;
  /** Opens the chat of a user on a phone. */
  openPhoneChat: (user: TestUser) => Promise<Page>;
  /** One more administrator, signed in over REST. */
  createAdmin: (name: string) => Promise<TestUser>;
};

let lastAdminNumber = 0;

export const test = base.extend<ChatFixtures>({
  noUsers: [
    async ({ testServer }, use) => {
      testServer.withDatabase((database) => {
        database.prepare('delete from users where is_admin = 0').run();
        // Records and messages refer to no account: the server deletes them in steps of its own.
        for (const table of ['tax_records', 'messages'])
          database.prepare(`delete from ${table} where user_id not in (select id from users)`).run();
      });
      await use();
    },
    { auto: true },
  ],

  openInNewContext: async ({ browser, testServer, openAs, allowedConsoleErrors }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: string[] = [];
    const foreign: string[] = [];
    const own = new URL(testServer.url).host;
    await use(async (user, path, { viewport = DESKTOP, zoom = 1, prepare, untilConnected = false } = {}) => {
      const context = await browser.newContext({
        viewport: { width: Math.round(viewport.width / zoom), height: Math.round(viewport.height / zoom) },
        deviceScaleFactor: zoom,
      });
      contexts.push(context);
      context.on('weberror', (error) => errors.push(String(error.error())));
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      context.on('request', (request) => {
        const { protocol, host } = new URL(request.url());
        if (/^https?:$/.test(protocol) && host !== own) foreign.push(request.url());
      });
      await prepare?.(context);
      const page = await context.newPage();
      await Promise.all([untilConnected ? whenConnected(page) : null, openAs(page, user, path)]);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(foreign, 'requests to other hosts').toEqual([]);
    expect(
      errors.filter((text) => !allowedConsoleErrors.some((pattern) => pattern.test(text))),
      'errors in the browser console',
    ).toEqual([]);
  },

  openPhoneChat: async ({ openInNewContext }, use) => {
    await use(async (user) => {
      const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE });
      await openWidget(phone);
      return phone;
    });
  },

  createAdmin: async ({ testServer, admin }, use) => {
    await use(async (name) => {
      lastAdminNumber += 1;
      const email = `petugas-${process.pid}-${lastAdminNumber}@contoh.id`;
      const password = 'kata-sandi-petugas';
      await callAs(testServer, admin, 'POST', '/admin/users', {
        name,
        email,
        password,
        is_admin: true,
        is_active: true,
        current_password: admin.password,
      });
      const response = await fetch(`${testServer.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      const { data } = (await response.json()) as { data: { token: string; user: { id: string } } };
      return { name, email, password, token: data.token, id: data.user.id };
    });
  },
});

/** Sends one message over REST, for a test that needs it but does not check the sending. */
export async function sendMessageByApi(
  testServer: TestServer,
  from: TestUser,
  to: TestUser,
  content: string,
): Promise<void> {
  await callAs(testServer, from, 'POST', '/messages/send', { to_user_id: to.id, content, client_id: randomUUID() });
}

/** The stored texts of a user's conversation, in order. */
export function storedMessageTexts(testServer: TestServer, user: TestUser): string[] {
  return testServer.withDatabase((database) =>
    (
      database.prepare('select content from messages where user_id = ? order by id').all(user.id) as {
        content: string;
      }[]
    ).map(({ content }) => content),
  );
}

/** Ends every session of a user in the database, without the server. */
export function endSessionsOf(testServer: TestServer, user: TestUser): void {
  testServer.withDatabase((database) => database.prepare('delete from sessions where user_id = ?').run(user.id));
}

/** The messages on show, also those that are still waiting. */
export const messageTexts = (page: Page) => page.getByRole('log').locator('[dir="auto"]');
/** The line of one message, with its ticks. */
export const bubble = (page: Page, text: string) =>
  page.getByRole('log').locator('[data-item]').filter({ hasText: text });
export const ticks = (page: Page, text: string) => bubble(page, text).locator('[data-delivery]');

/** The user's side. */
export const launcher = (page: Page) => page.getByRole('button', { name: /^Buka Live Chat/ });
export const panel = (page: Page) => page.getByRole('dialog', { name: 'Live Chat' });
/** The dot with its word. */
export const connectionStatus = (page: Page) => panel(page).getByRole('status').first();
export const userMessageField = (page: Page) => panel(page).getByPlaceholder('Ketik pesan...');

/** Opens the chat and waits until it is connected. */
export async function openWidget(page: Page): Promise<void> {
  await launcher(page).click();
  await expect(connectionStatus(page)).toContainText('Online');
}

export async function sendAsUser(page: Page, text: string): Promise<void> {
  await userMessageField(page).fill(text);
  await userMessageField(page).press('Enter');
}

/** The administrator's side. */
export const conversationList = (page: Page) => page.getByRole('region', { name: 'Daftar percakapan' });
export const conversationRow = (page: Page, user: TestUser) =>
  conversationList(page).locator(`[data-user-id="${user.id}"]`);
export const adminMessageField = (page: Page) => page.getByPlaceholder('Tulis pesan...');

export async function openConversation(page: Page, user: TestUser): Promise<void> {
  // Users without messages come last, and rows far below are not rendered: then the search finds them.
  const search = conversationList(page).getByRole('searchbox', { name: 'Cari nama atau email' });
  const isDrawn = await conversationRow(page, user)
    .waitFor({ timeout: 3000 })
    .then(
      () => true,
      () => false,
    );
  if (!isDrawn) await search.fill(user.email);
  await conversationRow(page, user).click();
  await expect(page.getByRole('heading', { name: user.name })).toBeVisible();
  if (!isDrawn && (await search.isVisible())) await search.fill('');
}

export async function sendAsAdmin(page: Page, text: string): Promise<void> {
  await adminMessageField(page).fill(text);
  await adminMessageField(page).press('Enter');
}

/** A notification of the admin pages. */
export const toast = (page: Page, text: string) =>
  page.locator('[role="status"], [role="alert"]').filter({ hasText: text });

/** Keeps the toast with 'Urungkan' on the screen: it stays as long as the pointer is over it. */
export const holdUndo = (page: Page) => page.getByRole('button', { name: 'Urungkan (Undo)' }).hover();

/** Resolves when the next document of a page is connected, so that no event passes it by. */
export async function whenConnected(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket');
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40/chat'));
}

/** Hides the page as if another window were in front. Every headless page believes that it is visible. */
export const blurWindow = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });
export const focusWindow = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });
