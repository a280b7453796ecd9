import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { callAs, expect, type Resident } from './fixtures.ts';
import type { Office } from './office.ts';
import {
  connection,
  deskField,
  endSessionsOf,
  launcher,
  openChat,
  openWidget,
  panel,
  PHONE,
  residentField,
  row,
  sendAsAdmin,
  sendAsResident,
  storedMessages,
  test,
  texts,
  ticks,
  write,
} from './people.ts';

/** What Chromium itself prints about a line that is gone. */
const LOST_LINE = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_FAILED|WebSocket connection to/;
/** Polling comes every 3 and 5 seconds; a message takes no longer than one round and its answer. */
const POLLED_WITHIN_MS = 6000;
const BACK_ON_SOCKET_WITHIN_MS = 30_000;

const waitingCount = (page: Page) => page.getByRole('log').locator('[data-delivery="waiting"]');

/** A line that a test can cut: the sockets alone, or every call as well. */
function cuttableLine() {
  const open = new Set<WebSocketRoute>();
  let cut: 'nothing' | 'sockets' | 'everything' = 'nothing';
  return {
    openSockets: () => open.size,
    prepare: async (context: BrowserContext): Promise<void> => {
      await context.routeWebSocket(/\/socket\.io\//, (socket) => {
        if (cut !== 'nothing') {
          void socket.close();
          return;
        }
        const server = socket.connectToServer();
        open.add(socket);
        socket.onMessage((message) => server.send(message));
        server.onMessage((message) => socket.send(message));
        socket.onClose(() => {
          open.delete(socket);
          void server.close();
        });
        server.onClose(() => {
          open.delete(socket);
          void socket.close();
        });
      });
      await context.route('**/socket.io/**', (route) => (cut === 'nothing' ? route.continue() : route.abort()));
      await context.route('**/api/**', (route) => (cut === 'everything' ? route.abort() : route.continue()));
    },
    cut: async (what: 'sockets' | 'everything'): Promise<void> => {
      cut = what;
      await Promise.all([...open].map((socket) => socket.close()));
      open.clear();
    },
    mend: (): void => {
      cut = 'nothing';
    },
  };
}

async function logIn(page: Page, person: Resident): Promise<void> {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Masuk (Login)' }).click();
}

/** Both sides show exactly what is stored, in its order. */
async function expectEqualSides(office: Office, resident: Resident, pages: readonly Page[]): Promise<string[]> {
  const stored = storedMessages(office, resident);
  for (const page of pages) {
    await expect(texts(page)).toHaveText(stored);
    await expect(waitingCount(page)).toHaveCount(0);
  }
  return stored;
}

test('what is written offline waits with a clock and goes out once, in order', async ({
  office,
  newResident,
  admin,
  visit,
  quietConsole,
}) => {
  quietConsole.push(LOST_LINE);
  const resident = await newResident();
  const phone = await visit(resident, '/dashboard', { viewport: PHONE });
  await openWidget(phone);
  const desk = await visit(admin, `/admin/chat?user=${resident.id}`);
  await expect(desk.getByText('Mulai percakapan dengan user ini')).toBeVisible();
  await sendAsResident(phone, 'nol');
  await expect(texts(desk)).toHaveText(['nol']);

  await phone.context().setOffline(true);
  await expect(connection(phone)).toContainText('Offline');
  for (const text of ['satu', 'dua', 'tiga']) {
    await sendAsResident(phone, text);
    await expect(ticks(phone, text)).toHaveAttribute('data-delivery', 'waiting');
  }
  await expect(panel(phone).getByText('Koneksi terputus. 3 pesan Anda dikirim begitu koneksi kembali.')).toBeVisible();
  await write(office, admin, resident, 'dari kantor');
  await expect(texts(desk)).toHaveText(['nol', 'dari kantor']);
  expect(storedMessages(office, resident)).toEqual(['nol', 'dari kantor']);

  await phone.context().setOffline(false);
  await expect(connection(phone)).toContainText('Online');
  await expect(texts(desk)).toHaveText(['nol', 'dari kantor', 'satu', 'dua', 'tiga']);
  const stored = await expectEqualSides(office, resident, [phone, desk]);
  expect(stored).toEqual(['nol', 'dari kantor', 'satu', 'dua', 'tiga']);
});

