import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { callAs, expect, test as base, type Resident } from './fixtures.ts';
import type { Office } from './office.ts';

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

type Visit = {
  viewport?: { width: number; height: number };
  /** The browser's own zoom: 1.25 is 125 %. */
  zoom?: number;
  /** What the browser must know before its first page. */
  prepare?: (context: BrowserContext) => Promise<void>;
};

type Fixtures = {
  /** Nobody is registered but the administrator, so that no test depends on who came before it. */
  noResidents: void;
  /** Somebody in a browser of their own, watched as the test's first one is. */
  visit: (person: Resident, path: string, options?: Visit) => Promise<Page>;
  /** One more administrator, signed in over REST. */
  newColleague: (name: string) => Promise<Resident>;
};

let lastColleague = 0;

export const test = base.extend<Fixtures>({
  noResidents: [
    async ({ office }, use) => {
      office.withDatabase((database) => database.prepare('delete from users where is_admin = 0').run());
      await use();
    },
    { auto: true },
  ],

  visit: async ({ browser, office, openAs, quietConsole }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: string[] = [];
    const foreign: string[] = [];
    const own = new URL(office.url).host;
    await use(async (person, path, { viewport = DESK, zoom = 1, prepare } = {}) => {
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
      await openAs(page, person, path);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(foreign, 'requests to other hosts').toEqual([]);
    expect(
      errors.filter((text) => !quietConsole.some((pattern) => pattern.test(text))),
      'errors in the browser console',
    ).toEqual([]);
  },

  newColleague: async ({ office, admin }, use) => {
    await use(async (name) => {
      lastColleague += 1;
      const email = `petugas-${process.pid}-${lastColleague}@contoh.id`;
      const password = 'kata-sandi-petugas';
      await callAs(office, admin, 'POST', '/admin/users', { name, email, password, is_admin: true, is_active: true });
      const response = await fetch(`${office.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      const { data } = (await response.json()) as { data: { token: string; user: { id: string } } };
      return { name, email, password, token: data.token, id: data.user.id };
    });
  },
});

/** One message over REST; for what a test needs but does not look at. */
export async function write(office: Office, from: Resident, to: Resident, content: string): Promise<void> {
  await callAs(office, from, 'POST', '/messages/send', { to_user_id: to.id, content, client_id: randomUUID() });
}

/** What is stored of somebody's conversation, in order. */
export function storedMessages(office: Office, resident: Resident): string[] {
  return office.withDatabase((database) =>
    (
      database.prepare('select content from messages where user_id = ? order by id').all(resident.id) as {
        content: string;
      }[]
    ).map(({ content }) => content),
  );
}

/** Ends every session of somebody behind the server's back. */
export function endSessionsOf(office: Office, person: Resident): void {
  office.withDatabase((database) => database.prepare('delete from sessions where user_id = ?').run(person.id));
}

/** The messages on show, also those that are still waiting. */
export const texts = (page: Page) => page.getByRole('log').locator('[dir="auto"]');
/** The line of one message, with its ticks. */
export const bubble = (page: Page, text: string) =>
  page.getByRole('log').locator('[data-item]').filter({ hasText: text });
export const ticks = (page: Page, text: string) => bubble(page, text).locator('[data-delivery]');

/** The resident's side. */
export const launcher = (page: Page) => page.getByRole('button', { name: /^Buka Live Chat/ });
export const panel = (page: Page) => page.getByRole('dialog', { name: 'Live Chat' });
/** The dot with its word. */
export const connection = (page: Page) => panel(page).getByRole('status').first();
export const residentField = (page: Page) => panel(page).getByPlaceholder('Ketik pesan...');

/** Opens the chat and waits until it is connected. */
export async function openWidget(page: Page): Promise<void> {
  await launcher(page).click();
  await expect(connection(page)).toContainText('Online', { timeout: 15_000 });
}

export async function sendAsResident(page: Page, text: string): Promise<void> {
  await residentField(page).fill(text);
  await residentField(page).press('Enter');
}

/** The administrator's side. */
export const listPane = (page: Page) => page.getByRole('region', { name: 'Daftar percakapan' });
export const row = (page: Page, person: Resident) => listPane(page).locator(`[data-user-id="${person.id}"]`);
export const deskField = (page: Page) => page.getByPlaceholder('Tulis pesan...');

export async function openChat(page: Page, person: Resident): Promise<void> {
  // Whoever has never written comes last, and what is far below is not drawn: then they are searched for.
  const search = listPane(page).getByRole('searchbox', { name: 'Cari nama atau email' });
  const isDrawn = await row(page, person)
    .waitFor({ timeout: 3000 })
    .then(
      () => true,
      () => false,
    );
  if (!isDrawn) await search.fill(person.email);
  await row(page, person).click();
  await expect(page.getByRole('heading', { name: person.name })).toBeVisible();
  if (!isDrawn && (await search.isVisible())) await search.fill('');
}

export async function sendAsAdmin(page: Page, text: string): Promise<void> {
  await deskField(page).fill(text);
  await deskField(page).press('Enter');
}

/** A toast of the office. */
export const toast = (page: Page, text: string) =>
  page.locator('[role="status"], [role="alert"]').filter({ hasText: text });

/** As if another window had come in front; headless pages all believe to be looked at. */
export const lookAway = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });
export const lookBack = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });
