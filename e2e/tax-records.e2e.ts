import type { Locator, Page } from '@playwright/test';
import { callAs, expect, SERVER_DOWN_ERRORS, test, type TestUser } from './fixtures.ts';
import { expectAccessible } from './accessibility.ts';
import { holdUndo } from './chat-page.ts';
import { heading } from './page-parts.ts';
import { buildPng } from './images.ts';
import type { TestServer } from './test-server.ts';
import { expectPrintable } from './print.ts';
import {
  addProof,
  addRecord,
  homeRecord,
  pressOwnDelete,
  changeStoredRecord,
  readStoredRecords,
  shopRecord,
} from './records.ts';

const PHONE = { width: 390, height: 844 };
const warehouseRecord = {
  name: 'Gudang Tua',
  address: 'Jalan Kali No. 9',
  spt_number: '33.74.010.001.002-0099.0',
  amount: 500_000,
};

const shownCount = (page: Page) => page.getByText(/^\d+ data$/);
const rows = (page: Page) => page.getByRole('table').getByRole('row');

async function expectTexts(place: Locator, texts: string[]): Promise<void> {
  for (const text of texts) await expect(place).toContainText(text);
}

/** The paths under /api/tax-records that the page has asked for since; without the requests to the office, which are read last. */
function recordApiCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/tax-records') && pathname !== '/api/tax-records/claims')
      calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

async function statusOf(testServer: TestServer, path: string): Promise<number> {
  return (await fetch(new URL(path, testServer.url))).status;
}

