import type { BrowserContext, Page } from '@playwright/test';
import { callAs, expect, type Resident } from './fixtures.ts';
import type { Office } from './office.ts';
import { bubble, listPane, lookAway, lookBack, openChat, row, test, texts, toast, write } from './people.ts';
import { addRecord, house } from './records.ts';

type Told = { title: string; body: string };

/** Puts what the operating system would show and play where a test can read it. */
async function listen(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const told: Told[] = [];
    class Recorder extends EventTarget {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor(title: string, { body = '' }: { body?: string } = {}) {
        super();
        told.push({ title, body });
      }
      close(): void {}
    }
    let tones = 0;
    const start = Reflect.get(OscillatorNode.prototype, 'start');
    OscillatorNode.prototype.start = function (this: OscillatorNode, ...args: [number?]) {
      tones += 1;
      start.apply(this, args);
    };
    Object.assign(window, { Notification: Recorder, readTold: () => ({ told, tones }) });
    // An empty page before the first one has no storage.
    if (location.protocol === 'about:') return;
    localStorage.setItem(
      'admin_settings',
      JSON.stringify({ notifications: true, desktopNotifications: true, chatSound: true }),
    );
  });
}
const heard = (page: Page): Promise<{ told: Told[]; tones: number }> =>
  page.evaluate(() => (window as unknown as { readTold: () => { told: Told[]; tones: number } }).readTold());

test('a message is told once: on the desktop, by three tones, in the title; and gone when it is read', async ({
  office,
  admin,
  newResident,
  visit,
}) => {
  const resident = await newResident('Yusuf Maulana');
  const desk = await visit(admin, '/admin/dashboard', { prepare: listen });
  const second = await desk.context().newPage();
  await second.goto('/admin/users');
  await desk.bringToFront();
  // The first click unlocks the sound.
  for (const page of [second, desk]) {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('heading', { level: 1 }).click();
    await lookAway(page);
  }
  const title = await desk.title();
  const long = 'Selamat pagi, saya sudah bayar PBB tahun ini tetapi tercatat belum lunas';
  await write(office, resident, admin, long);
  const all = async () => {
    const [one, other] = [await heard(desk), await heard(second)];
    return { told: [...one.told, ...other.told], tones: one.tones + other.tones };
  };
  await expect.poll(async () => (await all()).told.length).toBe(1);
  expect((await all()).told).toEqual([{ title: 'Pesan baru dari Yusuf Maulana', body: `${long.slice(0, 50)}…` }]);
  await expect.poll(async () => (await all()).tones).toBe(3);
  await expect(desk).not.toHaveTitle(title);
  await lookBack(desk);
  await expect(desk).toHaveTitle(title);
  expect((await all()).told).toHaveLength(1);
});

/** Residents with a message each, straight into the database: five thousand registrations would take an hour. */
function addConversations(office: Office, count: number): void {
  office.withDatabase((database) => {
    database.transaction(() => {
      const user = database.prepare(
        "insert into users (id, name, email, password_hash, created_at, updated_at) values (?, ?, ?, '-', 1, 1)",
      );
      const message = database.prepare(
        `insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal, created_at)
         values (@id, @id, @name, 0, 'Selamat pagi', 1, @at)`,
      );
      const advance = database.prepare(
        'update conversations set last_message_id = ?, user_ordinal = 1, unanswered_since = ? where user_id = ?',
      );
      for (let number = 1; number <= count; number += 1) {
        const id = `bench-${number}`;
        const name = `Warga ${number}`;
        const at = Date.now() - (count - number) * 1000;
        user.run(id, name, `${id}@contoh.id`);
        advance.run(message.run({ id, name, at }).lastInsertRowid, at, id);
      }
    })();
  });
}

test('five thousand conversations scroll, and a message that comes in reads no list again', async ({
  office,
  admin,
  newResident,
  visit,
}) => {
  addConversations(office, 5000);
  const resident = await newResident('Zainal Terbaru');
  const desk = await visit(admin, '/admin/chat');
  await expect(desk.getByText(/^[\d.]+ pengguna terdaftar$/)).toBeVisible();
  const rows = listPane(desk).locator('[data-user-id]');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(100);
  await listPane(desk).hover();
  for (let turn = 0; turn < 40; turn += 1) await desk.mouse.wheel(0, 4000);
  await expect.poll(() => rows.first().getAttribute('data-user-id')).not.toBe('bench-5000');
  expect(await rows.count()).toBeLessThan(100);

  const calls: string[] = [];
  desk.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/api/messages/conversations') calls.push(pathname);
  });
  for (let turn = 0; turn < 60; turn += 1) await desk.mouse.wheel(0, -4000);
  await expect(rows.first()).toHaveAttribute('data-user-id', 'bench-5000');
  const before = calls.length;
  await write(office, resident, admin, 'Saya baru di sini');
  await expect(row(desk, resident)).toContainText('Saya baru di sini');
  await expect(rows.first()).toHaveAttribute('data-user-id', resident.id);
  expect(calls.length).toBe(before);
});

