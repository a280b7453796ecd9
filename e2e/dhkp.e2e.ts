import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { test, toast } from './chat-page.ts';
import { callAs, expect } from './fixtures.ts';
import { amountOf, dottedNop, nopOf, totalOf, UNKNOWN_CSV, writeListXlsx } from './list-files.ts';
import { countPresses, countWholeRows, dialog, heading } from './page-parts.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

const rupiah = (amount: number): RegExp => new RegExp(`Rp\\s${amount.toLocaleString('id-ID')}`);
const rows = (page: Page) => page.locator('[data-row]');
const checkButton = (page: Page) => page.getByRole('button', { name: 'Periksa' });
const applyButton = (page: Page) => page.getByRole('button', { name: 'Terapkan' });

/** Presses 'Pilih berkas' and gives the browser a file. */
async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Pilih berkas' }).click();
  await (await chooser).setFiles({ name, mimeType: XLSX, buffer });
}

/** Undoes the newest import of a year, so that the next test begins with an empty list. */
async function revertNewest(page: Page, name: string): Promise<void> {
  await page.goto('/admin/dhkp/import');
  await page.getByRole('button', { name: `Batalkan impor ${name}` }).click();
  const question = dialog(page, 'Batalkan impor');
  await question.getByRole('textbox', { name: 'Alasan' }).fill('Salah berkas');
  await question.getByRole('button', { name: 'Batalkan impor' }).click();
  await expect(toast(page, 'Impor dibatalkan')).toBeVisible();
}

test('a clerk imports a workbook with four presses, finds its rows at every size, and takes it back', async ({
  page,
  admin,
  openAs,
}) => {
  test.slow();
  await page.setViewportSize(DESKTOP);
  await openAs(page, admin, '/admin/dhkp?tahun=2026');
  await expect(page.getByText('Belum ada daftar untuk 2026')).toBeVisible();
  await expectAccessible(page, 'the empty list of objects');

  await test.step('import', async () => {
    const presses = await countPresses(page);
    await page.getByRole('main').getByRole('link', { name: 'Impor daftar' }).first().click();
    await chooseFile(page, 'DHKP 2026.xlsx', await writeListXlsx(60));
    await checkButton(page).click();
    await expect(page.getByRole('button', { name: 'Baru 60' })).toBeVisible();
    const control = page.getByRole('region', { name: 'Jumlah kontrol' });
    await expect(control).toHaveText(
      new RegExp(`^Jumlah di berkas ${rupiah(totalOf(60)).source} = jumlah baris ${rupiah(totalOf(60)).source}$`),
    );
    await applyButton(page).click();
    await expect(page).toHaveURL('/admin/dhkp?tahun=2026');
    await expect(toast(page, 'Daftar 2026 diterapkan')).toBeVisible();
    expect(await presses()).toBe(4);
  });

  await test.step('the list', async () => {
    await page.goto('/admin/dhkp?per_halaman=50');
    await expect(rows(page)).toHaveCount(50);
    await expect(page.getByRole('status').filter({ hasText: '60 objek' })).toHaveText(rupiah(totalOf(60)));
    await expect.poll(() => countWholeRows(page)).toBeGreaterThanOrEqual(14);
    await expectAccessible(page, 'the list of objects');
    await page.setViewportSize({ width: 1366, height: 768 });
    await expect.poll(() => countWholeRows(page)).toBeGreaterThanOrEqual(11);
    await expectNoOverflow(page, 'the list of objects, 1366 px');
    await page.setViewportSize(PHONE);
    await expect(page.getByRole('table')).toHaveCount(0);
    await expectNoOverflow(page, 'the list of objects, 390 px');
    await expectAccessible(page, 'the list of objects, 390 px');
    await page.setViewportSize(DESKTOP);
    await page.keyboard.press('/');
    await page.keyboard.type(dottedNop(nopOf(7)));
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL((url) => url.searchParams.get('cari') === dottedNop(nopOf(7)));
    await page.keyboard.press('Tab');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: dottedNop(nopOf(7)) })).toBeVisible();
    await expect(page.getByText(rupiah(amountOf(7))).first()).toBeVisible();
  });

  await test.step('one object', async () => {
    await expectAccessible(page, 'the page of an object');
    await page.setViewportSize(PHONE);
    await expectNoOverflow(page, 'the page of an object, 390 px');
    await page.setViewportSize(DESKTOP);
  });

  await test.step('undo', async () => {
    await revertNewest(page, 'DHKP 2026.xlsx');
    await expectAccessible(page, 'the list of imports');
    await page.setViewportSize(PHONE);
    await expectNoOverflow(page, 'the list of imports, 390 px');
    await page.goto('/admin/dhkp?tahun=2026');
    await expect(page.getByText('Belum ada daftar untuk 2026')).toBeVisible();
  });
});

