import type { BrowserContext, Page, Route } from '@playwright/test';
import { callAs, expect, type TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';
import {
  bubble,
  conversationList,
  blurWindow,
  focusWindow,
  openConversation,
  conversationRow,
  test,
  messageTexts,
  toast,
  sendMessageByApi,
  whenConnected,
} from './chat-page.ts';
import { addMessages } from './chat-data.ts';
import { addRecord, homeRecord } from './records.ts';

type DesktopNotification = { title: string; body: string };

/** Puts what the operating system would show and play where a test can read it. */
async function recordNotifications(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const notifications: DesktopNotification[] = [];
    class NotificationRecorder extends EventTarget {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor(title: string, { body = '' }: { body?: string } = {}) {
        super();
        notifications.push({ title, body });
      }
      close(): void {}
    }
    let toneCount = 0;
    const start = Reflect.get(OscillatorNode.prototype, 'start');
    OscillatorNode.prototype.start = function (this: OscillatorNode, ...args: [number?]) {
      toneCount += 1;
      start.apply(this, args);
    };
    Object.assign(window, {
      Notification: NotificationRecorder,
      readRecorded: () => ({ shown: notifications, tones: toneCount }),
    });
    // An empty page before the first one has no storage.
    if (location.protocol === 'about:') return;
    localStorage.setItem(
      'admin_settings',
      JSON.stringify({ notifications: true, desktopNotifications: true, chatSound: true }),
    );
  });
}
const readNotifications = (page: Page): Promise<{ shown: DesktopNotification[]; tones: number }> =>
  page.evaluate(() =>
    (window as unknown as { readRecorded: () => { shown: DesktopNotification[]; tones: number } }).readRecorded(),
  );

test('a message causes one desktop notification, three tones and a title change, which ends when it is read', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Yusuf Maulana');
  const adminPage = await openInNewContext(admin, '/admin/dashboard', {
    prepare: recordNotifications,
    untilConnected: true,
  });
  const second = await adminPage.context().newPage();
  await Promise.all([whenConnected(second), second.goto('/admin/users')]);
  await adminPage.bringToFront();
  // The first click unlocks the sound.
  for (const page of [second, adminPage]) {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('heading', { level: 1 }).click();
    await blurWindow(page);
  }
  const title = await adminPage.title();
  const long = 'Selamat pagi, saya sudah bayar PBB tahun ini tetapi tercatat belum lunas';
  await sendMessageByApi(testServer, user, admin, long);
  const readBothTabs = async () => {
    const [one, other] = [await readNotifications(adminPage), await readNotifications(second)];
    return { shown: [...one.shown, ...other.shown], tones: one.tones + other.tones };
  };
  await expect.poll(async () => (await readBothTabs()).shown.length).toBe(1);
  expect((await readBothTabs()).shown).toEqual([
    { title: 'Pesan baru dari Yusuf Maulana', body: `${long.slice(0, 50)}…` },
  ]);
  await expect.poll(async () => (await readBothTabs()).tones).toBe(3);
  await expect(adminPage).not.toHaveTitle(title);
  await focusWindow(adminPage);
  await expect(adminPage).toHaveTitle(title);
  expect((await readBothTabs()).shown).toHaveLength(1);
});

/** Inserts users with one message each into the database: five thousand registrations would take an hour. */
function addConversations(testServer: TestServer, count: number): void {
  testServer.withDatabase((database) => {
    const insertAll = database.transaction(() => {
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
    });
    // A search index is read when its statement is prepared. A transaction that began by reading waits for no other writer.
    insertAll.immediate();
  });
}

