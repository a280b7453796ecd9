import type { Page } from '@playwright/test';
import { countPresses, countWholeRows, deleteAllRecords, dialog, heading, tableRow } from './page-parts.ts';
import { callAs, expect } from './fixtures.ts';
import { test, toast } from './chat-page.ts';
import {
  addRecord,
  fillRecordForm,
  homeRecord,
  readStoredRecords,
  saveEditButton,
  saveNewButton,
  shopRecord,
} from './records.ts';

const PAID_ONLY_TEXT = 'Tanggal pembayaran hanya bisa diisi jika status Lunas';

test('the address holds search, filter and order of the admin list', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await deleteAllRecords(testServer, admin);
  const user = await registerUser('Pemilik Banyak');
  await addRecord(testServer, user, homeRecord);
  await addRecord(testServer, user, shopRecord);
  await addRecord(testServer, user, { ...homeRecord, name: 'Ani Gudang', amount: 9_000_000, property_type: 'gudang' });
  await openAs(page, admin, '/admin/tax-records');
  await expect(heading(page)).toHaveText('Manajemen Catatan Pajak');
  // Beside the name stands the owner, where it is another one.
  const names = page.getByRole('rowheader').getByRole('link', { name: /^(?!Pemilik: )/ });
  await expect(names).toHaveText(['Ani Gudang', shopRecord.name, homeRecord.name]);
  await page.getByRole('button', { name: 'Jumlah' }).click();
  await expect(page).toHaveURL('/admin/tax-records?urut=-amount');
  await expect(names).toHaveText(['Ani Gudang', shopRecord.name, homeRecord.name]);
  await page.getByRole('button', { name: 'Jumlah' }).click();
  await expect(page).toHaveURL('/admin/tax-records?urut=amount');
  await expect(names).toHaveText([homeRecord.name, shopRecord.name, 'Ani Gudang']);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const statusField = page.getByRole('combobox', { name: 'Status' });
  await statusField.selectOption('Belum Lunas');
  await expect(page).toHaveURL('/admin/tax-records?status=belum_lunas&urut=amount');
  await expect(names).toHaveText([homeRecord.name, 'Ani Gudang']);
  await page
    .getByRole('searchbox', { name: 'Cari' })
    .or(page.getByLabel('Cari', { exact: true }))
    .first()
    .fill('ani');
  await expect(page).toHaveURL(/cari=ani/);
  await expect(names).toHaveText(['Ani Gudang']);
  await page.reload();
  await expect(names).toHaveText(['Ani Gudang']);
  await expect(page.getByRole('button', { name: 'Belum Bayar' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Bersihkan filter (Clear)' }).click();
  await expect(page).toHaveURL('/admin/tax-records');
  await expect(names).toHaveCount(3);
});

test('an admin creates a record for a user, and only a paid record may have a payment date', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  const user = await registerUser('Kartika Dipilih');
  await openAs(page, admin, '/admin/tax-records/create');
  await expect(heading(page)).toHaveText('Tambah Data Pajak (Admin)');
  await fillRecordForm(page, { ...homeRecord, name: 'Rumah Kartika' });
  await saveNewButton(page).click();
  await expect(toast(page, 'Pilih user terlebih dahulu').first()).toBeVisible();
  const picker = page.getByPlaceholder('Cari nama atau email');
  await picker.fill(user.email);
  await page.getByRole('option', { name: user.email }).click();
  await expect(picker).toHaveValue(`Kartika Dipilih (${user.email})`);
  await saveNewButton(page).click();
  await expect(toast(page, 'Data pajak berhasil ditambahkan')).toBeVisible();
  await page.waitForURL('/admin/tax-records');
  await expect(tableRow(page, 'Rumah Kartika')).toContainText('Kartika Dipilih');
  const [stored] = readStoredRecords(testServer, user);
  expect(stored).toMatchObject({ name: 'Rumah Kartika', status: 'belum_lunas', payment_date: null });

  await page.getByRole('button', { name: /^Aksi lain Rumah Kartika/ }).click();
  await page.getByRole('menuitem', { name: /^Edit Rumah Kartika/ }).click();
  await expect(heading(page)).toHaveText('Edit Data Pajak');
  await expect(page.getByRole('main')).toContainText(user.email);
  const paymentDateField = page.getByRole('textbox', { name: 'Tanggal Pembayaran' });
  await expect(paymentDateField).toBeDisabled();
  await expect(paymentDateField).toHaveAccessibleDescription(PAID_ONLY_TEXT);
  await page.getByLabel('Status').selectOption('Lunas');
  await expect(paymentDateField).toBeEnabled();
  await expect(page.getByText(PAID_ONLY_TEXT)).toHaveCount(0);
  await paymentDateField.fill('');
  await paymentDateField.blur();
  await saveEditButton(page).click();
  await expect(toast(page, 'Tanggal pembayaran wajib diisi jika status Lunas').first()).toBeVisible();
  expect(readStoredRecords(testServer, user)[0]).toMatchObject({ status: 'belum_lunas' });
  await paymentDateField.fill('14/08/2026');
  await paymentDateField.blur();
  await saveEditButton(page).click();
  await expect(toast(page, 'Data pajak berhasil diperbarui')).toBeVisible();
  await page.waitForURL('/admin/tax-records');
  expect(readStoredRecords(testServer, user)[0]).toMatchObject({ status: 'lunas', payment_date: '2026-08-14' });
  await expect(tableRow(page, 'Rumah Kartika')).toContainText('Lunas');
});

test('an edit returns to the search or to the record from which it was opened', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await deleteAllRecords(testServer, admin);
  const user = await registerUser('Pemilik Banyak');
  for (let number = 1; number <= 30; number += 1) {
    await addRecord(testServer, user, { ...homeRecord, name: `Wahyu ${String(number).padStart(2, '0')}` });
  }
  await addRecord(testServer, user, shopRecord);
  const search = '/admin/tax-records?cari=wahyu&urut=name&halaman=2';
  await openAs(page, admin, search);
  await tableRow(page, 'Wahyu 29')
    .getByRole('button', { name: /^Aksi lain/ })
    .click();
  await page.getByRole('menuitem', { name: /^Edit Wahyu 29/ }).click();
  await page.getByRole('textbox', { name: 'Alamat' }).fill('Jl. Baru 29');
  await saveEditButton(page).click();
  await expect(page).toHaveURL(search);
  const row = tableRow(page, 'Jl. Baru 29');
  await expect(row).toHaveAttribute('data-edited', 'true');
  await expect(row).toBeInViewport();
  await expect(row.getByRole('link', { name: 'Wahyu 29' })).toBeFocused();

  await row.getByRole('link', { name: 'Wahyu 29' }).click();
  await expect(page).toHaveURL(/\/admin\/tax-records\/[0-9a-f-]{36}$/);
  const recordUrl = page.url();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Alamat' }).fill('Jl. Lama 29');
  await saveEditButton(page).click();
  await expect(page).toHaveURL(recordUrl);
  await expect(page.getByText('Jl. Lama 29').first()).toBeVisible();
  await page.getByRole('link', { name: 'Kembali (Back)' }).click();
  await expect(page).toHaveURL(search);
  await expect(page.locator('[data-edited]')).toHaveCount(0);

  await page.goto(`${recordUrl}/edit`);
  await page.getByRole('textbox', { name: 'Alamat' }).fill('Jl. Alamat 29');
  await saveEditButton(page).click();
  await expect(page).toHaveURL('/admin/tax-records');
});

