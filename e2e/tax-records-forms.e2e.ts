import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, SERVER_GONE, test } from './fixtures.ts';
import { makePng, photoFile } from './images.ts';
import type { Office } from './office.ts';
import { addProof, addRecord, fillRecord, house, proofInput, rowsOf, saveEdit, saveNew, shop } from './records.ts';

const PROOF_MAX_BYTES = 5_242_880;

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const proofPreview = (page: Page) => page.getByRole('img', { name: 'Pratinjau bukti pembayaran' });
const leaveQuestion = (page: Page) => page.getByRole('dialog', { name: 'Perubahan belum disimpan' });
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Menu utama' }).getByRole('link', { name });

const storedProofs = (office: Office) => readdirSync(join(office.dataDir, 'proofs'));

test.describe('a new record', () => {
  test('is stored with its photo and found in the list', async ({ page, office, newResident, openAs }) => {
    const resident = await newResident();
    await openAs(page, resident, '/tax-records');
    await page.getByRole('link', { name: 'Tambah Data' }).first().click();
    await expect(heading(page)).toHaveText('Tambah Data PBB');
    await expect(textbox(page, 'Jenis Pajak')).toHaveValue('PBB');
    await expect(textbox(page, 'Tahun')).toHaveValue('2025');
    await expect(textbox(page, 'Tahun')).not.toBeEditable();
    await expect(textbox(page, 'Jenis Pajak')).not.toBeEditable();
    await expect(page.getByLabel('Status')).toHaveValue('belum_lunas');

    await fillRecord(page);
    await page.getByLabel('Jenis Properti').selectOption('Rumah Tinggal');
    await page.getByLabel('Status').selectOption('Lunas');
    await textbox(page, 'Tanggal Jatuh Tempo').fill('30/09/2025');
    await textbox(page, 'Tanggal Pembayaran').fill('14/08/2025');
    await page.getByRole('textbox', { name: 'Catatan' }).fill('Dibayar di kantor desa');
    await proofInput(page).setInputFiles(photoFile(makePng(60, 40)));
    await expect(proofPreview(page)).toHaveJSProperty('naturalWidth', 60);

    await saveNew(page).click();
    await expect(toast(page, 'Data PBB berhasil ditambahkan!')).toBeVisible();
    const savedAtMs = Date.now();
    await expect(page).toHaveURL('/tax-records/create');
    await page.waitForURL('/tax-records');
    expect(Date.now() - savedAtMs).toBeGreaterThan(1000);
    expect(Date.now() - savedAtMs).toBeLessThan(3000);
    await expect(page.getByRole('row', { name: /Budi Santoso.*Lunas/ })).toBeVisible();

    const [row] = rowsOf(office, resident);
    expect(row).toMatchObject({
      name: house.name,
      spt_number: house.spt_number,
      year: 2025,
      amount_sen: 125_000_000,
      status: 'lunas',
      due_date: '2025-09-30',
      payment_date: '2025-08-14',
      description: null,
      notes: 'Dibayar di kantor desa',
    });
    await page.getByRole('link', { name: 'Budi Santoso', exact: true }).click();
    await expect(page.getByRole('img', { name: 'Bukti pembayaran' })).toHaveJSProperty('naturalWidth', 60);
  });

  test('says what is missing, field by field', async ({ page, office, newResident, openAs }) => {
    const resident = await newResident();
    await openAs(page, resident, '/tax-records/create');
    await saveNew(page).click();
    await expect(textbox(page, 'Nama')).toBeFocused();
    await expect(textbox(page, 'Nama')).toHaveAccessibleDescription(/Nama wajib diisi/);
    await expect(textbox(page, 'Alamat')).toHaveAccessibleDescription(/Alamat wajib diisi/);
    await expect(textbox(page, 'Nomor SPT')).toHaveAccessibleDescription(/Nomor SPT wajib diisi/);
    await expect(textbox(page, 'Jumlah')).toHaveAccessibleDescription(/Jumlah wajib diisi/);
    await fillRecord(page);
    await textbox(page, 'Jumlah').fill('');
    await saveNew(page).click();
    await expect(textbox(page, 'Jumlah')).toBeFocused();
    await textbox(page, 'Tanggal Jatuh Tempo').fill('31/02/2025');
    await textbox(page, 'Jumlah').fill('1500000,50');
    await expect(textbox(page, 'Jumlah')).toHaveValue('1.500.000,50');
    expect(rowsOf(office, resident)).toEqual([]);
    await saveNew(page).click();
    await expect(toast(page, 'Data PBB berhasil ditambahkan!')).toBeVisible();
    // What is no real date counts as none (specification 5).
    expect(rowsOf(office, resident)[0]).toMatchObject({ amount_sen: 150_000_050, due_date: null });
  });

  test('is sent once however often the button is pressed', async ({ page, office, newResident, openAs }) => {
    const resident = await newResident();
    await openAs(page, resident, '/tax-records/create');
    await fillRecord(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await saveNew(page).click({ clickCount: 3 });
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Data PBB berhasil ditambahkan!')).toBeVisible();
    await page.keyboard.press('Enter');
    await page.waitForURL('/tax-records');
    expect(sent).toHaveLength(1);
    expect(rowsOf(office, resident)).toHaveLength(1);
  });

  test('large photos from a phone are made smaller before they are sent', async ({
    page,
    office,
    newResident,
    openAs,
  }) => {
    const resident = await newResident();
    await openAs(page, resident, '/tax-records/create');
    await fillRecord(page);
    const photo = makePng(2400, 1000, 'noise');
    expect(photo.length).toBeGreaterThan(PROOF_MAX_BYTES);
    await proofInput(page).setInputFiles(photoFile(photo, 'IMG_2041.png'));
    await expect(proofPreview(page)).toHaveJSProperty('naturalWidth', 2000);
    await saveNew(page).click();
    await expect(toast(page, 'Data PBB berhasil ditambahkan!')).toBeVisible();
    const [row] = rowsOf(office, resident);
    const stored = readFileSync(join(office.dataDir, 'proofs', row?.proof_file ?? ''));
    expect(stored.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(stored.length).toBeLessThan(photo.length / 2);
  });

  test('takes only pictures', async ({ page, office, newResident, openAs, quietConsole }) => {
    // The test runner's own trace reads a picture that cannot be shown once more.
    quietConsole.push(/status of 415/, /connect-src blob/, /'blob:.* "connect-src /);
    const resident = await newResident();
    await openAs(page, resident, '/tax-records/create');
    await fillRecord(page);
    const text = 'File harus berupa gambar JPG, PNG, atau GIF';
    await proofInput(page).setInputFiles(photoFile(Buffer.from('%PDF-1.7'), 'struk.pdf', 'application/pdf'));
    await expect(alert(page, text)).toBeVisible();
    await expect(proofPreview(page)).toHaveCount(0);

    // One that only calls itself a picture is found out by its bytes.
    await proofInput(page).setInputFiles(photoFile(Buffer.from('bukan gambar'), 'struk.jpg', 'image/jpeg'));
    await saveNew(page).click();
    await expect(alert(page, `Error: ${text}`)).toBeVisible();
    await expect(proofInput(page)).toHaveAccessibleDescription(new RegExp(text));
    expect(rowsOf(office, resident)).toEqual([]);

    await page.getByRole('button', { name: 'Hapus foto (Remove)' }).click();
    await proofInput(page).setInputFiles(photoFile(makePng(60, 40)));
    await expect(proofPreview(page)).toHaveJSProperty('naturalWidth', 60);
    await saveNew(page).click();
    await expect(toast(page, 'Data PBB berhasil ditambahkan!')).toBeVisible();
    expect(rowsOf(office, resident)).toHaveLength(1);
  });

  test('survives a server that dies while it is being saved', async ({
    page,
    context,
    office,
    newResident,
    openAs,
    quietConsole,
  }) => {
    quietConsole.push(SERVER_GONE);
    const resident = await newResident();
    await openAs(page, resident, '/tax-records/create');
    const proofsBefore = storedProofs(office).length;
    await fillRecord(page);
    await textbox(page, 'Tanggal Jatuh Tempo').fill('30/09/2025');
    await page.getByLabel('Status').selectOption('Proses');
    await page.getByRole('textbox', { name: 'Catatan' }).fill('Jangan hilang');
    await proofInput(page).setInputFiles(photoFile(makePng(560, 560, 'noise')));
    await expect(proofPreview(page)).toHaveJSProperty('naturalWidth', 560);
    const line = await context.newCDPSession(page);
    const uploadSpeed = async (bytesPerSecond: number) =>
      line.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: bytesPerSecond,
      });
    await line.send('Network.enable');
    await uploadSpeed(100_000);

    await saveNew(page).click();
    await expect(page.getByText(/^Mengirim foto… \d+%$/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Menyimpan...' })).toBeVisible();
    await office.stop('SIGKILL');
    await expect(alert(page, 'Terjadi kesalahan saat menambahkan data PBB')).toContainText(
      'Tidak dapat terhubung ke server.',
    );
    await expect(textbox(page, 'Nama')).toHaveValue(house.name);
    await expect(textbox(page, 'Alamat')).toHaveValue(house.address);
    await expect(textbox(page, 'Jumlah')).toHaveValue('1.250.000');
    await expect(textbox(page, 'Tanggal Jatuh Tempo')).toHaveValue('30/09/2025');
    await expect(page.getByLabel('Status')).toHaveValue('proses');
    await expect(page.getByRole('textbox', { name: 'Catatan' })).toHaveValue('Jangan hilang');
    await expect(proofPreview(page)).toHaveJSProperty('naturalWidth', 560);

    await uploadSpeed(-1);
    await office.start();
    await saveNew(page).click();
    await expect(toast(page, 'Data PBB berhasil ditambahkan!')).toBeVisible();
    const stored = rowsOf(office, resident);
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ notes: 'Jangan hilang', status: 'proses' });
    expect(storedProofs(office)).toHaveLength(proofsBefore + 1);
  });

  test('is not lost by leaving without a word', async ({ page, newResident, openAs }) => {
    const resident = await newResident();
    await openAs(page, resident, '/tax-records/create');
    await menuLink(page, 'Laporan').click();
    await expect(page).toHaveURL('/reports');

    await menuLink(page, 'Tambah Pajak').click();
    await textbox(page, 'Nama').fill('Belum disimpan');
    await menuLink(page, 'Dashboard').click();
    await leaveQuestion(page).getByRole('button', { name: 'Tetap di sini' }).click();
    await expect(leaveQuestion(page)).toBeHidden();
    await expect(textbox(page, 'Nama')).toHaveValue('Belum disimpan');
    await page.goBack();
    await leaveQuestion(page).getByRole('button', { name: 'Tetap di sini' }).click();
    await expect(page).toHaveURL('/tax-records/create');

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const browserQuestion = await asked;
    expect(browserQuestion.type()).toBe('beforeunload');
    await browserQuestion.dismiss();
    await page.getByRole('button', { name: 'Keluar (Logout)' }).click();
    await leaveQuestion(page).getByRole('button', { name: 'Tetap di sini' }).click();

    await page.getByRole('link', { name: 'Batal (Cancel)' }).click();
    await leaveQuestion(page).getByRole('button', { name: 'Tinggalkan halaman' }).click();
    await expect(page).toHaveURL('/tax-records');
  });
});

test.describe('an edit', () => {
  test('has a payment date only when paid', async ({ page, office, newResident, openAs }) => {
    const resident = await newResident();
    const { id } = await addRecord(office, resident);
    await openAs(page, resident, `/tax-records/${id}/edit`);
    await expect(heading(page)).toHaveText('Edit Data PBB');
    await expect(textbox(page, 'Tahun')).not.toBeEditable();
    await expect(textbox(page, 'Tanggal Pembayaran')).toBeDisabled();
    await expect(page.getByText('Tanggal pembayaran hanya bisa diisi jika status Lunas')).toBeVisible();
    await page.getByLabel('Status').selectOption('Lunas');
    await textbox(page, 'Tanggal Pembayaran').fill('5/10/2025');
    await textbox(page, 'Jumlah').fill('1300000');
    await saveEdit(page).click();
    await expect(toast(page, 'Data PBB berhasil diperbarui')).toBeVisible();
    await page.waitForURL('/tax-records');
    expect(rowsOf(office, resident)[0]).toMatchObject({
      status: 'lunas',
      payment_date: '2025-10-05',
      amount_sen: 130_000_000,
    });

    await page.goto(`/tax-records/${id}/edit`);
    await expect(textbox(page, 'Tanggal Pembayaran')).toHaveValue('05/10/2025');
    await page.getByLabel('Status').selectOption('Proses');
    await expect(textbox(page, 'Tanggal Pembayaran')).toBeDisabled();
    await expect(textbox(page, 'Tanggal Pembayaran')).toHaveValue('');
    await saveEdit(page).click();
    await page.waitForURL('/tax-records');
    expect(rowsOf(office, resident)[0]).toMatchObject({ status: 'proses', payment_date: null, due_date: '2025-09-30' });
  });

  test('needs its fields and an amount above nothing', async ({ page, office, newResident, openAs }) => {
    const resident = await newResident();
    const { id } = await addRecord(office, resident);
    await openAs(page, resident, `/tax-records/${id}/edit`);
    await textbox(page, 'Alamat').fill(' ');
    await saveEdit(page).click();
    await expect(alert(page, 'Mohon lengkapi data yang wajib diisi')).toBeVisible();
    await expect(textbox(page, 'Alamat')).toBeFocused();
    await textbox(page, 'Alamat').fill('Jalan Baru No. 1');
    await textbox(page, 'Jumlah').fill('0');
    await saveEdit(page).click();
    await expect(textbox(page, 'Jumlah')).toHaveAccessibleDescription('Jumlah pajak harus berupa angka yang valid');
    expect(rowsOf(office, resident)[0]).toMatchObject({ amount_sen: 125_000_000 });
  });

  test('replaces and removes the proof', async ({ page, office, newResident, openAs }) => {
    const resident = await newResident();
    const { id } = await addRecord(office, resident, shop);
    const address = await addProof(office, resident, id, makePng(20, 20));
    const proofsBefore = storedProofs(office).length;
    await openAs(page, resident, `/tax-records/${id}/edit`);
    await expect(page.getByRole('img', { name: 'Bukti pembayaran saat ini' })).toHaveJSProperty('naturalWidth', 20);
    await proofInput(page).setInputFiles(photoFile(makePng(60, 40)));
    await expect(proofPreview(page)).toHaveJSProperty('naturalWidth', 60);
    await saveEdit(page).click();
    await page.waitForURL('/tax-records');
    expect((await fetch(new URL(address, office.url))).status).toBe(404);
    expect(rowsOf(office, resident)[0]).toMatchObject({ payment_date: '2025-08-14', notes: null });

    await page.goto(`/tax-records/${id}/edit`);
    await expect(page.getByRole('img', { name: 'Bukti pembayaran saat ini' })).toHaveJSProperty('naturalWidth', 60);
    await page.getByRole('button', { name: 'Hapus foto (Remove)' }).click();
    await expect(page.getByText('Pilih atau ambil foto')).toBeVisible();
    await saveEdit(page).click();
    await page.waitForURL('/tax-records');
    expect(rowsOf(office, resident)[0]?.proof_file).toBeNull();
    expect(storedProofs(office)).toHaveLength(proofsBefore - 1);
  });

  test('loses nobody’s work when two tabs change one record', async ({
    page,
    context,
    office,
    newResident,
    openAs,
    quietConsole,
  }) => {
    quietConsole.push(/status of 409/);
    const resident = await newResident();
    const { id } = await addRecord(office, resident);
    await openAs(page, resident, `/tax-records/${id}/edit`);
    await textbox(page, 'Jumlah').fill('1500000');
    await page.getByRole('textbox', { name: 'Deskripsi' }).fill('Dari tab pertama');
    const other = await context.newPage();
    await other.goto(`/tax-records/${id}/edit`);
    await textbox(other, 'Jumlah').fill('2000000');
    await other.getByRole('textbox', { name: 'Catatan' }).fill('Dari tab kedua');
    await saveEdit(other).click();
    await expect(toast(other, 'Data PBB berhasil diperbarui')).toBeVisible();
    await other.close();

    await saveEdit(page).click();
    const conflict = page.getByRole('region', {
      name: 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.',
    });
    await expect(conflict.getByRole('heading')).toBeFocused();
    const amount = conflict.getByRole('radiogroup', { name: 'Jumlah' });
    await expect(amount.getByRole('radio', { name: 'Rp 2.000.000' })).not.toBeChecked();
    await expect(amount.getByRole('radio', { name: 'Rp 1.500.000' })).toBeChecked();
    await expect(textbox(page, 'Jumlah')).toHaveValue('1.500.000');
    await expect(page.getByRole('textbox', { name: 'Catatan' })).toHaveValue('Dari tab kedua');
    expect(rowsOf(office, resident)[0]).toMatchObject({ amount_sen: 200_000_000, description: null });

    await amount.getByRole('radio', { name: 'Rp 2.000.000' }).check();
    await expect(textbox(page, 'Jumlah')).toHaveValue('2.000.000');
    await amount.getByRole('radio', { name: 'Rp 1.500.000' }).check();
    await saveEdit(page).click();
    await expect(toast(page, 'Data PBB berhasil diperbarui')).toBeVisible();
    expect(rowsOf(office, resident)[0]).toMatchObject({
      amount_sen: 150_000_000,
      description: 'Dari tab pertama',
      notes: 'Dari tab kedua',
    });
  });

  test('of nothing, or of somebody else’s, leads back to the list', async ({
    page,
    office,
    newResident,
    openAs,
    quietConsole,
  }) => {
    quietConsole.push(/status of 404/);
    const [resident, stranger] = [await newResident(), await newResident('Orang Lain')];
    const { id } = await addRecord(office, stranger);
    await openAs(page, resident, '/tax-records/bukan-id/edit');
    await expect(heading(page)).toHaveText('ID Data Tidak Valid');
    await page.waitForURL('/tax-records');
    await page.goto(`/tax-records/${id}/edit`);
    await expect(alert(page, 'Data PBB tidak ditemukan')).toBeVisible();
    await page.waitForURL('/tax-records');
    await expect(page.getByText('Tidak ada data PBB')).toBeVisible();
  });
});