test('the inbox scrolls through five thousand conversations, and a new message does not load the list again', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  addConversations(testServer, 5000);
  const user = await registerUser('Zainal Terbaru');
  const adminPage = await openInNewContext(admin, '/admin/chat');
  await expect(adminPage.getByText(/^[\d.]+ pengguna terdaftar$/)).toBeVisible();
  const rows = conversationList(adminPage).locator('[data-user-id]');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(100);
  await conversationList(adminPage).hover();
  for (let turn = 0; turn < 40; turn += 1) await adminPage.mouse.wheel(0, 4000);
  await expect.poll(() => rows.first().getAttribute('data-user-id')).not.toBe('bench-5000');
  expect(await rows.count()).toBeLessThan(100);

  const calls: string[] = [];
  adminPage.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // The numbers of the filters and a single conversation are asked for with one row.
    if (pathname === '/api/messages/conversations' && searchParams.get('limit') !== '1') calls.push(pathname);
  });
  for (let turn = 0; turn < 60; turn += 1) await adminPage.mouse.wheel(0, -4000);
  await expect(rows.first()).toHaveAttribute('data-user-id', 'bench-5000');
  const before = calls.length;
  // Under the pointer the list would hold its order.
  await adminPage.getByText('Pilih user untuk chat').hover();
  await sendMessageByApi(testServer, user, admin, 'Saya baru di sini');
  await expect(conversationRow(adminPage, user)).toContainText('Saya baru di sini');
  await expect(rows.first()).toHaveAttribute('data-user-id', user.id);
  expect(calls.length).toBe(before);
});

test('a press opens the row at which it was aimed, although messages of others arrive', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const users: TestUser[] = [];
  for (const name of ['Ayu', 'Bayu', 'Cici', 'Dedi', 'Edi']) users.push(await registerUser(name));
  for (const user of users) await sendMessageByApi(testServer, user, admin, 'Selamat pagi');
  const [oldest, , wanted, , newest] = users;
  if (!oldest || !wanted || !newest) throw new Error('too few users');
  const adminPage = await openInNewContext(admin, '/admin/chat');
  const row = conversationRow(adminPage, wanted);
  await row.hover();
  const before = await row.boundingBox();
  await sendMessageByApi(testServer, oldest, admin, 'Permisi, Bu');
  await expect(conversationRow(adminPage, oldest)).toContainText('Permisi, Bu');
  await adminPage.mouse.down();
  await sendMessageByApi(testServer, await registerUser('Fitri'), admin, 'Saya warga baru');
  await expect(adminPage.getByRole('button', { name: '2 percakapan terbaru' })).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
  await adminPage.mouse.up();
  await expect(adminPage.getByRole('heading', { name: wanted.name })).toBeVisible();
  await adminPage.getByRole('button', { name: '2 percakapan terbaru' }).click();
  await expect(conversationList(adminPage).locator('[data-user-id]').nth(1)).toHaveAttribute('data-user-id', oldest.id);
});

for (const zoom of [0.9, 1.25]) {
  test(`at ${zoom * 100} % a conversation stays at its end, and what is read above stays in place`, async ({
    testServer,
    admin,
    registerUser,
    openInNewContext,
  }) => {
    const user = await registerUser('Hendra Gunawan');
    addMessages(testServer, user, 120);
    const adminPage = await openInNewContext(admin, '/admin/chat', { zoom });
    await openConversation(adminPage, user);
    const log = adminPage.getByRole('log');
    await expect(bubble(adminPage, 'Nomor 120;')).toBeInViewport();
    await sendMessageByApi(testServer, user, admin, 'Masih di bawah');
    await expect(bubble(adminPage, 'Masih di bawah')).toBeInViewport();
    const distanceToEnd = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(distanceToEnd).toBeLessThanOrEqual(1);

    // Above the first page: older messages are put on top of what is being read.
    const shown = await messageTexts(adminPage).count();
    // A script can scroll between two frames, where a redraw of the page still holds it at the end; a hand cannot.
    await expect(async () => {
      await log.evaluate((box) => (box.scrollTop = 300));
      await expect(adminPage.getByRole('button', { name: /^Ke bawah/ })).toBeVisible({ timeout: 1000 });
    }).toPass();
    const top = (text: string) => bubble(adminPage, text).evaluate((item) => item.getBoundingClientRect().bottom);
    const anchor = await log.evaluate((box) => {
      const edge = box.getBoundingClientRect().top;
      const items = [...box.querySelectorAll('[data-item]')];
      return items.find((item) => item.getBoundingClientRect().top > edge)?.querySelector('[dir="auto"]')?.textContent;
    });
    if (!anchor) throw new Error('nothing is in view');
    const before = await top(anchor);
    await log.evaluate((box) => (box.scrollTop -= 200));
    await expect.poll(() => messageTexts(adminPage).count()).toBeGreaterThan(shown);
    await expect.poll(async () => Math.abs((await top(anchor)) - before - 200)).toBeLessThanOrEqual(1.5);
    await sendMessageByApi(testServer, user, admin, 'Datang sementara dibaca');
    await expect(adminPage.getByRole('button', { name: /^Ke bawah, 1 pesan baru/ })).toBeVisible();
    expect(Math.abs((await top(anchor)) - before - 200)).toBeLessThanOrEqual(1.5);
  });
}