for (const zoom of [0.9, 1.25]) {
  test(`at ${zoom * 100} % a conversation stays at its end, and what is read above stays in place`, async ({
    office,
    admin,
    newResident,
    visit,
  }) => {
    const resident = await newResident('Hendra Gunawan');
    for (let number = 1; number <= 120; number += 1) await write(office, resident, admin, `Baris nomor ${number};`);
    const desk = await visit(admin, '/admin/chat', { zoom });
    await openChat(desk, resident);
    const log = desk.getByRole('log');
    await expect(bubble(desk, 'Baris nomor 120;')).toBeInViewport();
    await write(office, resident, admin, 'Masih di bawah');
    await expect(bubble(desk, 'Masih di bawah')).toBeInViewport();
    const rest = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    expect(await rest()).toBeLessThanOrEqual(1);

    // Above the first page: older messages are put on top of what is being read.
    const shown = await texts(desk).count();
    await log.evaluate((box) => (box.scrollTop = 300));
    const top = (text: string) => bubble(desk, text).evaluate((item) => item.getBoundingClientRect().top);
    const anchor = await log.evaluate((box) => {
      const edge = box.getBoundingClientRect().top;
      const items = [...box.querySelectorAll('[data-item]')];
      return items.find((item) => item.getBoundingClientRect().top > edge)?.querySelector('[dir="auto"]')?.textContent;
    });
    if (!anchor) throw new Error('nothing is in view');
    const before = await top(anchor);
    await log.evaluate((box) => (box.scrollTop -= 200));
    await expect.poll(() => texts(desk).count()).toBeGreaterThan(shown);
    await expect.poll(async () => Math.abs((await top(anchor)) - before - 200)).toBeLessThanOrEqual(1.5);
    await write(office, resident, admin, 'Datang sementara dibaca');
    await expect(desk.getByRole('button', { name: /^Ke bawah, 1 pesan baru/ })).toBeVisible();
    expect(Math.abs((await top(anchor)) - before - 200)).toBeLessThanOrEqual(1.5);
  });
}

/** The word on the page, not the choices of a filter. */
const status = (page: Page, word: string) =>
  page.getByRole('main').getByText(word, { exact: true }).filter({ visible: true }).first();

test('what the office does to a record shows at its owner at once, with a word, and at nobody else', async ({
  office,
  admin,
  newResident,
  visit,
  quietConsole,
}) => {
  // The open detail asks for what is no longer there.
  quietConsole.push(/status of 404/);
  const [resident, neighbour]: Resident[] = [await newResident('Rahmat Pemilik'), await newResident('Tini Tetangga')];
  if (!resident || !neighbour) throw new Error('nobody registered');
  const { id } = await addRecord(office, resident, house);
  const list = await visit(resident, '/tax-records');
  const detail = await list.context().newPage();
  await detail.goto(`/tax-records/${id}`);
  const other = await visit(neighbour, '/tax-records');
  await expect(status(list, 'Belum Lunas')).toBeVisible();
  await expect(status(detail, 'Belum Lunas')).toBeVisible();
  await expect(other.getByText('Tidak ada data PBB')).toBeVisible();
  const news = 'Data PBB Anda baru saja diperbarui';
  await callAs(office, admin, 'PUT', `/admin/tax-records/${id}`, { status: 'lunas', payment_date: '2025-08-14' });
  await expect(toast(list, news)).toBeVisible();
  await expect(status(list, 'Lunas')).toBeVisible();
  await expect(status(detail, 'Lunas')).toBeVisible();
  await callAs(office, admin, 'DELETE', `/admin/tax-records/${id}`);
  await expect(list.getByText('Tidak ada data PBB')).toBeVisible();
  await expect(detail.getByRole('heading', { name: 'Data PBB Tidak Ditemukan' })).toBeVisible();
  await expect(toast(other, news)).toHaveCount(0);
});
