import type { Locator, Page } from '@playwright/test';
import { callAs, expect, type TestUser } from './fixtures.ts';
import { blurWindow, conversationList, conversationRow, focusWindow, sendMessageByApi, test } from './chat-page.ts';

const WIDE = { width: 1920, height: 1000 };
const NARROW = { width: 1200, height: 900 };

const column = (page: Page, user: TestUser): Locator =>
  page.getByRole('region', { name: `Percakapan dengan ${user.name}` });
const field = (page: Page, user: TestUser): Locator => column(page, user).getByPlaceholder('Tulis pesan...');
const openColumns = (page: Page): Locator => page.getByRole('region', { name: /^Percakapan dengan/ });

const unreadCount = async (
  testServer: Parameters<typeof sendMessageByApi>[0],
  admin: TestUser,
  user: TestUser,
): Promise<number> => {
  const rows = (await callAs(testServer, admin, 'GET', '/messages/conversations?all=1&limit=100')) as {
    data: { other_user: { id: string }; unread_count: number }[];
  };
  return rows.data.find(({ other_user }) => other_user.id === user.id)?.unread_count ?? -1;
};

test('answers four users side by side by mouse and keyboard, each with a draft that a reload keeps', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const users: TestUser[] = [];
  for (const name of ['Ani Satu', 'Budi Dua', 'Citra Tiga', 'Dewi Empat']) users.push(await registerUser(name));
  const [first, second, third, fourth] = users as [TestUser, TestUser, TestUser, TestUser];
  for (const user of users) await sendMessageByApi(testServer, user, admin, `Selamat pagi dari ${user.name}`);
  const page = await openInNewContext(admin, '/admin/chat', { viewport: WIDE });

  await conversationRow(page, first).click();
  await expect(field(page, first)).toBeFocused();
  // With one conversation everything is as ever.
  await expect(page.getByRole('button', { name: 'Kembali (Back)' })).toBeVisible();
  for (const user of [second, third, fourth]) {
    await conversationRow(page, user).focus();
    await page.keyboard.press('Control+Enter');
    await expect(field(page, user)).toBeFocused();
  }
  await expect(openColumns(page)).toHaveCount(4);
  await page.keyboard.type('draf empat');
  await page.keyboard.press('Alt+2');
  await expect(field(page, second)).toBeFocused();
  await page.keyboard.type('draf dua');
  await page.keyboard.press('Control+1');
  await expect(field(page, first)).toBeFocused();
  await page.keyboard.type('Selamat pagi juga, Ani');
  await page.keyboard.press('Enter');
  await expect(column(page, first).getByRole('log').getByText('Selamat pagi juga, Ani')).toBeVisible();
  await expect(column(page, second).getByText('Selamat pagi juga, Ani')).toHaveCount(0);

  await page.reload();
  await expect(openColumns(page)).toHaveCount(4);
  await expect(field(page, second)).toHaveValue('draf dua');
  await expect(field(page, fourth)).toHaveValue('draf empat');
  await expect(field(page, first)).toHaveValue('');

  await page.getByRole('button', { name: `Tutup percakapan dengan ${third.name}` }).click();
  await expect(openColumns(page)).toHaveCount(3);
  await page.goBack();
  await expect(openColumns(page)).toHaveCount(4);
  await page.getByRole('button', { name: `Hanya tampilkan percakapan dengan ${fourth.name}` }).click();
  await expect(openColumns(page)).toHaveCount(1);
  await expect(field(page, fourth)).toHaveValue('draf empat');
  await page.keyboard.press('Escape');
  await expect(openColumns(page)).toHaveCount(0);
  await expect(conversationList(page)).toBeVisible();
});

test('leaves a message in a column without the focus unread until the focus comes', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const one = await registerUser('Eka Dibaca');
  const other = await registerUser('Fajar Menunggu');
  for (const user of [one, other]) await sendMessageByApi(testServer, user, admin, 'Permisi');
  const page = await openInNewContext(admin, `/admin/chat?user=${one.id}&beside=${other.id}`, { viewport: WIDE });
  await expect(openColumns(page)).toHaveCount(2);
  await focusWindow(page);
  await field(page, one).click();
  await expect.poll(() => unreadCount(testServer, admin, one)).toBe(0);
  await sendMessageByApi(testServer, other, admin, 'Ada orang?');
  await expect(column(page, other).getByRole('log').getByText('Ada orang?')).toBeVisible();
  // A message that comes later is marked as seen, so the one before it had its chance.
  await sendMessageByApi(testServer, one, admin, 'Masih di sini');
  await expect.poll(() => unreadCount(testServer, admin, one)).toBe(0);
  expect(await unreadCount(testServer, admin, other)).toBe(2);
  await page.keyboard.press('Alt+2');
  await expect.poll(() => unreadCount(testServer, admin, other)).toBe(0);
});

test('shows tabs below 1,400 px, with a mark at what is unread', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const one = await registerUser('Gita Tab');
  const other = await registerUser('Hadi Tab');
  for (const user of [one, other]) await sendMessageByApi(testServer, user, admin, 'Permisi');
  const page = await openInNewContext(admin, `/admin/chat?user=${one.id}&beside=${other.id}`, { viewport: NARROW });
  await expect(openColumns(page)).toHaveCount(1);
  const tab = (user: TestUser) => page.getByRole('tab', { name: new RegExp(`^${user.name}`) });
  await expect(tab(one)).toHaveAttribute('aria-selected', 'true');
  await expect(tab(other)).toContainText('1 pesan belum dibaca');
  await focusWindow(page);
  await tab(other).click();
  await expect(column(page, other)).toBeVisible();
  await expect(tab(other)).not.toContainText('belum dibaca');
  await page.setViewportSize(WIDE);
  await expect(openColumns(page)).toHaveCount(2);
  await expect(page.getByRole('tab')).toHaveCount(0);
});

test('marks the icon of the tab beside its title, for a user too, until the tab has the focus', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Indah Ikon');
  const iconOf = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href');
  const adminPage = await openInNewContext(admin, '/admin/dashboard');
  const userPage = await openInNewContext(user, '/dashboard');
  for (const [page, from, to] of [
    [adminPage, user, admin],
    [userPage, admin, user],
  ] as const) {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const plain = await iconOf(page);
    await blurWindow(page);
    // The chat of the page may only now have connected; a message before that is no news.
    await expect
      .poll(async () => {
        await sendMessageByApi(testServer, from, to, 'Permisi');
        return iconOf(page);
      })
      .toContain('data:image/svg+xml');
    await expect(page).toHaveTitle(/^\(\d+\) /);
    await focusWindow(page);
    await expect(page).not.toHaveTitle(/^\(/);
    expect(new URL((await iconOf(page)) ?? '', page.url()).href).toBe(new URL(plain ?? '', page.url()).href);
  }
});
