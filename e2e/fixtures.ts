import { expect, test as base, type Page } from '@playwright/test';
import { ADMIN, startTestServer, type TestServer } from './test-server.ts';

export type TestUser = { name: string; email: string; password: string; token: string; id: string };

type Fixtures = {
  /** Fails the test when the page reports an unexpected error. */
  allowedConsoleErrors: RegExp[];
  /** Fails the test when a page asks another host than ours for anything. */
  onlyOwnHost: void;
  /** Registers a user over REST. */
  registerUser: (name?: string) => Promise<TestUser>;
  /** A user who has just registered. */
  user: TestUser;
  /** The first administrator, signed in over REST. */
  admin: TestUser;
  /** Writes a user's session into the storage of a page, as a sign-in does, and opens a path. */
  openAs: (page: Page, user: TestUser, path: string) => Promise<void>;
};

/** The errors that the browser prints when a server stops while pages are open. One that ends takes no new connection. */
export const SERVER_DOWN_ERRORS = /net::ERR_|WebSocket connection to|status of 403 .*\/socket\.io\//;
/** A page that still polls when the server is back gets 400: Socket.IO does not know its session any more. */
export const SERVER_RESTART_ERRORS = new RegExp(`${SERVER_DOWN_ERRORS.source}|status of 400`);

let lastUserNumber = 0;

export const test = base.extend<Fixtures, { testServer: TestServer }>({
  testServer: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const server = await startTestServer();
      // An admin who is new ends no account of another one (docs/requirements.md R-ACCESS-6).
      server.withDatabase((database) =>
        database.prepare('update users set admin_since = 0, password_changed_at = 0').run(),
      );
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ testServer }, use) => use(testServer.url),

  allowedConsoleErrors: [
    async ({ context }, use) => {
      const allowed: RegExp[] = [];
      const errors: string[] = [];
      context.on('weberror', (error) => errors.push(String(error.error())));
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`.trim());
      });
      // Chromium also prints these itself, but in words that change from one version to the next.
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          // oxlint-disable-next-line no-console -- what is printed fails the test
          console.error(`Content security policy: ${event.effectiveDirective} ${event.blockedURI}`);
        });
      });
      await use(allowed);
      expect(
        errors.filter((text) => !allowed.some((pattern) => pattern.test(text))),
        'errors in the browser console',
      ).toEqual([]);
    },
    { auto: true },
  ],

  onlyOwnHost: [
    async ({ context, testServer }, use) => {
      const own = new URL(testServer.url).host;
      const foreign: string[] = [];
      const look = (url: string): void => {
        const { protocol, host } = new URL(url);
        if (/^(https?|wss?):$/.test(protocol) && host !== own) foreign.push(url);
      };
      context.on('request', (request) => look(request.url()));
      context.on('page', (page) => page.on('websocket', (socket) => look(socket.url())));
      await use();
      expect(foreign, 'requests to other hosts').toEqual([]);
    },
    { auto: true },
  ],

  admin: async ({ testServer }, use) => {
    const response = await fetch(`${testServer.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ADMIN.email, password: ADMIN.password }),
    });
    const { data } = (await response.json()) as { data: { token: string; user: { id: string } } };
    await use({ ...ADMIN, token: data.token, id: data.user.id });
  },

  registerUser: async ({ testServer }, use) => {
    await use(async (name = 'Budi Santoso') => {
      lastUserNumber += 1;
      const email = `warga-${process.pid}-${lastUserNumber}@contoh.id`;
      const password = 'kata-sandi-warga';
      const response = await fetch(`${testServer.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, email, password, password_confirmation: password }),
      });
      const { data } = (await response.json()) as { data: { token: string; user: { id: string } } };
      return { name, email, password, token: data.token, id: data.user.id };
    });
  },

  user: async ({ registerUser }, use) => use(await registerUser()),

  openAs: async ({ testServer }, use) => {
    await use(async (page, user, path) => {
      const response = await fetch(`${testServer.url}/api/auth/user`, {
        headers: { authorization: `Bearer ${user.token}` },
      });
      const { data } = (await response.json()) as { data: unknown };
      // Any address of ours will do to reach the storage; this one loads no page.
      await page.goto('/healthz');
      await page.evaluate(
        ([token, storedUser]) => {
          localStorage.setItem('token', token ?? '');
          localStorage.setItem('user', storedUser ?? '');
        },
        [user.token, JSON.stringify(data)],
      );
      await page.goto(path);
    });
  },
});

export { expect };

/** One REST call with the session of a user; for what a test needs but does not test. */
export async function callAs<T>(
  testServer: TestServer,
  user: TestUser,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${testServer.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${user.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
