import { readFileSync } from 'node:fs';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { openWidget, panel, PHONE, test } from './chat-page.ts';
import { callAs, expect } from './fixtures.ts';
import { buildPng } from './images.ts';
import { addRecord, homeRecord } from './records.ts';

const NAME = 'Kantor Desa Sukamaju';

/** Other tests find an office without a name, as before. */
test.afterEach(({ testServer }) => testServer.withDatabase((database) => database.exec('delete from office_identity')));

test('an admin names the office, and login, chat, receipt and prints show it', async ({
  admin,
  openInNewContext,
  registerUser,
  page,
  allowedConsoleErrors,
}) => {
  const resident = await openInNewContext(await registerUser(), '/dashboard', { viewport: PHONE });
  await openWidget(resident);
  await expect(panel(resident).getByText(NAME)).toHaveCount(0);

  const settings = await openInNewContext(admin, '/admin/settings', { viewport: PHONE });
  await settings.getByRole('link', { name: /Identitas Kantor/ }).click();
  await settings.getByRole('textbox', { name: 'Nama kantor' }).fill(NAME);
  await settings.getByRole('textbox', { name: 'Alamat' }).fill('Jl. Raya Sukamaju No. 1\nKec. Cikole');
  await settings.getByRole('textbox', { name: 'Telepon' }).fill('(022) 123-4567');
  await settings.getByRole('button', { name: 'Simpan (Save)' }).click();
  await expect(settings.getByText('Identitas kantor berhasil disimpan')).toBeVisible();
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: buildPng(300, 100) };
  await settings.getByLabel('Gambar logo').setInputFiles(file);
  await expect(settings.getByRole('img', { name: 'Logo kantor saat ini' })).toBeVisible();
  await expectNoOverflow(settings, 'identity of the office at 390 px');
  await expectAccessible(settings, 'identity of the office');

  // The open chat follows without a reload.
  await expect(panel(resident).getByText(NAME)).toBeVisible();
  await expectNoOverflow(resident, 'chat with the name of the office');

  await page.setViewportSize(PHONE);
  await page.goto('/login');
  await expect(page.getByText(NAME)).toBeVisible();
  const logo = page.locator('main img[src*="/uploads/logo/"]');
  await expect(logo).toBeVisible();
  await expect(logo).toHaveJSProperty('naturalWidth', 300);
  await expectAccessible(page, 'login with the name of the office');
  await page.getByRole('button', { name: 'Lupa password?' }).click();
  await expect(page.getByRole('link', { name: '(022) 123-4567' })).toBeVisible();
  expect(await page.locator('meta[name="apple-mobile-web-app-title"]').getAttribute('content')).toBe(
    `PBB Kita · ${NAME}`,
  );

  // Known from the last visit, before any answer.
  allowedConsoleErrors.push(/net::ERR_FAILED/);
  await page.route('**/api/office-identity', (route) => route.abort());
  await page.goto('/register');
  await expect(page.getByText(NAME)).toBeVisible();
  await expect(logo).toHaveJSProperty('naturalWidth', 300);
});

test('the papers have the head of the office, and without one that of the product', async ({
  admin,
  testServer,
  openInNewContext,
  user,
}) => {
  const { id } = await addRecord(testServer, user, homeRecord);
  const receiptOf = async () => {
    const page = await openInNewContext(user, `/tax-records/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    return page;
  };
  const plain = await receiptOf();
  await expect(plain.getByText('Layanan Data Pajak Bumi dan Bangunan')).toBeVisible();
  await expect(plain.locator('img[src*="/uploads/logo/"]')).toHaveCount(0);

  const identity = { name: NAME, address: 'Jl. Raya Sukamaju No. 1', phone: '(022) 123-4567', whatsapp: '' };
  await callAs(testServer, admin, 'PUT', '/admin/office-identity', identity);
  const named = await receiptOf();
  await expect(named.getByText(NAME)).toBeVisible();
  await expect(named.getByText('Telepon (022) 123-4567')).toBeVisible();
  await expect(named.getByText('Layanan Data Pajak Bumi dan Bangunan')).toHaveCount(0);

  const form = new FormData();
  form.set('logo', new Blob([new Uint8Array(buildPng(300, 100))], { type: 'image/png' }), 'logo.png');
  const headers = { authorization: `Bearer ${admin.token}` };
  await fetch(`${testServer.url}/api/admin/office-identity/logo`, { method: 'POST', headers, body: form });
  const reports = await openInNewContext(admin, '/admin/reports');
  await expect(reports.getByRole('button', { name: 'Export PDF' })).toBeEnabled();
  // Made in a worker, which has neither window nor storage.
  const [download] = await Promise.all([
    reports.waitForEvent('download'),
    reports.getByRole('button', { name: 'Export PDF' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'latin1')).toContain('/Subtype /Image');
  await reports.emulateMedia({ media: 'print' });
  await expect(reports.getByText(NAME)).toBeVisible();
});