test('an admin deletes a record after a confirmation', async ({ page, testServer, admin, registerUser, openAs }) => {
  const user = await registerUser('Pemilik Hapus');
  await addRecord(testServer, user, { ...homeRecord, name: 'Rumah Dihapus' });
  await openAs(page, admin, '/admin/tax-records?cari=Rumah+Dihapus');
  const pressDelete = async () => {
    await page.getByRole('button', { name: /^Aksi lain Rumah Dihapus/ }).click();
    await page.getByRole('menuitem', { name: /^Hapus \(Delete\) Rumah Dihapus/ }).click();
  };
  await pressDelete();
  const question = dialog(page, 'Hapus Data PBB');
  await expect(question).toContainText('Pemilik: Pemilik Hapus');
  await question.getByRole('button', { name: 'Batal' }).click();
  await expect(question).toBeHidden();
  expect(readStoredRecords(testServer, user)).toHaveLength(1);
  await pressDelete();
  await question.getByRole('button', { name: 'Hapus' }).click();
  await expect(toast(page, 'Data PBB berhasil dihapus')).toBeVisible();
  await expect(page.getByText('Tidak ada data PBB yang cocok')).toBeVisible();
  expect(readStoredRecords(testServer, user)).toEqual([]);
});

test('an admin marks several records as paid at once', async ({ page, testServer, admin, registerUser, openAs }) => {
  const user = await registerUser('Pemilik Massal');
  for (const number of [1, 2, 3]) await addRecord(testServer, user, { ...homeRecord, name: `Massal ${number}` });
  await addRecord(testServer, user, { ...shopRecord, name: 'Massal 4' });
  await openAs(page, admin, `/admin/tax-records?pemilik=${user.id}`);
  await page.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }).check();
  await page.getByRole('checkbox', { name: /^Pilih Massal 1/ }).uncheck();
  const bar = page.getByRole('region', { name: 'Data yang dipilih' });
  await expect(bar).toContainText('3 dipilih');
  await page.keyboard.press('t');
  const question = dialog(page, 'Tandai 2 data lunas');
  await expect(question).toContainText('1 data berstatus Lunas tidak diubah.');
  await question.getByRole('textbox', { name: 'Tanggal Pembayaran' }).fill('01/09/2026');
  await question.getByRole('button', { name: 'Tandai Lunas' }).click();
  await expect(toast(page, '2 data ditandai lunas')).toBeVisible();
  await expect(question).toBeHidden();
  await expect(bar).toHaveCount(0);
  expect(
    readStoredRecords(testServer, user).map(({ name, status, payment_date }) => [name, status, payment_date]),
  ).toEqual([
    ['Massal 1', 'belum_lunas', null],
    ['Massal 2', 'lunas', '2026-09-01'],
    ['Massal 3', 'lunas', '2026-09-01'],
    ['Massal 4', 'lunas', shopRecord.payment_date],
  ]);
});

