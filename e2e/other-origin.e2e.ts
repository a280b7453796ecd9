import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test as base, type Page } from '@playwright/test';
import type { io as connect } from 'socket.io-client';
import type { ServerToClientEvents } from '#shared/events.ts';
import { buildPng } from './images.ts';
import { ADMIN, startTestServer, type TestServer } from './test-server.ts';

/** A page of another origin is a client of its own: it knows the address of the API and nothing of our files. */

declare global {
  var io: typeof connect;
}

type OtherOrigins = {
  /** The server, whose CORS_ORIGIN names the first of the two origins. */
  testServer: TestServer;
  named: string;
  notNamed: string;
};

const CLIENT_LIBRARY = readFileSync('node_modules/socket.io-client/dist/socket.io.min.js');

/** Serves an empty page with the library of the sockets at a port of its own. */
async function servePage(): Promise<{ origin: string; close: () => void }> {
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/socket.io.js';
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html');
    response.end(
      isLibrary
        ? CLIENT_LIBRARY
        : '<!doctype html><link rel="icon" href="data:,"><script src="/socket.io.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    // Another host than that of the server, so that it is another site too.
    origin: `http://localhost:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const test = base.extend<object, { origins: OtherOrigins }>({
  origins: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const [named, notNamed] = [await servePage(), await servePage()];
      const testServer = await startTestServer({ CORS_ORIGIN: `https://lain.example,${named.origin}` });
      await use({ testServer, named: named.origin, notNamed: notNamed.origin });
      await testServer.close();
      named.close();
      notNamed.close();
    },
    { scope: 'worker' },
  ],
});

type Call = { method: string; url: string; token?: string | undefined; body?: unknown };
type Answer = { status: number; body: { success: boolean; message: string; data: never }; requestId: string | null };

/** One call of the page, as its script makes it. @returns null when the browser hands over no answer */
const call = (page: Page, options: Call): Promise<Answer | null> =>
  page.evaluate(async ({ method, url, token, body }) => {
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as Answer['body'];
      return { status: response.status, body: answer, requestId: response.headers.get('x-request-id') };
    } catch {
      return null;
    }
  }, options);

const signIn = async (page: Page, api: string): Promise<string> => {
  const answer = await call(page, {
    method: 'POST',
    url: `${api}/auth/login`,
    body: { email: ADMIN.email, password: ADMIN.password },
  });
  return (answer?.body.data as { token: string } | undefined)?.token ?? '';
};

/** @returns whether the browser shows the picture; `mode` asks for its pixels too */
const showsPicture = (page: Page, url: string, mode: 'shown' | 'read'): Promise<boolean> =>
  page.evaluate(
    async ([source, crossOrigin]) => {
      const image = new Image();
      if (crossOrigin) image.crossOrigin = 'anonymous';
      image.src = source;
      return image.decode().then(
        () => image.naturalWidth > 0,
        () => false,
      );
    },
    [url, mode === 'read'] as const,
  );