/** The distance of a message's text from the upper edge of the log; without a text, of the first message in view. */
const placeInLog = (page: Page, wanted?: string) =>
  page.getByRole('log').evaluate((box, text) => {
    const topOf = (element: Element) => element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    const items = [...box.querySelectorAll('[dir="auto"]')];
    const item = items.find((element) => (text === undefined ? topOf(element) >= 0 : element.textContent === text));
    if (!item) throw new Error(`no message ${text ?? ''}`);
    return { text: item.textContent, top: topOf(item) };
  }, wanted);

test('older messages of one day come above what is read, one page each time the top is reached, and move nothing', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
  openPhoneChat,
}) => {
  const user = await registerUser('Ningsih Rahayu');
  addMessages(testServer, user, 400);
  const phone = await openPhoneChat(user);
  const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
  for (const page of [adminPage, phone]) {
    const log = page.getByRole('log');
    await expect(bubble(page, 'Nomor 400;')).toBeInViewport();
    const held: Route[] = [];
    let pageCount = 0;
    await page.route(/[?&]before=/, (route) => {
      pageCount += 1;
      held.push(route);
    });
    for (let reached = 1; reached <= 4; reached += 1) {
      // A browser that scrolls smoothly stops where the request for older messages changes the page: the key is pressed again.
      await expect(async () => {
        await log.press('Home');
        expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
      }).toPass();
      await expect.poll(() => held.length).toBe(1);
      const before = await placeInLog(page);
      await held.pop()?.continue();
      await expect.poll(() => log.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
      const after = await placeInLog(page, before.text);
      expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(1);
      expect(pageCount).toBe(reached);
      expect(await messageTexts(page).count()).toBeLessThanOrEqual(150);
    }
    // Back at the end by one key, although the newest messages have left the page meanwhile.
    await log.press('End');
    await expect(bubble(page, 'Nomor 400;')).toBeInViewport();
  }
});

test('older messages come also to who moves down a little while they load, and ends at the top', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Ningsih Rahayu');
  addMessages(testServer, user, 170);
  const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
  await expect(bubble(adminPage, 'Nomor 170;')).toBeInViewport();
  const log = adminPage.getByRole('log');
  const held: Route[] = [];
  await adminPage.route(/[?&]before=/, (route) => void held.push(route));
  const reachTop = () =>
    expect
      .poll(async () => {
        // A redraw may undo what a script scrolls between two frames; a hand goes on scrolling.
        if (held.length === 0) await log.evaluate((box) => (box.scrollTop = 0));
        return held.length;
      })
      .toBe(1);
  await reachTop();
  await held.pop()?.continue();
  await expect(bubble(adminPage, 'Nomor 71;')).toBeAttached();
  await reachTop();
  // The space for the notice goes with it: what was a little below the top is the top then.
  await log.evaluate(
    (box) =>
      new Promise((resolve) => {
        box.addEventListener('scroll', () => requestAnimationFrame(resolve), { once: true });
        box.scrollTop = 20;
      }),
  );
  await held.pop()?.continue();
  await expect(bubble(adminPage, 'Nomor 21;')).toBeAttached();
  await expect.poll(() => log.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
});