test('an import that is left is found where it was, with its problem rows and by another admin', async ({
  page,
  browser,
  testServer,
  admin,
  openAs,
}) => {
  test.slow();
  await openAs(page, admin, '/admin/dhkp/import?tahun=2025');
  const doubtful = [99, 'belum ada', 'TANPA NOP', 'JL MAWAR', 45_000];
  await chooseFile(page, 'DHKP 2025.xlsx', await writeListXlsx(5, [doubtful]));
  await checkButton(page).click();
  await page.getByRole('button', { name: 'Bermasalah 1' }).click();
  await expect(page.getByText('Lembar BUKU 1, baris 9')).toBeVisible();
  await expectAccessible(page, 'the preview of an import');
  await page.setViewportSize(PHONE);
  await expectNoOverflow(page, 'the preview of an import, 390 px');
  await page.setViewportSize(DESKTOP);
  const address = page.url();
  expect(new URL(address).searchParams.get('baris')).toBe('problem');

  await page.getByRole('link', { name: 'Kelola Users' }).click();
  await expect(heading(page)).toHaveText('Kelola Users');
  await page.goto('/admin/dhkp/import');
  await expect(page.getByText('Menunggu diterapkan')).toBeVisible();

  const other = await browser.newPage({ baseURL: testServer.url });
  await openAs(other, admin, '/admin/dhkp/import');
  await expect(other.getByText('Menunggu diterapkan')).toBeVisible();

  await page.getByRole('link', { name: 'DHKP 2025.xlsx' }).click();
  await applyButton(page).click();
  const question = dialog(page, 'Terapkan tanpa 1 baris bermasalah');
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Terapkan' }).click();
  await expect(page).toHaveURL('/admin/dhkp?tahun=2025');
  await expect(rows(page)).toHaveCount(5);
  const card = other.getByRole('listitem').filter({ hasText: 'DHKP 2025.xlsx' });
  await expect(card.getByText('Diterapkan', { exact: true })).toBeVisible();
  await other.close();
  await revertNewest(page, 'DHKP 2025.xlsx');
});

test('the columns of an unknown CSV are chosen once, and its texts are read as they are', async ({
  page,
  testServer,
  admin,
  openAs,
}) => {
  test.slow();
  await openAs(page, admin, '/admin/dhkp/import?tahun=2024');
  await chooseFile(page, 'aneh.csv', UNKNOWN_CSV);
  await checkButton(page).click();
  await expect(page.getByText('Susunan berkas belum dikenali dengan pasti.')).toBeVisible();
  await expectAccessible(page, 'an import whose columns are open');
  await page.getByRole('combobox', { name: 'NOP' }).selectOption({ label: 'A: OBYEK' });
  await page.getByRole('combobox', { name: 'Ketetapan' }).selectOption({ label: 'C: BAYAR' });
  await expect(page.getByText('Contoh: 45.000 · 52.500')).toBeVisible();
  await checkButton(page).click();
  await page.getByRole('button', { name: 'Baru 2' }).click();
  await expect(page.getByText('JOSÉ')).toBeVisible();
  await applyButton(page).click();
  await expect(page).toHaveURL('/admin/dhkp?tahun=2024');
  type Answer = { data: { data: { name: string; amount: number }[] } };
  const { data } = await callAs<Answer>(testServer, admin, 'GET', '/admin/dhkp?year=2024&sort=nop');
  expect(data.data.map(({ name, amount }) => [name, amount])).toEqual([
    ['JOSÉ', 45_000],
    ['SITI', 52_500],
  ]);
  await revertNewest(page, 'aneh.csv');
});

test('the settings of the list and the areas are accessible and fit on a phone', async ({ page, admin, openAs }) => {
  for (const path of ['/admin/settings/dhkp', '/admin/settings/areas']) {
    await openAs(page, admin, path);
    await expect(heading(page)).toBeVisible();
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    await expectAccessible(page, path);
    await page.setViewportSize(PHONE);
    await expectNoOverflow(page, `${path}, 390 px`);
    await page.setViewportSize(DESKTOP);
  }
});