test('what is written without a line survives a reload', async ({
  office,
  newResident,
  admin,
  visit,
  quietConsole,
}) => {
  quietConsole.push(LOST_LINE);
  const resident = await newResident();
  const line = cuttableLine();
  const phone = await visit(resident, '/dashboard', { viewport: PHONE, prepare: line.prepare });
  await openWidget(phone);
  await sendAsResident(phone, 'sebelum');
  await expect(ticks(phone, 'sebelum')).toHaveAttribute('data-delivery', 'stored');

  await line.cut('everything');
  await expect(connection(phone)).toContainText('Offline');
  await sendAsResident(phone, 'satu');
  await sendAsResident(phone, 'dua');
  await expect(waitingCount(phone)).toHaveCount(2);
  await phone.reload();
  await launcher(phone).click();
  await expect(texts(phone)).toHaveText(['satu', 'dua']);
  await expect(waitingCount(phone)).toHaveCount(2);
  expect(storedMessages(office, resident)).toEqual(['sebelum']);

  line.mend();
  await expect(texts(phone)).toHaveText(['sebelum', 'satu', 'dua'], { timeout: 15_000 });
  await expect(waitingCount(phone)).toHaveCount(0, { timeout: 15_000 });
  const desk = await visit(admin, `/admin/chat?user=${resident.id}`);
  expect(await expectEqualSides(office, resident, [phone, desk])).toEqual(['sebelum', 'satu', 'dua']);
});

test('a power cut in the middle of sending loses and doubles nothing', async ({
  office,
  newResident,
  admin,
  visit,
  quietConsole,
}) => {
  test.slow();
  quietConsole.push(LOST_LINE);
  const resident = await newResident('Slamet Riyadi');
  const phone = await visit(resident, '/dashboard', { viewport: PHONE });
  await openWidget(phone);
  const desk = await visit(admin, '/admin/chat');
  await openChat(desk, resident);
  const numbers = Array.from({ length: 24 }, (_, index) => index + 1);
  const [asked, answered] = [numbers.map((number) => `tanya ${number}.`), numbers.map((number) => `jawab ${number}.`)];

  async function writeAll(send: (text: string) => Promise<void>, all: readonly string[]): Promise<void> {
    for (const text of all) await send(text);
  }
  async function cutPower(): Promise<void> {
    await expect.poll(() => storedMessages(office, resident).length, { timeout: 30_000 }).toBeGreaterThan(8);
    await office.stop('SIGKILL');
  }
  await Promise.all([
    writeAll((text) => sendAsResident(phone, text), asked),
    writeAll((text) => sendAsAdmin(desk, text), answered),
    cutPower(),
  ]);
  // It fell while there was still something to send.
  expect(storedMessages(office, resident).length).toBeLessThan(2 * numbers.length);
  await office.start();

  for (const page of [phone, desk]) {
    await expect(texts(page)).toHaveCount(2 * numbers.length, { timeout: 20_000 });
    await expect(waitingCount(page)).toHaveCount(0, { timeout: 20_000 });
  }
  await expect.poll(() => storedMessages(office, resident)).toHaveLength(2 * numbers.length);
  const stored = await expectEqualSides(office, resident, [phone, desk]);
  expect(stored.filter((text) => text.startsWith('tanya'))).toEqual(asked);
  expect(stored.filter((text) => text.startsWith('jawab'))).toEqual(answered);
});

test('with its socket blocked a page polls, and doubles nothing when it is back', async ({
  office,
  newResident,
  admin,
  visit,
  quietConsole,
}) => {
  test.setTimeout(90_000);
  quietConsole.push(LOST_LINE);
  const resident = await newResident();
  const lines = { phone: cuttableLine(), desk: cuttableLine() };
  const phone = await visit(resident, '/dashboard', { viewport: PHONE, prepare: lines.phone.prepare });
  await openWidget(phone);
  const desk = await visit(admin, `/admin/chat?user=${resident.id}`, { prepare: lines.desk.prepare });
  await expect(desk.getByText('Mulai percakapan dengan user ini')).toBeVisible();
  await sendAsResident(phone, 'satu');
  await expect(texts(desk)).toHaveText(['satu']);

  await Promise.all([lines.phone.cut('sockets'), lines.desk.cut('sockets')]);
  await sendAsResident(phone, 'dua');
  await expect(texts(desk)).toHaveText(['satu', 'dua'], { timeout: POLLED_WITHIN_MS });
  await sendAsAdmin(desk, 'tiga');
  await expect(texts(phone)).toHaveText(['satu', 'dua', 'tiga'], { timeout: POLLED_WITHIN_MS });
  await expect(connection(phone)).toContainText('Online');
  expect(lines.phone.openSockets() + lines.desk.openSockets()).toBe(0);

  for (const line of [lines.phone, lines.desk]) line.mend();
  for (const line of [lines.phone, lines.desk]) {
    await expect.poll(line.openSockets, { timeout: BACK_ON_SOCKET_WITHIN_MS }).toBe(1);
  }
  await sendAsResident(phone, 'empat');
  await sendAsAdmin(desk, 'lima');
  await expect(texts(phone)).toHaveText(['satu', 'dua', 'tiga', /empat|lima/, /empat|lima/]);
  await expect(texts(desk)).toHaveCount(5);
  expect(await expectEqualSides(office, resident, [phone, desk])).toHaveLength(5);
});

