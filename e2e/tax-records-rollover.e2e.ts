import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { holdUndo, test } from './chat-page.ts';
import { callAs, expect, SERVER_RESTART_ERRORS } from './fixtures.ts';
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
    user,
    openAs,
  }) => {
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

  test('creates nothing when it is pressed again', async ({ page, testServer, user, openAs }) => {
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

  test('offers the next year when this one is complete', async ({ page, testServer, user, openAs }) => {
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
    user,
    openAs,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(SERVER_RESTART_ERRORS);
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
  test('creates the records of this year once and shows a notice', async ({ page, testServer, user, openAs }) => {
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

  test('does not create a copy again that its owner deleted', async ({ page, testServer, user, openAs }) => {
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

  test('does not copy a record of last year that was created this year', async ({ page, testServer, user, openAs }) => {
    changeStoredRecord(testServer, (await addRecord(testServer, user)).id, { year: lastYear });
    const checked = page.waitForResponse('**/api/tax-records/check-year');
    await openAs(page, user, '/dashboard');
    expect(await (await checked).json()).toMatchObject({ autoCreated: false });
    expect(readStoredRecords(testServer, user)).toHaveLength(1);
  });
});

test.describe('an office with settings of its own', () => {
  /** Other tests find the settings as shipped. */
  test.afterEach(({ testServer }) =>
    testServer.withDatabase((database) => database.exec('delete from record_settings')),
  );

  test('opens this year with one press, so that a resident enters the paper of this year and no second bill', async ({
    page,
    testServer,
    admin,
    user,
    openInNewContext,
    openAs,
  }) => {
    const phone = await openInNewContext(user, '/tax-records/create', { viewport: { width: 390, height: 844 } });
    await expect(
      phone.getByText(`SPPT tahun ${thisYear}: minta kantor membuka tahun ${thisYear} lewat chat.`),
    ).toBeVisible();
    await expect(phone.getByRole('textbox', { name: 'Tahun' })).toHaveValue('2025');

    await openAs(page, admin, '/admin/dashboard');
    const tasks = page.getByRole('region', { name: 'Perlu ditindak' });
    await expect(tasks.getByText(`Warga belum dapat mengisi SPPT ${thisYear}`)).toBeVisible();
    await tasks.getByRole('button', { name: `Buka tahun ${thisYear}` }).click();
    await expect(page.getByText(`Tahun ${thisYear} dibuka untuk warga`)).toBeVisible();
    await holdUndo(page);

    // The open form learns of it.
    const year = phone.getByRole('combobox', { name: 'Tahun' });
    await expect(year).toHaveValue(String(thisYear));
    await phone.getByRole('textbox', { name: 'Alamat' }).fill('Jalan Melati 12');
    await phone.getByRole('textbox', { name: 'Nomor SPT' }).fill('33.74.010.001.002-0034.0');
    await phone.getByRole('textbox', { name: 'Jumlah' }).fill('187500');
    await phone.getByRole('textbox', { name: 'Tanggal Jatuh Tempo' }).fill(`30/09/${thisYear}`);
    await phone.keyboard.press('Escape');
    await expect(phone.getByText(/^Jatuh tempo \d{4}, tetapi/)).toBeHidden();
    await expectNoOverflow(phone, 'the form with a choice of years at 390 px');
    await phone.getByRole('button', { name: 'Simpan (Save)' }).click();
    await expect(phone).toHaveURL('/tax-records');
    await phone.goto('/dashboard');
    await expect(phone.getByRole('region', { name: 'Ringkasan' })).toBeVisible();
    const stored = readStoredRecords(testServer, user);
    expect(stored.map(({ year: taxYear, amount_sen }) => [taxYear, amount_sen])).toEqual([[thisYear, 18_750_000]]);

    await page.getByRole('button', { name: 'Urungkan (Undo)' }).click();
    await expect(tasks.getByRole('button', { name: `Buka tahun ${thisYear}` })).toBeVisible();
  });

  test('only offers the new year, whose copies take the amounts of the papers', async ({
    page,
    testServer,
    admin,
    user,
    openAs,
  }) => {
    await callAs(testServer, admin, 'PUT', '/admin/record-settings', { rollover: 'offer' });
    const before = { year: lastYear, createdAt: `${lastYear}-03-15T03:00:00Z` };
    changeStoredRecord(testServer, (await addRecord(testServer, user)).id, before);
    changeStoredRecord(testServer, (await addRecord(testServer, user, shopRecord)).id, before);
    await page.setViewportSize({ width: 390, height: 844 });
    await openAs(page, user, '/dashboard');
    await expect(page.getByText(`Sudah terima SPPT ${thisYear}? Buat datanya dari data ${lastYear}.`)).toBeVisible();
    expect(readStoredRecords(testServer, user)).toHaveLength(2);
    await page.getByRole('link', { name: `Buat data tahun ${thisYear}` }).click();

    const copies = confirmDialog(page).getByRole('listitem');
    await expect(copies).toHaveCount(2);
    await expectNoOverflow(page, 'the copies of a new year at 390 px');
    await expectAccessible(page, 'the copies of a new year');
    const home = copies.filter({ hasText: 'Melati' });
    await expect(home.getByRole('textbox', { name: 'Jumlah' })).toHaveValue('1.375.000');
    await expect(home.getByText('Perkiraan (naik 10 %)')).toBeVisible();
    await home.getByRole('textbox', { name: 'Jumlah' }).fill('1300000');
    await copies.filter({ hasText: 'Pasar Baru' }).getByRole('button', { name: 'Sesuai SPPT' }).click();
    await confirmDialog(page).getByRole('button', { name: 'Lanjut' }).click();
    await expect(toast(page, 'Berhasil')).toBeVisible();
    const made = readStoredRecords(testServer, user).filter(({ year }) => year === thisYear);
    expect(made.map(({ amount_sen }) => amount_sen).toSorted((a, b) => a - b)).toEqual([130_000_000, 374_000_000]);
    await expect(page.getByText('Perkiraan (naik 10 %)')).toHaveCount(0);
  });
});