/** Counts how long the page computes from now on, in processor time: other work of a loaded machine does not count. */
async function measureBusySeconds(page: Page): Promise<() => Promise<number>> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await read();
  return async () => (await read()) - before;
}

test('a clerk sees a dozen records, what is owed, and marks 20 scattered ones within 22 presses and 10 seconds', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await deleteAllRecords(testServer, admin);
  const user = await registerUser('Pemilik Rapat');
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      addRecord(testServer, user, {
        ...homeRecord,
        name: `Objek ${index}`,
        amount: 100_001 + 7 * index,
        due_date: index % 3 === 0 ? '2025-01-31' : '2099-01-31',
      }),
    ),
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(page, admin, '/admin/tax-records?per_halaman=50');
  const rows = page.locator('[data-row]');
  await expect(rows).toHaveCount(40);
  await expect.poll(() => countWholeRows(page)).toBeGreaterThanOrEqual(12);
  await page.setViewportSize({ width: 1366, height: 768 });
  await expect.poll(() => countWholeRows(page)).toBeGreaterThanOrEqual(9);
  // The head of the table stays in sight.
  await rows.last().scrollIntoViewIfNeeded();
  await expect(page.getByRole('columnheader', { name: 'Jatuh Tempo' })).toBeInViewport();

  await page.getByRole('button', { name: /^Tunggakan/ }).click();
  await expect(rows).toHaveCount(14);
  const amounts = await rows.getByText(/^Rp/).allTextContents();
  const sum = amounts.reduce((total, text) => total + Number(text.replaceAll(/\D/g, '')), 0);
  expect(sum).toBe(14 * 100_001 + 7 * 3 * 91);
  const result = page.getByRole('status').filter({ hasText: '14 data' });
  expect((await result.textContent())?.replaceAll(/[^\d·]/g, '')).toBe(`14·${sum}`);
  await page.getByRole('button', { name: /^Tunggakan/ }).click();
  await expect(rows).toHaveCount(40);

  const presses = await countPresses(page);
  const busySeconds = await measureBusySeconds(page);
  for (let index = 0; index < 40; index += 2) await rows.nth(index).getByRole('checkbox').click();
  const bar = page.getByRole('region', { name: 'Data yang dipilih' });
  await bar.getByRole('button', { name: 'Hari ini' }).click();
  await bar.getByRole('button', { name: 'Tandai Lunas' }).click();
  await expect(toast(page, '20 data ditandai lunas')).toBeVisible();
  expect(await presses()).toBeLessThanOrEqual(22);
  expect(await busySeconds()).toBeLessThan(10);
  const countPaid = () => readStoredRecords(testServer, user).filter(({ status }) => status === 'lunas').length;
  expect(countPaid()).toBe(20);

  await page.getByRole('button', { name: 'Urungkan (Undo)' }).click();
  await expect(toast(page, '20 data dikembalikan.')).toBeVisible();
  expect(countPaid()).toBe(0);
  type Audit = { data: { data: { changes: { field: string; from: string; to: string }[] }[] } };
  const { data } = await callAs<Audit>(testServer, admin, 'GET', '/admin/audit?action=record.updated&limit=40');
  const statuses = data.data.map(({ changes }) => changes.find(({ field }) => field === 'status'));
  expect(statuses.map((change) => `${change?.from} → ${change?.to}`)).toEqual([
    ...Array.from({ length: 20 }, () => 'lunas → belum_lunas'),
    ...Array.from({ length: 20 }, () => 'belum_lunas → lunas'),
  ]);
});

test('on a phone the first record stands in the first screen, and one press opens it', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  const user = await registerUser('Pemilik Ponsel');
  const { id } = await addRecord(testServer, user, { ...homeRecord, name: 'Rumah Ponsel' });
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, admin, `/admin/tax-records?pemilik=${user.id}`);
  await expect(page.locator('[data-row]')).toHaveCount(1);
  await expect.poll(() => countWholeRows(page)).toBe(1);
  await page.getByText(homeRecord.address).click();
  await expect(page).toHaveURL(`/admin/tax-records/${id}`);
  // The main act of the page: a press, the date of today with another, and Enter.
  await page.getByRole('button', { name: 'Tandai Lunas' }).click();
  await dialog(page, 'Tandai 1 data lunas').getByRole('button', { name: 'Hari ini' }).click();
  await page.keyboard.press('Enter');
  await expect(toast(page, '1 data ditandai lunas')).toBeVisible();
  expect(readStoredRecords(testServer, user)[0]).toMatchObject({ status: 'lunas' });
});