test('while it is connected nothing polls', async ({ newResident, admin, visit }) => {
  const resident = await newResident();
  const pings: (() => Promise<unknown>)[] = [];
  async function prepare(context: BrowserContext): Promise<void> {
    context.on('page', (page) =>
      page.on('websocket', (socket) => {
        pings.push(() =>
          socket.waitForEvent('framereceived', { predicate: ({ payload }) => payload === '2', timeout: 15_000 }),
        );
      }),
    );
  }
  const phone = await visit(resident, '/dashboard', { viewport: PHONE, prepare });
  await openWidget(phone);
  const desk = await visit(admin, `/admin/chat?user=${resident.id}`, { prepare });
  await expect(desk.getByText('Mulai percakapan dengan user ini')).toBeVisible();
  await sendAsResident(phone, 'Halo');
  await expect(ticks(phone, 'Halo')).toHaveAttribute('data-delivery', 'read');

  const calls: string[] = [];
  for (const page of [phone, desk]) {
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/messages') || pathname.startsWith('/socket.io')) calls.push(pathname);
    });
  }
  expect(pings).toHaveLength(2);
  const startedMs = Date.now();
  // The server's own pings are ten seconds apart: longer than the slowest of the three intervals.
  await Promise.all(pings.map((ping) => ping()));
  await Promise.all(pings.map((ping) => ping()));
  expect(Date.now() - startedMs).toBeGreaterThan(10_000);
  expect(calls).toEqual([]);

  await sendAsAdmin(desk, 'Ya?');
  await expect(texts(phone)).toHaveText(['Halo', 'Ya?']);
  expect(calls).toContain('/api/messages/send');
});

test.describe('when the session is over', () => {
  test('the way leads to the login, and the draft is kept', async ({ office, newResident, visit, quietConsole }) => {
    quietConsole.push(/status of 401/);
    const resident = await newResident();
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    await openWidget(phone);
    await residentField(phone).fill('Draf yang panjang sekali');
    // The typing's own end, a few seconds later, is the next thing that asks about the session.
    endSessionsOf(office, resident);
    await expect(phone).toHaveURL('/login');
    await logIn(phone, resident);
    await phone.waitForURL('/dashboard');
    await openWidget(phone);
    await expect(residentField(phone)).toHaveValue('Draf yang panjang sekali');
    expect(storedMessages(office, resident)).toEqual([]);
  });

  test('what was sent into it goes out once after the next login', async ({
    office,
    newResident,
    visit,
    quietConsole,
  }) => {
    quietConsole.push(/status of 401/);
    const resident = await newResident();
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    await openWidget(phone);
    // Ended while the message is on its way: a moment earlier the page would have gone to the login by itself.
    await phone.route(
      '**/api/messages/send',
      async (route) => {
        endSessionsOf(office, resident);
        await route.continue();
      },
      { times: 1 },
    );
    await residentField(phone).fill('Jangan hilang');
    await residentField(phone).press('Enter');
    await expect(phone).toHaveURL('/login');
    expect(storedMessages(office, resident)).toEqual([]);
    await logIn(phone, resident);
    await phone.waitForURL('/dashboard');
    await openWidget(phone);
    await expect(ticks(phone, 'Jangan hilang')).toHaveAttribute('data-delivery', 'stored');
    await expect(texts(phone)).toHaveText(['Jangan hilang']);
    expect(storedMessages(office, resident)).toEqual(['Jangan hilang']);
  });

  test('of a colleague who was deactivated, their desk is gone at once', async ({
    office,
    newColleague,
    newResident,
    admin,
    visit,
    quietConsole,
  }) => {
    quietConsole.push(/status of 401/);
    const resident = await newResident();
    const colleague = await newColleague('Pak Budi');
    const desk = await visit(colleague, '/admin/chat');
    await openChat(desk, resident);
    await deskField(desk).fill('Setengah jadi');
    await callAs(office, admin, 'PUT', `/admin/users/${colleague.id}/toggle-status`);
    await expect(desk).toHaveURL('/login');
    await expect(row(desk, resident)).toHaveCount(0);
  });
});
