import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { deleteAllRecords, heading } from './page-parts.ts';
import { toast } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { buildPng } from './images.ts';
import { addProof, addRecord, homeRecord, readStoredRecords } from './records.ts';

const shownRecord = (page: Page) => page.getByRole('heading', { level: 2 });
const mark = (page: Page) => page.locator('main [data-verification]');

/** The controls and headings that a toast lies over. */
const coveredBy = (said: Locator) =>
  said.evaluate((element) => {
    const box = element.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>('header button, main :is(a, button, h1, h2, dd)')]
      .filter((other) => {
        const { left, right, top, bottom } = other.getBoundingClientRect();
        return left < box.right && box.left < right && top < box.bottom && box.top < bottom;
      })
      .map(({ innerText }) => innerText);
  });

/** Opens a page from the palette. */
async function goByPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByLabel('Cari halaman, pengguna, atau data PBB');
  await field.fill(name);
  await expect(page.locator('[role="option"][data-combobox-selected]')).toHaveAccessibleName(new RegExp(`^${name}`));
  await field.press('Enter');
  await expect(field).toHaveCount(0);
}

test('an admin checks reports by the keyboard alone, and the user sees each result at once', async ({
  page,
  browser,
  baseURL,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await deleteAllRecords(testServer, admin);
  const user = await registerUser('Rini Pelapor');
  const street = (number: number) => ({ ...homeRecord, address: `Jl. Kenanga No. ${number}, Desa Sukamaju` });
  await addRecord(testServer, user, { ...street(1), status: 'proses' });
  await addRecord(testServer, user, { ...street(2), status: 'proses' });
  const third = await addRecord(testServer, user, street(3));

  const userContext = await browser.newContext(baseURL ? { baseURL } : {});
  const userPage = await userContext.newPage();
  await openAs(userPage, user, `/tax-records/${third.id}`);
  await expect(mark(userPage)).toHaveCount(0);
  await userPage
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'struk.png', mimeType: 'image/png', buffer: buildPng(300, 400) });
  await userPage.getByRole('radio', { name: 'Saya sudah membayar' }).click();
  await userPage.getByRole('button', { name: 'Hari ini' }).click();
  await userPage.getByRole('button', { name: 'Simpan (Save)' }).click();
  await expect(mark(userPage)).toHaveText('Menunggu diperiksa kantor');

  await openAs(page, admin, '/admin/dashboard');
  await expect(page.getByRole('link', { name: 'Bukti masuk (3)' })).toBeVisible();
  await goByPalette(page, 'Bukti masuk');
  await expect(heading(page)).toHaveText('Bukti masuk');
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jl. Kenanga No. 1');
  await expect(page.getByText('1 dari 3')).toBeVisible();
  await expect(page.getByText('Warga melaporkan pembayaran tanpa foto.')).toBeVisible();
  // Without a photo Enter decides nothing, and the button asks.
  const date = page.getByRole('textbox', { name: 'Tanggal pada STTS' });
  await page.keyboard.press('Enter');
  await expect(date).not.toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jl. Kenanga No. 2');
  await expect(shownRecord(page)).toBeFocused();
  await page.getByRole('button', { name: 'Cocok saja' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Cocok' });
  await expect(question).toContainText('Tanpa foto. Sudah dilihat di STTS atau kas?');
  await question.getByRole('button', { name: 'Sudah, cocok' }).press('Enter');
  await expect(question).toBeHidden();
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jl. Kenanga No. 3');
  const photo = page.getByRole('img', { name: 'Bukti pembayaran' });
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
  // A reload keeps the place.
  await page.reload();
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jl. Kenanga No. 3');
  await expectAccessible(page, 'Bukti masuk');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoOverflow(page, 'Bukti masuk, 320 px');
  await page.setViewportSize({ width: 1280, height: 720 });

  // The viewer keeps the keys: Enter decides nothing behind it.
  await page.keyboard.press('f');
  const viewer = page.getByRole('dialog', { name: 'Bukti pembayaran' });
  await expect(viewer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();

  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: 'Tidak cocok' });
  await expect(dialog.getByRole('radio').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expectNoOverflow(page, 'the dialog of reasons');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jl. Kenanga No. 1');
  const said = toast(page, 'Tidak cocok, menjadi Belum Lunas · PBB 2025 · Jl. Kenanga No. 3');
  await expect(said).toContainText('Urungkan (Z)');
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    // It stays as long as the pointer is over it.
    await said.hover();
    await expect.poll(() => coveredBy(said)).toEqual([]);
  }
  await expect(mark(userPage)).toHaveText('Ditolak kantor: Jumlah pada bukti tidak sama dengan tagihan.');
  await expect(userPage.getByRole('alert')).toContainText('Tanyakan ke admin');
  await expect(userPage.getByRole('button', { name: 'Ganti bukti pembayaran' })).toBeVisible();
  await page.keyboard.press('z');
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jl. Kenanga No. 3');
  await expect(toast(page, 'Pencocokan dibatalkan').first()).toBeVisible();
  await expect(mark(userPage)).toHaveText('Menunggu diperiksa kantor');
  await expect(page.getByRole('button', { name: 'Cocok', exact: true })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(mark(userPage)).toContainText(`Sudah diperiksa kantor · ${admin.name}`);

  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jl. Kenanga No. 1');
  await page.getByRole('button', { name: 'Cocok saja' }).click();
  await question.getByRole('button', { name: 'Sudah, cocok' }).click();
  await expect(page.getByText('Semua bukti sudah dicocokkan')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Bukti masuk', exact: true })).toBeVisible();
  await userContext.close();
});

test('the date of an unpaid report is read from the photo beside it, and one Enter pays and matches', async ({
  page,
  browser,
  baseURL,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await deleteAllRecords(testServer, admin);
  const user = await registerUser('Wati Pelapor');
  const { id } = await addRecord(testServer, user, { ...homeRecord, status: 'proses' });
  await addProof(testServer, user, id, buildPng(900, 1200));
  const userContext = await browser.newContext(baseURL ? { baseURL } : {});
  const userPage = await userContext.newPage();
  await openAs(userPage, user, `/tax-records/${id}`);

  await page.setViewportSize({ width: 1366, height: 768 });
  await openAs(page, admin, '/admin/tax-records/bukti-masuk');
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jalan Melati No. 12');
  const main = page.getByRole('button', { name: 'Cocok & tandai lunas' });
  const date = page.getByRole('textbox', { name: 'Tanggal pada STTS' });
  for (const name of ['Sebelumnya', 'Lewati', 'Cocok & tandai lunas', 'Cocok saja', 'Tidak cocok'])
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('Tetap Proses; masih menunggak')).toBeInViewport({ ratio: 1 });
  await expect(date).toHaveValue('');

  await page.keyboard.press('Enter');
  await expect(date).toBeFocused();
  const photo = page.getByRole('img', { name: 'Bukti pembayaran' });
  const [photoBox, dateBox] = [await photo.boundingBox(), await date.boundingBox()];
  expect(dateBox?.x).toBeGreaterThan((photoBox?.x ?? 0) + (photoBox?.width ?? Infinity));
  await page.keyboard.type('3/8/2025');
  await expect(page.locator('[data-dates-dropdown]')).toHaveCount(0);
  await expectAccessible(page, 'Bukti masuk with a date');
  // On a phone the field comes into sight above the buttons.
  await page.setViewportSize({ width: 390, height: 844 });
  await date.blur();
  await page.evaluate(() => window.scrollTo(0, 0));
  await date.fill('');
  await main.click();
  await expect(date).toBeFocused();
  await expect(async () => {
    const [field, button] = [await date.boundingBox(), await main.boundingBox()];
    expect((field?.y ?? Infinity) + (field?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  }).toPass();
  await expectNoOverflow(page, 'Bukti masuk, 390 px');
  await page.keyboard.type('3/8/2025');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Cocok, Lunas 3 Agu 2025 · PBB 2025 · Jalan Melati No. 12')).toBeVisible();
  expect(readStoredRecords(testServer, user)).toMatchObject([{ status: 'lunas', payment_date: '2025-08-03' }]);
  await expect(mark(userPage)).toContainText(`Sudah diperiksa kantor · ${admin.name}`);

  await page.keyboard.press('z');
  await expect(shownRecord(page)).toHaveText('PBB 2025 · Jalan Melati No. 12');
  expect(readStoredRecords(testServer, user)).toMatchObject([{ status: 'proses', payment_date: null }]);
  await expect(mark(userPage)).toHaveText('Menunggu diperiksa kantor');
  await userContext.close();
});