test.describe('the user dashboard', () => {
  test('shows the totals and pages through the newest records', async ({ page, testServer, registerUser, openAs }) => {
    const user = await registerUser('Siti Rahmawati');
    await addRecord(testServer, user, { ...homeRecord, description: 'Rumah orang tua' });
    await addRecord(testServer, user, shopRecord);
    for (const number of [1, 2, 3, 4]) {
      await addRecord(testServer, user, {
        ...warehouseRecord,
        spt_number: `33.74.${number}`,
        status: 'proses',
        due_date: '2030-01-31',
      });
    }
    await openAs(page, user, '/dashboard');
    await expect(heading(page)).toHaveText('Selamat datang, Siti Rahmawati');

    const summary = page.getByRole('region', { name: 'Ringkasan' });
    await expect(summary).toContainText(/Total PBB\s*Rp\s6\.650\.000/);
    await expect(summary).toContainText(/Lunas\s*Rp\s3\.400\.000/);
    await expect(summary).toContainText(/Total Properti\s*6/);
    await expect(summary).toContainText(/Belum Lunas\s*Rp\s3\.250\.000/);
    await expect(summary).toContainText(/Tunggakan\s*Rp\s1\.250\.000\s*1 tagihan/);

    const activity = page.getByRole('region', { name: 'Aktivitas Terbaru' });
    await expect(activity.getByRole('listitem')).toHaveCount(5);
    await expect(activity.getByRole('listitem').first()).toContainText('33.74.4');
    await expect(activity).toContainText('Halaman 1 dari 2');
    await expect(activity.getByRole('button', { name: 'Sebelumnya (Previous)' })).toBeDisabled();
    await activity.getByRole('button', { name: 'Berikutnya (Next)' }).click();
    await expect(activity.getByRole('listitem')).toHaveCount(1);
    await expectTexts(activity.getByRole('listitem'), [
      'PBB',
      homeRecord.spt_number,
      'Rp 1.250.000',
      'Rumah orang tua',
      '2025',
      'Belum Lunas',
    ]);
    await expect(activity).toContainText('Halaman 2 dari 2');
    await page.reload();
    await expect(activity).toContainText('Halaman 2 dari 2');
  });

  test('leads from what is overdue to a stored proof in five presses, with no day that nobody chose', async ({
    page,
    testServer,
    user,
    openAs,
  }) => {
    await addRecord(testServer, user, shopRecord);
    const { id } = await addRecord(testServer, user, { ...homeRecord, description: 'Rumah orang tua' });
    await page.setViewportSize(PHONE);
    await openAs(page, user, '/dashboard');
    const owed = page.getByRole('region', { name: 'Tagihan' });
    await expect(owed).toContainText(/1 tagihan menunggak sejak 30 Sep 2025\s*Rp\s1\.250\.000/);
    const presses = [
      () => owed.getByRole('link', { name: /Lihat tunggakan/ }).click(),
      async () => {
        const chosen = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Unggah bukti pembayaran' }).click();
        await (await chosen).setFiles({ name: 'struk.png', mimeType: 'image/png', buffer: buildPng(60, 40) });
        await expect(page.getByRole('img', { name: 'Pratinjau bukti pembayaran' })).toBeVisible();
      },
      () => page.getByRole('radio', { name: 'Saya sudah membayar' }).click(),
      () => page.getByRole('button', { name: 'Hari ini' }).click(),
      () => page.getByRole('button', { name: 'Simpan (Save)' }).click(),
    ];
    for (const press of presses) await press();
    await holdUndo(page);
    await expect(page.getByRole('img', { name: 'Bukti pembayaran', exact: true })).toHaveJSProperty('naturalWidth', 60);
    expect(presses).toHaveLength(5);
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta' }).format();
    const stored = readStoredRecords(testServer, user).find((record) => record.id === id);
    expect(stored).toMatchObject({ status: 'lunas', payment_date: today, description: 'Rumah orang tua' });
    expect(stored?.proof_file).toBeTruthy();

    await page.getByRole('button', { name: 'Urungkan (Undo)' }).click();
    await expect(page.getByText('Belum ada bukti pembayaran.')).toBeVisible();
    const undone = readStoredRecords(testServer, user).find((record) => record.id === id);
    expect(undone).toMatchObject({ status: 'belum_lunas', payment_date: null, proof_file: null });
  });

  test('names a refused proof above all else, and congratulates only on what the office knows', async ({
    page,
    testServer,
    user,
    admin,
    openAs,
  }) => {
    const { id } = await addRecord(testServer, user, homeRecord);
    await page.setViewportSize(PHONE);
    await openAs(page, user, `/tax-records/${id}`);
    const photo = { name: 'struk.png', mimeType: 'image/png', buffer: buildPng(60, 40) };
    await page.locator('main input[type="file"]').setInputFiles(photo);
    await expect(page.getByRole('img', { name: 'Pratinjau bukti pembayaran' })).toBeVisible();
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await page.getByRole('radio', { name: 'Saya sudah membayar' }).click();
    const date = page.getByRole('textbox', { name: 'Tanggal Pembayaran' });
    await expect(date).toHaveValue('');
    await page.getByRole('button', { name: 'Simpan (Save)' }).click();
    await expect(page.getByText('Tanggal pembayaran wajib diisi jika status Lunas')).toBeVisible();
    await date.fill('12/03/2025');
    await date.press('Enter');
    await expect(page.locator('main [data-verification]')).toHaveText('Menunggu diperiksa kantor');
    expect(readStoredRecords(testServer, user)[0]).toMatchObject({ status: 'lunas', payment_date: '2025-03-12' });

    await page.goto('/dashboard');
    const owed = page.getByRole('region', { name: 'Tagihan' });
    await expect(owed).toHaveText('Anda melaporkan semuanya lunas; 1 menunggu diperiksa kantor');

    const path = `/admin/tax-records/${id}`;
    const { data } = await callAs<{ data: { updated_at: string } }>(testServer, admin, 'GET', path);
    const check = { result: 'rejected', reason: 'Foto buram', updated_at: data.updated_at };
    await callAs(testServer, admin, 'POST', `${path}/verification`, check);
    await page.reload();
    const refused = page.getByRole('region', { name: 'Bukti ditolak' });
    await expect(refused).toContainText('1 bukti ditolak kantor');
    await expect(owed).toHaveText('Anda melaporkan semuanya lunas; 1 ditolak kantor');
    await expectAccessible(page, 'the first screen with a refused proof');
    await refused.getByRole('link', { name: 'Lihat' }).click();
    await expect(page.getByRole('alert')).toContainText('Ditolak kantor: Foto buram');
    await expect(page.getByRole('button', { name: 'Ganti bukti pembayaran' })).toBeVisible();
  });

  test('links to the form, the list and the reports', async ({ page, user, openAs }) => {
    await openAs(page, user, '/dashboard');
    await expect(page.getByText('Belum ada aktivitas terbaru')).toBeVisible();
    for (const [name, url] of [
      ['Tambah Data PBB', '/tax-records/create'],
      ['Lihat Data PBB', '/tax-records'],
      ['Laporan', '/reports'],
    ] as const) {
      await page.goto('/dashboard');
      await page.getByRole('navigation', { name: 'Pintasan' }).getByRole('link', { name }).click();
      await expect(page).toHaveURL(url);
    }
  });
});

