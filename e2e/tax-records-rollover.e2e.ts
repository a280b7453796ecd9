import type { Page } from '@playwright/test';
import { callAs, expect, SERVER_RESTART_ERRORS, test } from './fixtures.ts';
import { addRecord, changeStoredRecord, readStoredRecords, shopRecord, pressOwnDelete } from './records.ts';

const thisYear = Number(new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Jakarta' }).slice(0, 4));
const lastYear = thisYear - 1;

const confirmDialog = (page: Page) => page.getByRole('dialog', { name: 'Konfirmasi' });
const yearRadio = (page: Page, year: number) =>
  confirmDialog(page).getByRole('radio', { name: new RegExp(`^${year}`) });
const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const openConfirmDialog = (page: Page) => page.getByRole('button', { name: 'Tahun Baru' }).click();

test.describe('the button Tahun Baru', () => {
  test('asks, names the year, and creates its records from the year before', async ({
    page,
    testServer,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser();
    changeStoredRecord(testServer, (await addRecord(testServer, user)).id, { year: lastYear });
    changeStoredRecord(
      testServer,
      (await addRecord(testServer, user, { ...shopRecord, amount: 3_333_333, notes: 'Lunas di bank' })).id,
      {
        year: lastYear,
      },
    );
    await openAs(page, user, '/tax-records');
    await openConfirmDialog(page);
    await expect(confirmDialog(page)).toContainText(`2 data PBB untuk tahun ${thisYear}`);
    await expect(confirmDialog(page)).toContainText('Rp 5.041.666');
    await confirmDialog(page).getByRole('button', { name: 'Batal' }).click();
    await expect(confirmDialog(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Tahun Baru' })).toBeFocused();
    expect(readStoredRecords(testServer, user)).toHaveLength(2);

    await openConfirmDialog(page);
    await confirmDialog(page).getByRole('button', { name: 'Lanjut' }).click();
    await expect(toast(page, 'Berhasil')).toHaveText(
      `Berhasil membuat 2 data PBB untuk tahun ${thisYear} (1 tunggakan, 1 data baru)`,
    );
    await expect(page.getByText('4 data', { exact: true })).toBeVisible();
    const made = readStoredRecords(testServer, user).filter(({ year }) => year === thisYear);
    expect(made.map(({ amount_sen }) => amount_sen).toSorted((a, b) => a - b)).toEqual([137_500_000, 366_666_600]);
    for (const copy of made) {
      expect(copy).toMatchObject({ status: 'belum_lunas', due_date: '2026-09-30', payment_date: null, notes: null });
    }
  });

  test('creates nothing when it is pressed again', async ({ page, testServer, registerUser, openAs }) => {
    const user = await registerUser();
    changeStoredRecord(testServer, (await addRecord(testServer, user, shopRecord)).id, { year: lastYear });
    await openAs(page, user, '/tax-records');
    await openConfirmDialog(page);
    await confirmDialog(page).getByRole('button', { name: 'Lanjut' }).dblclick();
    // No record was overdue, so no number follows in brackets.
    await expect(toast(page, 'Berhasil')).toHaveText(`Berhasil membuat 1 data PBB untuk tahun ${thisYear}`);
    await expect(page.getByText('2 data', { exact: true })).toBeVisible();

    await openConfirmDialog(page);
    await yearRadio(page, thisYear).check();
    await expect(confirmDialog(page)).toContainText(/sudah lengkap/i);
    await confirmDialog(page).getByRole('button', { name: 'Lanjut' }).click();
    await expect(toast(page, `Berhasil membuat 0 data PBB untuk tahun ${thisYear}`)).toBeVisible();
    expect(readStoredRecords(testServer, user)).toHaveLength(2);

    // Nor does it from everywhere at once.
    await Promise.all(
      [1, 2, 3, 4].map(async () => callAs(testServer, user, 'POST', '/tax-records/auto-create', { year: thisYear })),
    );
    expect(readStoredRecords(testServer, user)).toHaveLength(2);
  });

  test('offers the next year when this one is complete', async ({ page, testServer, registerUser, openAs }) => {
    const user = await registerUser();
    changeStoredRecord(testServer, (await addRecord(testServer, user)).id, { year: thisYear });
    await openAs(page, user, '/tax-records');
    await openConfirmDialog(page);
    await expect(yearRadio(page, thisYear + 1)).toBeChecked();
    await expect(confirmDialog(page)).toContainText(`1 data PBB untuk tahun ${thisYear + 1}`);
    await confirmDialog(page).getByRole('button', { name: 'Lanjut' }).click();
    await expect(toast(page, 'Berhasil')).toHaveText(
      `Berhasil membuat 1 data PBB untuk tahun ${thisYear + 1} (1 tunggakan, 0 data baru)`,
    );
    expect(readStoredRecords(testServer, user).map(({ year }) => year)).toEqual([thisYear, thisYear + 1]);
  });

  test('shows an error when the server does not answer', async ({
    page,
    testServer,
    registerUser,
    openAs,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(SERVER_RESTART_ERRORS);
    const user = await registerUser();
    changeStoredRecord(testServer, (await addRecord(testServer, user)).id, { year: lastYear });
    await openAs(page, user, '/tax-records');
    await openConfirmDialog(page);
    await expect(confirmDialog(page)).toBeVisible();
    await testServer.stop('SIGKILL');
    await confirmDialog(page).getByRole('button', { name: 'Lanjut' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Gagal membuat data tahun baru' })).toBeVisible();
    await testServer.start();
    expect(readStoredRecords(testServer, user)).toHaveLength(1);
  });
});

test.describe('the automatic rollover', () => {
  test('creates the records of this year once and shows a notice', async ({
    page,
    testServer,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser();
    const before = { year: lastYear, createdAt: `${lastYear}-03-15T03:00:00Z` };
    changeStoredRecord(testServer, (await addRecord(testServer, user)).id, before);
    changeStoredRecord(testServer, (await addRecord(testServer, user, shopRecord)).id, before);
    await openAs(page, user, '/dashboard');
    const banner = page.getByText(`2 data PBB tahun ${thisYear} dibuat otomatis dari data tahun ${lastYear}`);
    await expect(banner).toBeVisible();
    await expect(page.getByRole('region', { name: 'Ringkasan' })).toContainText(/Total Properti\s*4/);
    await expect(page.getByRole('listitem').filter({ hasText: `Tahun ${thisYear}` })).toHaveCount(2);
    await page.getByRole('link', { name: `Lihat data tahun ${thisYear}` }).click();
    await expect(page).toHaveURL(`/tax-records?tahun=${thisYear}`);
    await expect(page.getByText('2 data', { exact: true })).toBeVisible();

    await page.getByRole('navigation', { name: 'Menu utama' }).getByRole('link', { name: 'Dashboard' }).click();
    await expect(banner).toBeVisible();
    await page.getByRole('button', { name: 'Tutup pemberitahuan' }).click();
    await expect(banner).toBeHidden();

    const checked = page.waitForResponse('**/api/tax-records/check-year');
    await page.reload();
    expect(await (await checked).json()).toMatchObject({ autoCreated: false, count: 0 });
    await expect(page.getByRole('region', { name: 'Ringkasan' })).toContainText(/Total Properti\s*4/);
    await expect(banner).toBeHidden();
    expect(readStoredRecords(testServer, user)).toHaveLength(4);
  });

  test('does not create a copy again that its owner deleted', async ({ page, testServer, registerUser, openAs }) => {
    const user = await registerUser();
    const { id } = await addRecord(testServer, user);
    changeStoredRecord(testServer, id, { year: lastYear, createdAt: `${lastYear}-03-15T03:00:00Z` });
    await openAs(page, user, '/dashboard');
    await page.getByRole('link', { name: `Lihat data tahun ${thisYear}` }).click();
    await pressOwnDelete(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click();
    await expect(page.getByText('Tidak ada data PBB')).toBeVisible();

    const checked = page.waitForResponse('**/api/tax-records/check-year');
    await page.goto('/dashboard');
    expect(await (await checked).json()).toMatchObject({ autoCreated: false });
    expect(readStoredRecords(testServer, user).map((row) => row.id)).toEqual([id]);
  });

  test('does not copy a record of last year that was created this year', async ({
    page,
    testServer,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser();
    changeStoredRecord(testServer, (await addRecord(testServer, user)).id, { year: lastYear });
    const checked = page.waitForResponse('**/api/tax-records/check-year');
    await openAs(page, user, '/dashboard');
    expect(await (await checked).json()).toMatchObject({ autoCreated: false });
    expect(readStoredRecords(testServer, user)).toHaveLength(1);
  });
});