test('a quoted message of long ago opens with its surroundings, which grow both ways and move nothing', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Ningsih Rahayu');
  addMessages(testServer, user, 600);
  testServer.withDatabase((database) => {
    const ids = database.prepare('select id from messages where user_id = ? order by id').pluck().all(user.id);
    database.prepare('update messages set reply_to = ? where id = ?').run(ids[199], ids[599]);
  });
  const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
  const log = adminPage.getByRole('log');
  const countUnread = () =>
    testServer.withDatabase((database) =>
      database
        .prepare('select user_ordinal - admin_read_ordinal from conversations where user_id = ?')
        .pluck()
        .get(user.id),
    );
  await expect(bubble(adminPage, 'Nomor 600;')).toBeInViewport();
  // Read before the page leaves the end.
  await expect.poll(countUnread).toBe(0);
  await bubble(adminPage, 'Nomor 600;')
    .getByRole('button', { name: /^Buka pesan yang dikutip/ })
    .click();
  const found = log.locator('[data-found]');
  await expect(found).toContainText('Nomor 200;');
  await expect(found).toBeFocused();
  const offCentre = await log.evaluate((box) => {
    const [outer, inner] = [box.getBoundingClientRect(), box.querySelector('[data-found]')?.getBoundingClientRect()];
    return inner ? Math.abs(inner.top + inner.height / 2 - outer.top - outer.height / 2) : Number.NaN;
  });
  expect(offCentre).toBeLessThanOrEqual(2);

  // A message that comes meanwhile is not read, and does not appear beside messages from long before it either.
  await sendMessageByApi(testServer, user, admin, 'Datang sementara dibaca');
  const toLatest = adminPage.getByRole('button', { name: 'Kembali ke terbaru, 1 pesan baru' });
  await expect(toLatest).toBeVisible();
  await expect(bubble(adminPage, 'Datang sementara dibaca')).toHaveCount(0);

  const held: Route[] = [];
  await adminPage.route(/[?&](before|after)=/, (route) => void held.push(route));
  for (const edge of ['top', 'bottom', 'top', 'bottom', 'bottom'] as const) {
    // At the edge of what is drawn there may be more that is loaded already.
    await expect
      .poll(async () => {
        if (held.length === 0)
          await log.evaluate((box, isTop) => (box.scrollTop = isTop ? 0 : box.scrollHeight), edge === 'top');
        return held.length;
      })
      .toBe(1);
    const count = await messageTexts(adminPage).count();
    const before = await placeInLog(adminPage);
    const first = await messageTexts(adminPage).first().textContent();
    const last = await messageTexts(adminPage).last().textContent();
    await held.pop()?.continue();
    if (edge === 'top') await expect(messageTexts(adminPage).first()).not.toHaveText(first ?? '');
    else await expect(messageTexts(adminPage).last()).not.toHaveText(last ?? '');
    const after = await placeInLog(adminPage, before.text);
    expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(1);
    expect(await messageTexts(adminPage).count()).toBeGreaterThanOrEqual(count);
    expect(await messageTexts(adminPage).count()).toBeLessThanOrEqual(200);
  }
  expect(await countUnread()).toBe(1);
  await adminPage.unroute(/[?&](before|after)=/);
  await toLatest.click();
  await expect(bubble(adminPage, 'Datang sementara dibaca')).toBeInViewport();
  await expect.poll(countUnread).toBe(0);
});

/** The word on the page, not the choices of a filter. */
const status = (page: Page, word: string) =>
  page.getByRole('main').getByText(word, { exact: true }).filter({ visible: true }).first();

test('a change of a record by an admin appears at once, with a message, to its owner and to no other user', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  // The open detail asks for what is no longer there.
  allowedConsoleErrors.push(/status of 404/);
  const [user, otherUser]: TestUser[] = [await registerUser('Rahmat Pemilik'), await registerUser('Tini Tetangga')];
  if (!user || !otherUser) throw new Error('no user was registered');
  const { id } = await addRecord(testServer, user, homeRecord);
  const list = await openInNewContext(user, '/tax-records');
  const detail = await list.context().newPage();
  await detail.goto(`/tax-records/${id}`);
  const other = await openInNewContext(otherUser, '/tax-records');
  await expect(status(list, 'Belum Lunas')).toBeVisible();
  await expect(status(detail, 'Belum Lunas')).toBeVisible();
  await expect(other.getByText('Tidak ada data PBB')).toBeVisible();
  const updatedText = 'Data PBB Anda baru saja diperbarui';
  await callAs(testServer, admin, 'PUT', `/admin/tax-records/${id}`, { status: 'lunas', payment_date: '2025-08-14' });
  await expect(toast(list, updatedText)).toBeVisible();
  await expect(status(list, 'Lunas')).toBeVisible();
  await expect(status(detail, 'Lunas')).toBeVisible();
  await callAs(testServer, admin, 'DELETE', `/admin/tax-records/${id}`);
  await expect(list.getByText('Tidak ada data PBB')).toBeVisible();
  await expect(detail.getByRole('heading', { name: 'Data PBB Tidak Ditemukan' })).toBeVisible();
  await expect(toast(other, updatedText)).toHaveCount(0);
});