test('a page of an origin that CORS_ORIGIN names signs in, writes, uploads a proof and shows it', async ({
  page,
  context,
  origins: { testServer, named, notNamed },
}) => {
  const api = `${testServer.url}/api`;
  await page.goto(named);
  const email = `warga-${process.pid}@contoh.id`;
  const password = 'kata-sandi-warga';
  const registration = await call(page, {
    method: 'POST',
    url: `${api}/auth/register`,
    body: { name: 'Siti Aminah', email, password, password_confirmation: password },
  });
  expect(registration).toMatchObject({ status: 201, body: { success: true } });
  const { token } = registration?.body.data ?? { token: '' };
  expect(await call(page, { method: 'GET', url: `${api}/auth/user`, token })).toMatchObject({
    status: 200,
    body: { data: { email } },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });

  const created = await page.evaluate(
    async ([url, bearer, base64]) => {
      const form = new FormData();
      const fields = {
        name: 'Siti Aminah',
        address: 'Jl. Melati 1',
        spt_number: 'SPT-LAIN',
        amount: '150000',
        status: 'proses',
      };
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
      form.append('payment_proof', new Blob([bytes], { type: 'image/png' }), 'bukti.png');
      const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${bearer}` }, body: form });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    },
    [`${api}/tax-records`, token, buildPng(40, 30).toString('base64')] as const,
  );
  expect(created).toMatchObject({ status: 201, body: { data: { spt_number: 'SPT-LAIN' } } });
  const record: { id: string; payment_proof: string } = created.body.data;
  expect(await showsPicture(page, testServer.url + record.payment_proof, 'shown')).toBe(true);
  expect(await showsPicture(page, testServer.url + record.payment_proof, 'read')).toBe(true);
  const otherPage = await context.newPage();
  await otherPage.goto(notNamed);
  expect(await showsPicture(otherPage, testServer.url + record.payment_proof, 'read')).toBe(false);

  const url = `${api}/tax-records/${record.id}`;
  expect(await call(page, { method: 'PUT', url, token, body: { notes: 'Dari laman lain' } })).toMatchObject({
    status: 200,
    body: { data: { notes: 'Dari laman lain' } },
  });
  expect(await call(page, { method: 'DELETE', url, token })).toMatchObject({ status: 200 });
  // Errors too can be read, and say why.
  expect(await call(page, { method: 'GET', url, token })).toMatchObject({
    status: 404,
    body: { success: false, message: 'Data PBB tidak ditemukan' },
  });
  expect(await call(page, { method: 'GET', url })).toMatchObject({ status: 401, body: { success: false } });
});

test('a page of an origin that CORS_ORIGIN names chats over the socket, by polling and by WebSocket', async ({
  page,
  origins: { testServer, named },
}) => {
  const api = `${testServer.url}/api`;
  await page.goto(named);
  const admin = await signIn(page, api);
  const password = 'kata-sandi-warga';
  const registration = await call(page, {
    method: 'POST',
    url: `${api}/auth/register`,
    body: { name: 'Budi', email: `budi-${process.pid}@contoh.id`, password, password_confirmation: password },
  });
  const user: { token: string; user: { id: string } } = registration?.body.data ?? { token: '', user: { id: '' } };
  for (const transport of ['polling', 'websocket'] as const) {
    const received = page.evaluate(
      ([address, token, name]) =>
        new Promise<string>((resolve) => {
          const socket = globalThis.io(`${address}/chat`, { auth: { token }, transports: [name], forceNew: true });
          socket.on('connect', () => document.body.append(`tersambung ${name}`));
          socket.on('connect_error', (error: Error) => resolve(`refused: ${error.message}`));
          socket.on('message:new', (message: Parameters<ServerToClientEvents['message:new']>[0]) => {
            socket.close();
            resolve(message.content);
          });
        }),
      [testServer.url, user.token, transport] as const,
    );
    await Promise.race([received, expect(page.getByText(`tersambung ${transport}`)).toBeVisible()]);
    const content = `Selamat pagi lewat ${transport}`;
    const sent = await call(page, {
      method: 'POST',
      url: `${api}/messages/send`,
      token: admin,
      body: { to_user_id: user.user.id, content, client_id: crypto.randomUUID() },
    });
    expect(sent?.status).toBe(201);
    expect(await received).toBe(content);
  }
});

test('a page of an origin that CORS_ORIGIN does not name gets nothing', async ({
  page,
  origins: { testServer, named, notNamed },
}) => {
  const api = `${testServer.url}/api`;
  await page.goto(named);
  const token = await signIn(page, api);
  expect(token).not.toBe('');
  await page.goto(notNamed);
  expect(await signIn(page, api)).toBe('');
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const body = method === 'GET' ? undefined : { name: 'Orang lain' };
    expect(await call(page, { method, url: `${api}/auth/user`, token, body }), method).toBeNull();
  }
  const refused = await page.evaluate(
    ([address, bearer]) =>
      Promise.all(
        ['polling', 'websocket'].map(
          (name) =>
            new Promise<boolean>((resolve) => {
              const options = { auth: { token: bearer }, transports: [name], reconnection: false, forceNew: true };
              const socket = globalThis.io(`${address}/chat`, options);
              socket.on('connect', () => resolve(false));
              socket.on('connect_error', () => resolve(true));
            }),
        ),
      ),
    [testServer.url, token] as const,
  );
  expect(refused).toEqual([true, true]);
});
