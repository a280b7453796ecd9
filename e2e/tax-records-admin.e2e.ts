import { deleteAllRecords, dialog, heading, tableRow } from './admin-pages.ts';
import { expect } from './fixtures.ts';
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
  const names = page.locator('[data-row]').getByRole('rowheader').getByRole('link');
  await expect(names).toHaveText(['Ani Gudang', shopRecord.name, homeRecord.name]);
  await page.getByRole('button', { name: 'Jumlah' }).click();
  await expect(page).toHaveURL('/admin/tax-records?urut=-amount');
  await expect(names).toHaveText(['Ani Gudang', shopRecord.name, homeRecord.name]);
  await page.getByRole('button', { name: 'Jumlah' }).click();
  await expect(page).toHaveURL('/admin/tax-records?urut=amount');
  await expect(names).toHaveText([homeRecord.name, shopRecord.name, 'Ani Gudang']);
  await page.getByLabel('Status').selectOption('Belum Lunas');
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
  await expect(page.getByLabel('Status')).toHaveValue('belum_lunas');
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
  await expect(tableRow(page, 'Rumah Kartika')).toContainText('Pemilik: Kartika Dipilih');
  const [stored] = readStoredRecords(testServer, user);
  expect(stored).toMatchObject({ name: 'Rumah Kartika', status: 'belum_lunas', payment_date: null });

  await tableRow(page, 'Rumah Kartika')
    .getByRole('link', { name: /^Edit Rumah Kartika/ })
    .click();
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

test('an admin deletes a record after a confirmation', async ({ page, testServer, admin, registerUser, openAs }) => {
  const user = await registerUser('Pemilik Hapus');
  await addRecord(testServer, user, { ...homeRecord, name: 'Rumah Dihapus' });
  await openAs(page, admin, '/admin/tax-records?cari=Rumah+Dihapus');
  const remove = page.getByRole('button', { name: /^Hapus \(Delete\) Rumah Dihapus/ });
  await remove.click();
  const question = dialog(page, 'Hapus Data Pajak');
  await expect(question).toContainText('Pemilik: Pemilik Hapus');
  await question.getByRole('button', { name: 'Batal' }).click();
  await expect(question).toBeHidden();
  expect(readStoredRecords(testServer, user)).toHaveLength(1);
  await remove.click();
  await question.getByRole('button', { name: 'Hapus' }).click();
  await expect(toast(page, 'Data pajak berhasil dihapus')).toBeVisible();
  await expect(page.getByText('Tidak ada catatan pajak yang cocok')).toBeVisible();
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
  await bar.getByRole('button', { name: 'Tandai Lunas' }).click();
  const question = dialog(page, 'Tandai 2 data lunas');
  await expect(question).toContainText('1 data yang sudah lunas tidak diubah.');
  await question.getByRole('textbox', { name: 'Tanggal Pembayaran' }).fill('01/09/2026');
  await question.getByRole('button', { name: 'Tandai Lunas' }).click();
  const report = dialog(page, 'Hasil Tandai Lunas');
  await expect(report).toContainText('2 data ditandai lunas.');
  await expect(report).toContainText('1 sudah lunas sebelumnya.');
  await report.getByRole('button', { name: 'Selesai' }).click();
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
