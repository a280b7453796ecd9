import { expect } from './fixtures.ts';
import { addMessages } from './chat-data.ts';
import {
  adminMessageField,
  bubble,
  openWidget,
  panel,
  PHONE,
  sendAsAdmin,
  sendMessageByApi,
  test,
  userMessageField,
} from './chat-page.ts';
import { addRecord, homeRecord } from './records.ts';

test('an admin finds an old message by its words, opens it there, and comes back to the results', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Ningsih Rahayu');
  await sendMessageByApi(testServer, user, admin, 'Kwitansi dénda tahun 2019 hilang, nomor 7781');
  addMessages(testServer, user, 300);
  const page = await openInNewContext(admin, '/admin/chat');
  await expect(page.getByText('Pilih user untuk chat')).toBeVisible();
  await page.keyboard.press('Control+Shift+F');
  const dialog = page.getByRole('dialog', { name: 'Cari pesan' });
  const field = dialog.getByRole('combobox', { name: 'Cari pesan' });
  await expect(field).toBeFocused();
  await field.fill('denda kwitansi');
  const option = dialog.getByRole('option', { name: /Kwitansi dénda tahun 2019/ });
  await expect(option).toBeVisible();
  await expect(option.locator('mark')).toHaveText(['Kwitansi', 'dénda']);
  await field.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: user.name })).toBeVisible();
  const found = page.getByRole('log').locator('[data-found]');
  await expect(found).toContainText('nomor 7781');
  await expect(found).toBeInViewport();
  await expect(found).toBeFocused();
  await expect(bubble(page, 'Nomor 300;')).toHaveCount(0);

  await page.goBack();
  await expect(option).toBeVisible();
  await expect(field).toHaveValue('denda kwitansi');
  await page.goForward();
  await expect(found).toBeInViewport();
  await page.reload();
  await expect(found).toBeInViewport();
  await page.getByRole('button', { name: /^Kembali ke terbaru/ }).click();
  await expect(bubble(page, 'Nomor 300;')).toBeInViewport();
  await expect(page).toHaveURL(`/admin/chat?user=${user.id}`);
  await adminMessageField(page).focus();
  await page.keyboard.press('Control+Shift+F');
  await field.fill('nomor 7781');
  await dialog.getByRole('switch', { name: 'Percakapan ini saja' }).check();
  await expect(option).toBeVisible();
  await field.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`/admin/chat?user=${user.id}`);
  await expect(adminMessageField(page)).toBeFocused();
});

test('a user searches the own conversation on a phone of 320 px, and returns to its end', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const [user, other] = [await registerUser('Rahmat'), await registerUser('Tini')];
  await sendMessageByApi(testServer, user, admin, 'Batas akhirnya kapan? Nomor 4410');
  await sendMessageByApi(testServer, other, admin, 'Batas akhir saya 4410');
  addMessages(testServer, user, 200);
  const phone = await openInNewContext(user, '/dashboard', { viewport: { ...PHONE, width: 320 } });
  await openWidget(phone);
  await panel(phone).getByRole('button', { name: 'Cari pesan' }).click();
  const field = panel(phone).getByRole('combobox', { name: 'Cari pesan' });
  await field.fill('batas 4410');
  await expect(panel(phone).getByText('1 pesan ditemukan')).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await panel(phone)
    .getByRole('option', { name: /Batas akhirnya kapan/ })
    .click();
  await expect(phone.getByRole('log').locator('[data-found]')).toContainText('Nomor 4410');
  await expect(phone.getByRole('log').locator('[data-found]')).toBeInViewport();
  await panel(phone)
    .getByRole('button', { name: /^Kembali ke terbaru/ })
    .click();
  await expect(bubble(phone, 'Nomor 200;')).toBeInViewport();
  // Escape closes the search, not the chat.
  await panel(phone).getByRole('button', { name: 'Cari pesan' }).click();
  await field.press('Escape');
  await expect(userMessageField(phone)).toBeVisible();
});

test('a line shows where the unread messages begin, as long as the conversation is open', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Ningsih Rahayu');
  await sendMessageByApi(testServer, user, admin, 'Sudah dibaca');
  const page = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
  const log = page.getByRole('log');
  await expect(bubble(page, 'Sudah dibaca')).toBeVisible();
  const line = log.getByText('Pesan baru', { exact: true });
  await expect(line).toBeVisible();
  const unreadCount = () =>
    testServer.withDatabase((database) =>
      database
        .prepare('select user_ordinal - admin_read_ordinal from conversations where user_id = ?')
        .pluck()
        .get(user.id),
    );
  await sendAsAdmin(page, 'Baik, Bu');
  await expect(line).toBeVisible();
  await expect.poll(unreadCount).toBe(0);
  await page.goto('/admin/dashboard');
  await sendMessageByApi(testServer, user, admin, 'Belum dibaca satu');
  await sendMessageByApi(testServer, user, admin, 'Belum dibaca dua');
  await page.goto(`/admin/chat?user=${user.id}`);
  await expect(bubble(page, 'Belum dibaca dua')).toBeInViewport();
  await expect(line).toHaveCount(1);
  const texts = () => log.locator('[dir="auto"], [class*="unread"]').allInnerTexts();
  expect(await texts()).toEqual(['Sudah dibaca', 'Baik, Bu', 'Pesan baru', 'Belum dibaca satu', 'Belum dibaca dua']);
  await sendAsAdmin(page, 'Saya periksa');
  await sendMessageByApi(testServer, user, admin, 'Terima kasih');
  await expect(bubble(page, 'Terima kasih')).toBeInViewport();
  expect((await texts()).indexOf('Pesan baru')).toBe(2);
  await expect.poll(unreadCount).toBe(0);
  await page.reload();
  await expect(bubble(page, 'Terima kasih')).toBeInViewport();
  await expect(line).toHaveCount(0);
});

test('a user asks about a record, without losing what was typed before', async ({
  testServer,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Rahmat Pemilik');
  const { id } = await addRecord(testServer, user, homeRecord);
  const page = await openInNewContext(user, `/tax-records/${id}`);
  await page.getByRole('button', { name: 'Tanyakan ke admin' }).click();
  const field = userMessageField(page);
  await expect(field).toHaveValue(/^Saya ingin bertanya tentang PBB \d{4}, SPT .+, Rp\s[\d.]+: $/);
  await expect(field).toBeFocused();
  await expect(panel(page).getByRole('button', { name: /^Batal membagikan data PBB/ })).toBeVisible();
  await page.keyboard.type('kapan jatuh temponya?');
  await expect(field).toHaveValue(/: kapan jatuh temponya\?$/);
  await field.fill('Selamat pagi');
  await panel(page).getByRole('button', { name: 'Tutup Live Chat' }).click();
  await page.goto('/tax-records');
  await page
    .getByRole('button', { name: /^Aksi lain/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /^Tanyakan ke admin/ }).click();
  await expect(field).toHaveValue(/^Selamat pagi\nSaya ingin bertanya tentang PBB/);
  await expect(field).toBeFocused();
});