test.describe('the own list', () => {
  test('shows a table on a desktop and cards on a phone', async ({ page, testServer, user, openAs }) => {
    await addRecord(testServer, user, homeRecord);
    await addRecord(testServer, user, shopRecord);
    await openAs(page, user, '/tax-records');
    await expect(rows(page)).toHaveCount(3);
    await expectTexts(rows(page).nth(1), [
      'Toko/Ruko – Jalan Pasar Baru No. 3',
      'Toko Sumber Rejeki · Desa Sukamaju',
      shopRecord.spt_number,
      '2025',
      'Rp 3.400.000',
      'Lunas',
    ]);
    await expectTexts(rows(page).nth(2), ['Budi Santoso', '30 Sep 2025', 'Tunggakan', 'Rp 1.250.000', 'Belum Lunas']);
    await expect(page.getByText('Total Rp 4.650.000')).toBeVisible();
    // The whole row opens the record.
    await rows(page).nth(1).click();
    await expect(heading(page)).toHaveText('PBB 2025 · Jalan Pasar Baru No. 3');
    await page.goBack();
    await expect(rows(page)).toHaveCount(3);

    await page.setViewportSize(PHONE);
    await expect(page.getByRole('table')).toHaveCount(0);
    const card = page.getByRole('listitem').filter({ hasText: 'Toko Sumber Rejeki' });
    const place = () => card.evaluate((element) => element.getBoundingClientRect().toJSON());
    // Both buttons of the first record are in the first screen of a phone, above the chat button.
    await expect.poll(async () => (await place()).top).toBeLessThan(330);
    expect((await place()).bottom).toBeLessThan(PHONE.height - 120);
    await expectTexts(card, ['Lunas', 'Rp 3.400.000', `SPT ${shopRecord.spt_number}`, 'PBB 2025']);
    await card.getByRole('link', { name: /^Lihat \(View\) Toko Sumber Rejeki/ }).click();
    await expect(heading(page)).toHaveText('PBB 2025 · Jalan Pasar Baru No. 3');
  });

  test('explains what to do when it is empty', async ({ page, user, openAs }) => {
    await openAs(page, user, '/tax-records');
    await expect(page.getByText('Tidak ada data PBB')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Tambah Data' }).last().click();
    await expect(page).toHaveURL('/tax-records/create');
  });

  test('filters loaded records without a request, and requests overdue records', async ({
    page,
    testServer,
    user,
    openAs,
  }) => {
    await addRecord(testServer, user, homeRecord);
    await addRecord(testServer, user, shopRecord);
    const { id } = await addRecord(testServer, user, {
      ...warehouseRecord,
      property_type: 'gudang',
      status: 'proses',
      due_date: '2030-01-31',
    });
    changeStoredRecord(testServer, id, { year: 2023 });
    await openAs(page, user, '/tax-records');
    await expect(shownCount(page)).toHaveText('3 data');
    const years = page.getByLabel('Tahun').getByRole('option');
    await expect(years).toHaveText([/^Semua/, '2025', '2024', '2023', '2022']);
    const calls = recordApiCalls(page);
    const applyFilter = () => page.getByRole('button', { name: 'Filter', exact: true }).click();

    await page.getByLabel('Status').selectOption('Lunas');
    await expect(shownCount(page)).toHaveText('3 data');
    await applyFilter();
    await expect(shownCount(page)).toHaveText('1 data');
    await expect(rows(page).nth(1)).toContainText('Toko Sumber Rejeki');
    await page.getByLabel('Jenis Properti').selectOption('Gudang');
    await applyFilter();
    await expect(page.getByText('Tidak ada data PBB')).toBeVisible();
    await page.getByLabel('Status').selectOption('');
    await page.getByLabel('Tahun').selectOption('2023');
    await applyFilter();
    await expect(rows(page).nth(1)).toContainText('Gudang Tua');
    expect(calls).toEqual([]);

    await page.getByRole('button', { name: 'Bersihkan filter (Clear)' }).click();
    await expect(shownCount(page)).toHaveText('3 data');
    expect(calls).toEqual([]);
    await page.getByLabel('Tampilan', { exact: true }).selectOption('Hanya tunggakan');
    await applyFilter();
    await expect(shownCount(page)).toHaveText('1 data');
    await expect(rows(page).nth(1)).toContainText('Budi Santoso');
    expect(calls).toEqual(['GET /api/tax-records/outstanding']);
  });

  test('keeps its filter in the address', async ({ page, testServer, user, openAs }) => {
    await addRecord(testServer, user, homeRecord);
    await addRecord(testServer, user, shopRecord);
    await openAs(page, user, '/tax-records');
    await page.getByLabel('Status').selectOption('Belum Lunas');
    await page.getByLabel('Tahun').selectOption('2025');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect(page).toHaveURL('/tax-records?status=belum_lunas&tahun=2025');
    await page.reload();
    await expect(shownCount(page)).toHaveText('1 data');
    await expect(page.getByLabel('Status')).toHaveValue('belum_lunas');
    await page.goBack();
    await expect(shownCount(page)).toHaveText('2 data');
    await expect(page.getByLabel('Status')).toHaveValue('');
    await page.goto('/tax-records?status=lunas&tampilan=tunggakan&tahun=abc');
    await expect(page.getByText('Tidak ada data PBB')).toBeVisible();
    await page.goto('/tax-records?status=ngawur');
    await expect(shownCount(page)).toHaveText('2 data');
  });

  test('starts a new visit at the top, and returns to its place only by going back', async ({
    page,
    testServer,
    user,
    openAs,
  }) => {
    for (let number = 0; number < 8; number += 1) {
      await addRecord(testServer, user, { ...shopRecord, spt_number: `33.74.010.001.002-${2000 + number}.0` });
    }
    const scrollPx = () => page.evaluate(() => window.scrollY);
    await page.setViewportSize(PHONE);
    await openAs(page, user, '/dashboard');
    await page.getByLabel('Ringkasan').getByRole('link').first().click();
    await expect(shownCount(page)).toHaveText('8 data');
    await page.evaluate(() => window.scrollTo(0, 900));
    await page
      .getByRole('link', { name: /^Lihat \(View\)/ })
      .nth(4)
      .click();
    await expect(heading(page)).toHaveText('PBB 2025 · Jalan Pasar Baru No. 3');
    await expect.poll(scrollPx).toBe(0);
    await page.getByRole('link', { name: 'Kembali (Back)' }).click();
    await expect(shownCount(page)).toHaveText('8 data');
    await expect.poll(scrollPx).toBeGreaterThan(500);

    await page.getByRole('button', { name: 'Buka menu' }).click();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByLabel('Ringkasan').getByRole('link').nth(1).click();
    await expect(page).toHaveURL('/tax-records?status=lunas');
    await expect(shownCount(page)).toHaveText('8 data');
    await expect.poll(scrollPx).toBe(0);

    await page.evaluate(() => window.scrollTo(0, 900));
    await page.reload();
    await expect(shownCount(page)).toHaveText('8 data');
    // The browser restores in the frame after the rows are there.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await scrollPx()).toBe(0);
  });

  test('deletes a record after a confirmation', async ({ page, testServer, user, openAs }) => {
    await addRecord(testServer, user, homeRecord);
    await addRecord(testServer, user, shopRecord);
    await openAs(page, user, '/tax-records');
    const menu = page.getByRole('button', { name: /^Aksi lain \(More\) Toko Sumber Rejeki/ });
    const question = page.getByRole('dialog').filter({ hasText: 'Apakah Anda yakin ingin menghapus data PBB ini?' });
    await pressOwnDelete(page, 'Toko Sumber Rejeki');
    await expect(question).toContainText('Toko Sumber Rejeki');
    await expect(question.getByRole('button', { name: 'Batal' })).toBeFocused();
    await question.getByRole('button', { name: 'Batal' }).click();
    await expect(question).toBeHidden();
    await expect(menu).toBeFocused();
    expect(readStoredRecords(testServer, user)).toHaveLength(2);

    await pressOwnDelete(page, 'Toko Sumber Rejeki');
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Data PBB berhasil dihapus' })).toBeVisible();
    await expect(shownCount(page)).toHaveText('1 data');
    await expect(page.getByRole('link', { name: 'Rumah Tinggal – Jalan Melati No. 12' })).toBeFocused();
    expect(readStoredRecords(testServer, user).map(({ name }) => name)).toEqual(['Budi Santoso']);
  });

  test('shows a failed load and loads again', async ({ page, testServer, user, openAs, allowedConsoleErrors }) => {
    allowedConsoleErrors.push(SERVER_DOWN_ERRORS);
    await addRecord(testServer, user, homeRecord);
    await openAs(page, user, '/dashboard');
    await expect(page.getByRole('listitem').filter({ hasText: '0034.0' })).toBeVisible();
    await page.getByRole('navigation', { name: 'Menu utama' }).getByRole('link', { name: 'Laporan' }).click();
    await expect(heading(page)).toHaveText('Laporan');
    // Its code is fetched here, its data is not.
    await page.getByRole('navigation', { name: 'Menu utama' }).getByRole('link', { name: 'Data Pajak' }).click();
    await expect(shownCount(page)).toHaveText('1 data');
    // Only this call fails: with the whole server gone the page would try again by itself as soon as it is back.
    await page.route('**/api/tax-records/outstanding*', (route) => route.abort('connectionfailed'));
    await page.getByLabel('Tampilan', { exact: true }).selectOption('Hanya tunggakan');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Gagal memuat data PBB' })).toBeVisible();
    await page.unroute('**/api/tax-records/outstanding*');
    await page.getByRole('button', { name: 'Coba lagi' }).click();
    await expect(rows(page).nth(1)).toContainText('Budi Santoso');
  });
});

test.describe('the detail page', () => {
  test('shows all fields and the payment proof as an image', async ({ page, testServer, user, openAs }) => {
    const { id } = await addRecord(testServer, user, { ...shopRecord, notes: 'Dibayar di bank' });
    await addProof(testServer, user, id, buildPng(60, 40));
    await openAs(page, user, `/tax-records/${id}`);
    await expect(heading(page)).toHaveText('PBB 2025 · Jalan Pasar Baru No. 3');
    const main = page.getByRole('main');
    for (const text of [
      'Jalan Pasar Baru No. 3, Desa Sukamaju',
      'PBB',
      '33.74.010.001.002-0077.0',
      'Rp 3.400.000',
      'Lunas',
      '30 September 2025',
      '14 Agustus 2025',
      'Toko/Ruko',
      'Tidak ada deskripsi',
      'Dibayar di bank',
      id.slice(-8),
    ]) {
      await expect(main.getByText(text, { exact: true }).first()).toBeVisible();
    }
    const proof = page.getByRole('img', { name: 'Bukti pembayaran' });
    await expect(proof).toBeVisible();
    await page.setViewportSize(PHONE);
    await expect(proof).toHaveJSProperty('complete', true);
    const heightPx = () => page.evaluate(() => document.documentElement.scrollHeight);
    await expect.poll(heightPx, 'the height on a phone').toBeLessThan(1300);
    await expect(proof).toHaveJSProperty('naturalWidth', 60);
    await page.getByRole('button', { name: 'Lihat ukuran penuh' }).click();
    const large = page.getByRole('dialog').getByRole('img', { name: 'Bukti pembayaran' });
    await expect(large).toHaveJSProperty('naturalWidth', 60);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Kembali (Back)' }).click();
    await expect(page).toHaveURL('/tax-records');
  });

  test('refuses its payment proof to another user and without a session', async ({
    page,
    testServer,
    registerUser,
    openAs,
    allowedConsoleErrors,
  }) => {
    // A request that is under way at the logout.
    allowedConsoleErrors.push(/status of 401/);
    const [user, otherUser] = [await registerUser(), await registerUser('Orang Lain')];
    const { id } = await addRecord(testServer, user);
    await addProof(testServer, user, id, buildPng(60, 40));
    const other = await addRecord(testServer, otherUser);
    const otherUsersProof = new URL(await addProof(testServer, otherUser, other.id, buildPng(20, 20)), testServer.url);
    await openAs(page, user, `/tax-records/${id}`);
    const address = (await page.getByRole('img', { name: 'Bukti pembayaran' }).getAttribute('src')) ?? '';
    expect(await statusOf(testServer, address)).toBe(200);

    const file = new URL(address, testServer.url).pathname;
    expect(await statusOf(testServer, file)).toBe(404);
    expect(await statusOf(testServer, file + otherUsersProof.search)).toBe(404);
    const forged = address.replace(/t=(.)/, (_, first) => (first === '_' ? 't=-' : 't=_'));
    expect(await statusOf(testServer, forged)).toBe(404);
    await expect(callAs(testServer, otherUser, 'GET', `/tax-records/${id}`)).rejects.toThrow('404');

    await page.getByRole('button', { name: 'Keluar (Logout)' }).click();
    await expect(page).toHaveURL('/login');
    expect(await statusOf(testServer, address)).toBe(404);
    expect(await statusOf(testServer, otherUsersProof.pathname + otherUsersProof.search)).toBe(200);
  });

  test('shows a text in place of a payment proof that cannot be loaded', async ({
    page,
    testServer,
    user,
    openAs,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 404/);
    const { id } = await addRecord(testServer, user);
    await addProof(testServer, user, id, buildPng(60, 40));
    await page.route('**/uploads/**', (route) => route.fulfill({ status: 404 }));
    await openAs(page, user, `/tax-records/${id}`);
    await expect(page.getByText('Gambar tidak dapat ditampilkan')).toBeVisible();
    await page.unroute('**/uploads/**');
    await page.getByRole('button', { name: 'Muat ulang gambar' }).click();
    await expect(page.getByRole('img', { name: 'Bukti pembayaran' })).toHaveJSProperty('naturalWidth', 60);
  });

  test('shows that the record does not exist for a missing record and for a record of another user', async ({
    page,
    testServer,
    registerUser,
    openAs,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 404/);
    const [user, otherUser] = [await registerUser(), await registerUser('Orang Lain')];
    const { id } = await addRecord(testServer, otherUser, shopRecord);
    await openAs(page, user, `/tax-records/${id}`);
    await expect(heading(page)).toHaveText('Data PBB Tidak Ditemukan');
    await expect(page.getByText('Toko Sumber Rejeki')).toHaveCount(0);
    await page.goto('/tax-records/bukan-id');
    await expect(heading(page)).toHaveText('Data PBB Tidak Ditemukan');
    await page.getByRole('link', { name: 'Kembali ke daftar' }).click();
    await expect(page).toHaveURL('/tax-records');
  });
});

test.describe('the print view', () => {
  test('prints the list as DAFTAR DATA PBB with every filtered row', async ({
    page,
    testServer,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser('Siti Rahmawati');
    await addRecord(testServer, user, homeRecord);
    for (let number = 0; number < 24; number += 1) {
      await addRecord(testServer, user, { ...shopRecord, spt_number: `33.74.010.001.002-${1000 + number}.0` });
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await openAs(page, user, '/tax-records?status=lunas');
    await expect(shownCount(page)).toHaveText('24 data');
    await page.setViewportSize({ width: 690, height: 980 });
    await expectPrintable(page);
    await expect(page.getByText('DAFTAR DATA PBB')).toBeVisible();
    await expect(page.getByRole('definition').filter({ hasText: 'Siti Rahmawati' })).toBeVisible();
    await expect(page.getByText(/^\d{1,2} \w+ \d{4} pukul \d{2}\.\d{2}$/)).toBeVisible();
    // 24 records on two pages of the screen, with a head and a sum.
    await expect(rows(page)).toHaveCount(26);
    await expect(rows(page).last()).toContainText(/Rp\s81\.600\.000/);
    await expect(page.getByText('Budi Santoso')).toHaveCount(0);
  });

  test('prints a record as NOTA PBB with a signature', async ({ page, testServer, user, openAs }) => {
    const { id } = await addRecord(testServer, user, shopRecord);
    await page.emulateMedia({ colorScheme: 'dark' });
    await openAs(page, user, `/tax-records/${id}`);
    await expect(heading(page)).toHaveText('PBB 2025 · Jalan Pasar Baru No. 3');
    await page.setViewportSize({ width: 690, height: 980 });
    await expectPrintable(page);
    await expect(page.getByText('NOTA PBB')).toBeVisible();
    await expect(page.getByText(`No. ${id.slice(-6)}`, { exact: true })).toBeVisible();
    await expect(page.getByRole('row', { name: /Jumlah Rp\s3\.400\.000/ })).toBeVisible();
    await expect(page.getByText('Wajib Pajak', { exact: true })).toBeVisible();
  });

  test('prints a framed LUNAS and a line for the officer only where the office knows of the payment', async ({
    page,
    testServer,
    admin,
    user,
    openAs,
  }) => {
    for (const { owner, receipts } of [
      { owner: user, receipts: RECEIPTS },
      {
        owner: admin,
        receipts: RECEIPTS.filter(({ stamp, state }) => stamp === 'LUNAS' || state === 'pending').slice(0, 3),
      },
    ]) {
      await openAs(page, owner, '/tax-records');
      for (const receipt of receipts) {
        const id = await addCheckedRecord(testServer, { owner, admin }, receipt);
        await page.emulateMedia({ media: 'screen' });
        await page.goto(`/tax-records/${id}`);
        const mark = page.locator('main [data-verification]');
        await expect(heading(page)).toHaveText(/^PBB/);
        await expect(mark).toHaveCount(receipt.state === 'none' ? 0 : 1);
        if (receipt.state !== 'none') await expect(mark).toHaveAttribute('data-verification', receipt.state);
        await page.emulateMedia({ media: 'print' });
        const paper = page.locator('.print-only', { hasText: 'NOTA PBB' });
        await expect(paper.getByText('Bukan bukti setoran resmi', { exact: true })).toBeVisible();
        const name = `${receipt.status}, ${receipt.state}`;
        expect(await readStamp(paper), name).toEqual({
          text: receipt.stamp,
          isFramed: !receipt.stamp.endsWith('KANTOR'),
          signers: receipt.stamp === 'LUNAS' ? ['Wajib Pajak', 'Petugas'] : ['Wajib Pajak'],
        });
      }
    }
    // A receipt of one object does not become one of another.
    const id = await addCheckedRecord(testServer, { owner: user, admin }, { status: 'lunas', state: 'matched' });
    await callAs(testServer, user, 'PUT', `/tax-records/${id}`, { name: 'Orang Lain', spt_number: '99.99' });
    await openAs(page, user, `/tax-records/${id}`);
    await page.emulateMedia({ media: 'screen' });
    await expect(page.locator('main [data-verification]')).toHaveText('Menunggu diperiksa kantor');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('BELUM DIPERIKSA KANTOR', { exact: true })).toBeVisible();
    await expect(page.getByText('Petugas', { exact: true })).toHaveCount(0);
  });
});

type Checked = { status: string; state: string };

const RECEIPTS: (Checked & { stamp: string })[] = ['lunas', 'proses', 'belum_lunas'].flatMap((status) => {
  const stamp = status.replace('_', ' ').toUpperCase();
  return [
    { status, state: 'none', stamp },
    { status, state: 'matched', stamp },
    { status, state: 'pending', stamp: 'BELUM DIPERIKSA KANTOR' },
    { status, state: 'outdated', stamp: 'BELUM DIPERIKSA KANTOR' },
    { status, state: 'rejected', stamp: 'DITOLAK KANTOR' },
  ];
});

/** A record with a status, brought into a state of its check by the calls that lead there. */
async function addCheckedRecord(
  testServer: TestServer,
  { owner, admin }: { owner: TestUser; admin: TestUser },
  { status, state }: Checked,
): Promise<string> {
  const fields = { ...homeRecord, status, ...(status === 'lunas' ? { payment_date: '2025-08-14' } : {}) };
  type Answer = { data: { id: string; updated_at: string } };
  if (state === 'none') {
    const body = { ...fields, user_id: owner.id, year: 2025 };
    return (await callAs<Answer>(testServer, admin, 'POST', '/admin/tax-records', body)).data.id;
  }
  const { id } = await addRecord(testServer, owner, fields);
  // Without a status that reports a payment, a photo does.
  if (status === 'belum_lunas') await addProof(testServer, owner, id, buildPng(60, 40));
  if (state === 'pending') return id;
  const path = `/admin/tax-records/${id}`;
  const { data } = await callAs<Answer>(testServer, admin, 'GET', path);
  const check = state === 'rejected' ? { result: 'rejected', reason: 'Foto buram' } : { result: 'matched' };
  await callAs(testServer, admin, 'POST', `${path}/verification`, { ...check, updated_at: data.updated_at });
  if (state === 'outdated') await callAs(testServer, admin, 'PUT', path, { amount: 1_300_000 });
  return id;
}

/** The claims of a printed receipt. */
function readStamp(paper: Locator): Promise<{ text: string | undefined; isFramed: boolean; signers: string[] }> {
  return paper.evaluate((receipt) => {
    const lines = [...receipt.querySelectorAll('p')];
    const stamp = lines.find(({ innerText }) => /^((BELUM )?LUNAS|PROSES|.* KANTOR)$/.test(innerText.trim()));
    return {
      text: stamp?.innerText.trim(),
      isFramed: stamp !== undefined && getComputedStyle(stamp).borderTopStyle !== 'none',
      signers: lines.map(({ innerText }) => innerText.trim()).filter((text) => /^(Wajib Pajak|Petugas)$/.test(text)),
    };
  });
}
