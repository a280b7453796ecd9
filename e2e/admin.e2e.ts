import type { Page } from '@playwright/test';
import { addYears, todayIn } from '#shared/domain/dates/dates.ts';
import { expectAccessible } from './accessibility.ts';
import { deleteAllRecords, dialog, heading, tableRow } from './page-parts.ts';
import { callAs, expect } from './fixtures.ts';
import { logIn } from './login-page.ts';
import { ADMIN, type TestServer } from './test-server.ts';
import { PHONE, test, toast, whenConnected } from './chat-page.ts';
import { addRecord, homeRecord, changeStoredRecord, saveNewButton, shopRecord } from './records.ts';

const OWN_ACCOUNT_TEXT = 'Anda tidak dapat menghapus, menonaktifkan, atau menurunkan akun sendiri';
const DELETE_USER_TEXT = 'Apakah Anda yakin ingin menghapus pengguna ini? Tindakan ini tidak dapat dibatalkan.';

/** The figure of a card or a counter, by the words above it. */
const counter = (page: Page, label: string) =>
  page.getByRole('definition').and(page.locator(`dt:text-is("${label}") + dd`));

const rupiah = (amount: number) => `Rp ${amount.toLocaleString('id-ID')}`;

/** Elements that would make the page scroll sideways. Boxes with their own scrollbar and the closed menu do not count. */
function findOverflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : [];
    for (const element of document.querySelectorAll('main *, header *')) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || (box.right <= clientWidth + 1 && box.left >= -1)) continue;
      let ancestor = element.parentElement;
      while (ancestor && getComputedStyle(ancestor).overflowX === 'visible') ancestor = ancestor.parentElement;
      if (!ancestor || ancestor === document.body) found.push(`${element.tagName} ${element.textContent.slice(0, 40)}`);
    }
    return found;
  });
}

function readStoredUser(testServer: TestServer, email: string) {
  return testServer.withDatabase((database) =>
    database.prepare('select name, is_admin, is_active from users where email = ?').get(email),
  );
}

async function loginStatus(testServer: TestServer, email: string, password: string): Promise<number> {
  const { status } = await fetch(`${testServer.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return status;
}

test.describe('the admin dashboard', () => {
  test('opens after an admin signs in, and updates its statistics by itself', async ({
    page,
    testServer,
    registerUser,
    openInNewContext,
  }) => {
    await page.goto('/login');
    await logIn(page, ADMIN);
    await page.waitForURL('/admin/dashboard');
    await expect(heading(page)).toHaveText(`Selamat datang, ${ADMIN.name}`);
    await expect(page.getByText('Panel Admin / Sistem Manajemen Pajak')).toBeVisible();
    await expect(page.getByRole('banner')).toContainText(ADMIN.email);
    const labels = ['Total Users', 'Total Records', 'Lunas', 'Belum Lunas'];
    for (const label of labels) await expect(counter(page, label)).toHaveText(/^\d+$/);
    const before = Object.fromEntries(
      await Promise.all(
        labels.map(async (label) => [label, Number(await counter(page, label).textContent())] as const),
      ),
    );

    const user = await registerUser('Warga Baru');
    await openInNewContext(user, '/dashboard');
    await addRecord(testServer, user, homeRecord);
    await addRecord(testServer, user, shopRecord);
    await expect(counter(page, 'Total Users')).toHaveText(String((before['Total Users'] ?? 0) + 1));
    await expect(counter(page, 'Total Records')).toHaveText(String((before['Total Records'] ?? 0) + 2));
    await expect(counter(page, 'Lunas')).toHaveText(String((before['Lunas'] ?? 0) + 1));
    await expect(counter(page, 'Belum Lunas')).toHaveText(String((before['Belum Lunas'] ?? 0) + 1));
    await expect(page.getByRole('region', { name: 'Users Terbaru' })).toContainText(user.email);
    await expect(page.getByRole('region', { name: 'Catatan Pajak Terbaru' })).toContainText(shopRecord.name);
  });

  test('names what is to do, and each link leads to a list of exactly that', async ({
    page,
    testServer,
    admin,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser('Warga Menunggu');
    const today = todayIn('Asia/Jakarta', Date.now());
    const { id } = await addRecord(testServer, user, { ...homeRecord, status: 'proses', due_date: '2021-09-30' });
    type Version = { data: { updated_at: string } };
    const { data } = await callAs<Version>(testServer, admin, 'GET', `/admin/tax-records/${id}`);
    const check = { result: 'matched', updated_at: data.updated_at };
    await callAs(testServer, admin, 'POST', `/admin/tax-records/${id}/verification`, check);
    await addRecord(testServer, user, { ...shopRecord, status: 'belum_lunas', due_date: today });
    await callAs(testServer, user, 'POST', '/messages/send', { to_user_id: admin.id, content: 'Sudah saya bayar' });

    await openAs(page, admin, '/admin/dashboard');
    const tasks = page.getByRole('region', { name: 'Perlu ditindak' }).getByRole('link');
    for (const [label, path] of [
      [/data cocok, belum lunas/, '/api/admin/tax-records'],
      [/chat belum dibalas.*terlama menunggu/, '/api/messages/conversations'],
      [/tagihan menunggak/, '/api/admin/tax-records'],
      [/jatuh tempo minggu ini/, '/api/admin/tax-records'],
    ] as const) {
      const task = tasks.filter({ hasText: label });
      const text = (await task.innerText()).replaceAll(/\s/g, ' ');
      const href = (await task.getAttribute('href')) ?? '';
      const answer = page.waitForResponse((response) => {
        const { pathname, searchParams } = new URL(response.url());
        // The dashboard counts the waiting conversations itself, with a list of one row.
        return (
          pathname === path &&
          searchParams.get('limit') !== '1' &&
          ['verification', 'outstanding', 'due_from', 'unanswered', 'state'].some((name) => searchParams.has(name))
        );
      });
      await task.click();
      const body = await (await answer).json();
      const list = path === '/api/admin/tax-records' ? body.data : body;
      expect(text).toMatch(new RegExp(`^${list.total} `));
      if (list.total_amount !== undefined) expect(text).toContain(rupiah(list.total_amount));
      // Before the list has its entry in the browser's history, going back would leave the dashboard.
      await page.waitForURL((url) => url.pathname === href.split('?')[0]);
      await page.goBack();
    }
  });

  test('shows the amounts of another period without a call', async ({ page, testServer, admin, user, openAs }) => {
    await addRecord(testServer, user, shopRecord);
    const { id } = await addRecord(testServer, user, homeRecord);
    changeStoredRecord(testServer, id, { createdAt: `${new Date().getFullYear()}-01-01T10:00:00+07:00` });
    type Answer = { data: { periods: Record<string, { total_records: number; total_tax: number }> } };
    const { data } = await callAs<Answer>(testServer, admin, 'GET', '/admin/statistics');
    let lastCallMs = Date.now();
    page.on('request', (request) => {
      if (request.url().includes('/api/')) lastCallMs = Date.now();
    });
    // The warning about backups reads their status some seconds after the page.
    const backupsResponse = page.waitForResponse((response) => response.url().endsWith('/api/admin/backups'));
    await openAs(page, admin, '/admin/dashboard');
    const summary = page.getByRole('region', { name: 'Ringkasan Keuangan' });
    const period = summary.getByLabel('Periode ringkasan keuangan');
    await expect(period.locator('option:checked')).toHaveText('Bulan Ini');
    await expect(summary).toContainText(`${data.periods['month']?.total_records} data, menurut waktu pencatatan`);
    await backupsResponse;
    // The socket of the chat connects after the page, and the page then reads the statistics once more.
    await expect.poll(() => Date.now() - lastCallMs).toBeGreaterThan(2000);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    for (const [name, label] of [
      ['today', 'Hari Ini'],
      ['week', 'Minggu Ini'],
      ['year', 'Tahun Ini'],
    ] as const) {
      await period.selectOption(label);
      const { total_records, total_tax } = data.periods[name] ?? { total_records: NaN, total_tax: NaN };
      await expect(summary).toContainText(`${total_records} data, menurut waktu pencatatan`);
      await expect(summary).toContainText(`Total Pajak${rupiah(total_tax)}`);
    }
    for (const label of ['Total Pajak', 'Pajak Terbayar', 'Belum Terbayar']) await expect(summary).toContainText(label);
    expect(calls.filter((url) => url.includes('/api/'))).toEqual([]);
  });
});

test.describe('user administration', () => {
  test('creates a user who can then sign in', async ({ page, testServer, admin, openAs }) => {
    await openAs(page, admin, '/admin/users');
    await expect(heading(page)).toHaveText('Kelola Users');
    await page.getByRole('link', { name: 'Tambah User' }).click();
    await expect(heading(page)).toHaveText('Tambah User');
    await saveNewButton(page).click();
    await expect(toast(page, 'Nama, email, dan password wajib diisi').first()).toBeVisible();
    const email = `nurul-${Date.now()}@contoh.id`;
    await page.getByRole('textbox', { name: 'Nama' }).fill('Nurul Hasanah');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    const password = page.getByRole('textbox', { name: 'Password' });
    await password.fill('pendk');
    await saveNewButton(page).click();
    await expect(password).toHaveAccessibleDescription(/Password minimal 6 karakter/);
    expect(readStoredUser(testServer, email)).toBeUndefined();

    await password.fill('rahasia-nurul');
    await saveNewButton(page).click();
    await expect(toast(page, 'User berhasil dibuat')).toBeVisible();
    await page.waitForURL('/admin/users');
    await expect(tableRow(page, email)).toContainText('Nurul Hasanah');
    await expect(tableRow(page, email)).toContainText('User');
    await expect(tableRow(page, email)).toContainText('Aktif');
    expect(readStoredUser(testServer, email)).toEqual({ name: 'Nurul Hasanah', is_admin: 0, is_active: 1 });
    expect(await loginStatus(testServer, email, 'rahasia-nurul')).toBe(200);
  });

  test('opens the edit dialog from ?edit= and removes the parameter from the address', async ({
    allowedConsoleErrors,
    page,
    testServer,
    admin,
    registerUser,
    openAs,
  }) => {
    // The first password is wrong.
    allowedConsoleErrors.push(/status of 422/);
    const user = await registerUser('Joko Susilo');
    await openAs(page, admin, `/admin/users?edit=${user.id}`);
    const editor = dialog(page, 'Edit Pengguna');
    await expect(editor.getByRole('textbox', { name: 'Nama' })).toHaveValue('Joko Susilo');
    await expect(page).toHaveURL('/admin/users');
    await expect(editor.getByRole('checkbox', { name: 'Pengguna Aktif' })).toBeChecked();
    await expect(editor.getByRole('checkbox', { name: 'Hak Akses Admin' })).not.toBeChecked();
    await editor.getByRole('textbox', { name: 'Nama' }).fill('');
    await editor.getByRole('button', { name: 'Update' }).click();
    await expect(toast(page, 'Nama dan email wajib diisi').first()).toBeVisible();
    await editor.getByRole('textbox', { name: 'Nama' }).fill('Joko Susilo Adi');
    await editor.getByRole('checkbox', { name: 'Hak Akses Admin' }).check();
    await editor.getByRole('button', { name: 'Update' }).click();
    const question = dialog(page, 'Administrator baru');
    await question.getByRole('textbox', { name: 'Password Anda' }).fill('salah');
    await question.getByRole('button', { name: 'Jadikan administrator' }).click();
    await expect(question.getByText('Password salah').first()).toBeVisible();
    await question.getByRole('textbox', { name: 'Password Anda' }).fill(admin.password);
    await question.getByRole('button', { name: 'Jadikan administrator' }).click();
    await expect(
      toast(page, `User berhasil diperbarui. Joko Susilo Adi (${user.email}) sekarang administrator.`),
    ).toBeVisible();
    await expect(editor).toBeHidden();
    await expect(tableRow(page, user.email)).toContainText('Joko Susilo Adi');
    await expect(tableRow(page, user.email)).toContainText('Admin');
    expect(readStoredUser(testServer, user.email)).toEqual({ name: 'Joko Susilo Adi', is_admin: 1, is_active: 1 });
  });

  test('ends the session of a user at once when the user is deactivated', async ({
    page,
    testServer,
    admin,
    registerUser,
    openAs,
    openInNewContext,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 401/);
    const user = await registerUser('Mulyadi Online');
    const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE });
    await expect(phone.getByRole('button', { name: /^Buka Live Chat/ })).toBeVisible();
    await openAs(page, admin, '/admin/users');
    const toggle = async (name: string) => {
      await tableRow(page, user.email).getByRole('button', { name: 'Tindakan lain' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await toggle(`Nonaktifkan ${user.name}`);
    const question = dialog(page, 'Nonaktifkan Pengguna');
    await expect(question).toContainText(user.email);
    await question.getByRole('button', { name: 'Nonaktifkan' }).click();
    await expect(toast(page, 'User berhasil diperbarui')).toBeVisible();
    await expect(phone).toHaveURL('/login');
    await expect(tableRow(page, user.email)).toContainText('Nonaktif');
    expect(await loginStatus(testServer, user.email, user.password)).not.toBe(200);
    await toggle(`Aktifkan ${user.name}`);
    await expect(tableRow(page, user.email).getByText('Aktif', { exact: true })).toBeVisible();
    expect(await loginStatus(testServer, user.email, user.password)).toBe(200);
  });

  test('shows 12 users at 1440 by 900 pixels and 9 at 1366 by 768, under a head that stays', async ({
    page,
    testServer,
    admin,
    openAs,
  }) => {
    for (let number = 0; number < 14; number += 1) {
      await callAs(testServer, admin, 'POST', '/admin/users', {
        name: `Warga Padat ${number}`,
        email: `padat-${number}@contoh.id`,
        password: 'rahasia',
      });
    }
    await openAs(page, admin, '/admin/users?cari=padat-');
    await expect(page.getByText('1–14 dari 14')).toBeAttached();
    const countVisible = () =>
      page.locator('tbody tr').evaluateAll((rows) => {
        const boxes = rows.map((row) => row.getBoundingClientRect());
        return boxes.filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length;
      });
    for (const [width, height, rowsMin] of [
      [1440, 900, 12],
      [1366, 768, 9],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(countVisible).toBeGreaterThanOrEqual(rowsMin);
    }
    await page.locator('tbody tr').last().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2000);
    await expect(page.getByRole('columnheader', { name: 'Email' })).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: 'Baris rapat (Compact)' }).click();
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(countVisible).toBe(14);
  });

  test('deletes a user after a confirmation, but not the own account', async ({
    page,
    testServer,
    admin,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser('Akan Dihapus');
    await openAs(page, admin, '/admin/users');
    await tableRow(page, user.email)
      .getByRole('button', { name: `Hapus (Delete) ${user.name}` })
      .click();
    const question = dialog(page, 'Hapus Pengguna');
    await expect(question.getByText(DELETE_USER_TEXT, { exact: true })).toBeVisible();
    await question.getByRole('button', { name: 'Batal' }).click();
    await expect(question).toBeHidden();
    expect(readStoredUser(testServer, user.email)).toBeDefined();
    await tableRow(page, user.email)
      .getByRole('button', { name: `Hapus (Delete) ${user.name}` })
      .click();
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(toast(page, 'User berhasil dihapus')).toBeVisible();
    await expect(tableRow(page, user.email)).toHaveCount(0);
    expect(readStoredUser(testServer, user.email)).toBeUndefined();

    const own = tableRow(page, ADMIN.email);
    await expect(own).toContainText('(Anda)');
    const menu = page.getByRole('menu');
    const remove = own.getByRole('button', { name: `Hapus (Delete) ${ADMIN.name}` });
    for (const [control, open] of [
      [remove, async () => {}],
      [menu.getByRole('menuitem', { name: /^Nonaktifkan/ }), () => own.getByLabel(/^Tindakan lain/).click()],
    ] as const) {
      await open();
      await expect(control).toHaveAttribute('aria-disabled', 'true');
      await expect(control).toHaveAccessibleDescription(OWN_ACCOUNT_TEXT);
      await control.click({ force: true });
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await own.getByRole('button', { name: `Edit ${ADMIN.name}` }).click();
    await expect(dialog(page, 'Edit Pengguna')).toContainText(`${OWN_ACCOUNT_TEXT}. Mintalah admin lain`);
    for (const name of ['Pengguna Aktif', 'Hak Akses Admin']) {
      await expect(dialog(page, 'Edit Pengguna').getByRole('checkbox', { name })).toBeDisabled();
    }
  });
});

test('the admin report shows five totals and their distribution, and says so when there are no records', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await deleteAllRecords(testServer, admin);
  const connected = whenConnected(page);
  await openAs(page, admin, '/admin/reports');
  await expect(heading(page)).toHaveText('Laporan (Admin)');
  await expect(page.getByText('Tidak ada data')).toBeVisible();
  await connected;
  const user = await registerUser();
  await addRecord(testServer, user, homeRecord);
  await addRecord(testServer, user, shopRecord);
  await addRecord(testServer, user, { ...homeRecord, status: 'proses' });
  const main = page.getByRole('main');
  await expect(page.getByText('Tidak ada data')).toHaveCount(0);
  for (const label of ['Total Records', 'Lunas', 'Belum Lunas', 'Proses', 'Total Pajak']) {
    await expect(main.getByText(label, { exact: true }).first()).toBeVisible();
  }
  await expect(main).toContainText(/Rp\s5\.900\.000/);
  const spread = page.getByRole('region', { name: 'Distribusi Status' });
  // Together 100.
  await expect(spread.getByRole('listitem')).toContainText(['34% · 1 data', '33% · 1 data', '33% · 1 data']);
  await expect(spread.getByText('3', { exact: true })).toBeVisible();

  // Two years of payments and a bill that is not due yet; the four numbers equal what the records of the list add up to.
  const today = todayIn('Asia/Jakarta', Date.now());
  const year = Number(today.slice(0, 4));
  const paid = { ...shopRecord, spt_number: '33.74.010.001.002-0401.0', amount: 110_000 };
  await addRecord(testServer, user, { ...paid, payment_date: today });
  await addRecord(testServer, user, {
    ...paid,
    spt_number: '33.74.010.001.002-0402.0',
    payment_date: `${year - 1}-12-31`,
  });
  await addRecord(testServer, user, {
    ...paid,
    spt_number: '33.74.010.001.002-0403.0',
    payment_date: `${year - 1}-01-01`,
  });
  await addRecord(testServer, user, {
    ...homeRecord,
    spt_number: '33.74.010.001.002-0404.0',
    amount: 70_000,
    due_date: `${year + 1}-09-30`,
  });
  type ListedRecord = { amount: number; status: string; due_date: string | null; payment_date: string | null };
  const list = await callAs<{ data: { data: ListedRecord[]; total: number } }>(
    testServer,
    admin,
    'GET',
    '/admin/tax-records?limit=100',
  );
  const records = list.data.data;
  expect(records).toHaveLength(list.data.total);
  const sumWhere = (matches: (record: ListedRecord) => boolean) => {
    const found = records.filter((record) => matches(record));
    return { count: found.length, text: rupiah(found.reduce((sum, { amount }) => sum + amount, 0)) };
  };
  const isUnpaid = ({ status }: ListedRecord) => status !== 'lunas';
  const expected = {
    Diterima: sumWhere(({ payment_date }) => payment_date?.startsWith(`${year}-`) ?? false),
    // The same days of the year before.
    'Periode sebelumnya': sumWhere(
      ({ payment_date }) =>
        payment_date !== null && payment_date >= `${year - 1}-01-01` && payment_date <= addYears(today, -1),
    ),
    'Belum terbayar (termasuk Proses)': sumWhere(isUnpaid),
    Tunggakan: sumWhere((record) => isUnpaid(record) && record.due_date !== null && record.due_date < today),
  };
  // Each differs from the others, so that none is shown in the place of another.
  expect(Object.values(expected).map(({ count }) => count)).toEqual([1, expect.any(Number), 3, 2]);
  await page.goto('/admin/reports');
  for (const [label, { count, text }] of Object.entries(expected)) {
    const card = main.locator('dl[aria-label="Angka utama"] > div').filter({ hasText: label }).first();
    await expect(card.locator('dd').first(), label).toHaveText(text);
    if (label !== 'Periode sebelumnya') await expect(card, label).toContainText(`${count} `);
  }
});

test('the audit log shows which user or admin made each change', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  const user = await registerUser('Ratih Pelaku');
  const name = `Rumah Ratih ${Date.now()}`;
  const { id } = await addRecord(testServer, user, { ...homeRecord, name });
  await callAs(testServer, admin, 'PUT', `/admin/tax-records/${id}`, { status: 'lunas', payment_date: '2026-08-14' });
  await openAs(page, admin, `/admin/tax-records/${id}`);
  const own = page.getByRole('region', { name: 'Riwayat perubahan' }).getByRole('listitem');
  await expect(own.first()).toContainText('mengubah data PBB');
  await expect(own.first()).toContainText(ADMIN.name);
  await callAs(testServer, admin, 'DELETE', `/admin/tax-records/${id}`);

  await page.goto('/admin/audit');
  await expect(heading(page)).toHaveText('Riwayat Perubahan');
  await page.getByPlaceholder('Nama, nomor SPT, atau pelaku').fill(name);
  await expect(page.getByText('3 perubahan')).toBeVisible();
  const entries = page.getByRole('main').getByRole('listitem');
  await expect(entries.nth(0)).toContainText(/Ibu Ratna\s*Admin\s*menghapus data PBB/);
  await expect(entries.nth(1)).toContainText(/Ibu Ratna\s*Admin\s*mengubah data PBB/);
  await expect(entries.nth(1)).toContainText(/dari\s*Belum Lunas\s*menjadi\s*Lunas/);
  await expect(entries.nth(2)).toContainText(/Ratih Pelaku\s*Warga\s*menambahkan data PBB/);
  await page.getByLabel('Tindakan').selectOption('Data PBB dihapus');
  await expect(page.getByText('1 perubahan')).toBeVisible();
});

test('settings are saved and reset, and survive a reload', async ({ page, admin, openAs }) => {
  await openAs(page, admin, '/admin/settings');
  await expect(heading(page)).toHaveText('Pengaturan Admin');
  const sound = page.getByRole('switch', { name: 'Suara chat' });
  const stored = () => page.evaluate(() => localStorage.getItem('admin_settings'));
  await expect(sound).toBeChecked();
  await sound.press('Space');
  await expect(sound).not.toBeChecked();
  await expect(page.getByText('Ada perubahan yang belum disimpan.')).toBeVisible();
  expect(await stored()).toBeNull();
  await page.getByRole('button', { name: 'Simpan (Save)' }).click();
  await expect(toast(page, 'Pengaturan berhasil disimpan')).toBeVisible();
  expect(JSON.parse((await stored()) ?? '')).toEqual({
    notifications: true,
    desktopNotifications: false,
    chatSound: false,
    repeatSound: false,
  });
  await page.reload();
  await expect(sound).not.toBeChecked();
  await page.getByRole('main').getByRole('button', { name: 'Reset', exact: true }).click();
  await dialog(page, 'Reset Pengaturan').getByRole('button', { name: 'Batal' }).click();
  await expect(dialog(page, 'Reset Pengaturan')).toBeHidden();
  await expect(sound).not.toBeChecked();
  await page.getByRole('main').getByRole('button', { name: 'Reset', exact: true }).click();
  await dialog(page, 'Reset Pengaturan').getByRole('button', { name: 'Reset' }).click();
  await expect(toast(page, 'Pengaturan berhasil direset')).toBeVisible();
  await expect(sound).toBeChecked();
  await expect(page.getByRole('definition').filter({ hasText: 'Terhubung' })).toBeVisible();
});

test('Ctrl+K jumps to a screen and a record, and shows the arrears of a user after two presses and the name', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  const user = await registerUser('Zubaidah Lompat');
  const { id } = await addRecord(testServer, user, { ...homeRecord, name: 'Rumah Zamrud' });
  await addRecord(testServer, user, { ...shopRecord, status: 'belum_lunas', payment_date: '', amount: 125_000 });
  await openAs(page, admin, '/admin/dashboard');
  await expect(heading(page)).toContainText('Selamat datang');
  const field = page.getByLabel('Cari halaman, pengguna, atau data PBB');
  async function openFromPalette(words: string, option: RegExp): Promise<void> {
    await page.keyboard.press('Control+k');
    await field.fill(words);
    const chosen = page.locator('[role="option"][data-combobox-selected]');
    await expect(chosen).toHaveAccessibleName(option);
    await field.press('Enter');
    await expect(field).toHaveCount(0);
  }
  await openFromPalette('lapor', /^Laporan/);
  await expect(page).toHaveURL('/admin/reports');
  // Ctrl+K, the name, Enter: the sum is on the screen, without another press.
  await openFromPalette('Zubaidah', /Zubaidah Lompat/);
  await expect(page).toHaveURL(`/admin/users/${user.id}`);
  const arrears = page.getByRole('region', { name: 'Tunggakan' });
  await expect(arrears.getByText('Rp 1.375.000').first()).toBeInViewport();
  await expect(arrears).toContainText('2 data lewat jatuh tempo');
  await expect(arrears.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Data PBB' }).getByRole('listitem')).toHaveCount(2);

  await page.keyboard.press('?');
  const shortcuts = dialog(page, 'Pintasan keyboard');
  await expect(shortcuts).toContainText('berpindah percakapan');
  await page.keyboard.press('Escape');
  await expect(shortcuts).toBeHidden();
  await page.getByRole('button', { name: 'Cari (Search)' }).click();
  await field.fill('Zamrud');
  await page.getByRole('option', { name: /^Rumah Zamrud/ }).click();
  await expect(page).toHaveURL(`/admin/tax-records/${id}`);
  await page.getByRole('link', { name: 'Zubaidah Lompat' }).click();
  await expect(page).toHaveURL(`/admin/users/${user.id}`);
});

test('every page fits a phone and is accessible, light and dark', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  test.slow();
  const user = await registerUser('Warga Bernama Sangat Panjang Sekali Sampai Tidak Muat Di Layar Kecil');
  const { id } = await addRecord(testServer, user, {
    ...shopRecord,
    name: 'Perusahaan Perkebunan Nusantara Sejahtera Abadi',
  });
  const phone = await openInNewContext(admin, '/admin/dashboard', { viewport: PHONE });
  // The header repeats the title of the page; only names that people gave may be cut there.
  const headerTitle = phone.getByRole('banner').locator('[data-title]');
  const hiddenPx = () =>
    headerTitle.evaluate((title: HTMLElement) => {
      // A word that does not fit would be broken.
      title.style.overflowWrap = 'normal';
      const hidden = Math.max(title.scrollHeight - title.clientHeight, title.scrollWidth - title.clientWidth);
      title.style.overflowWrap = '';
      return hidden;
    });
  for (const [path, title] of [
    ['/admin/dashboard', /^Selamat datang/],
    ['/admin/users', 'Kelola Users'],
    ['/admin/users/create', 'Tambah User'],
    [`/admin/users/${user.id}`, user.name],
    ['/admin/tax-records', 'Manajemen Catatan Pajak'],
    ['/admin/tax-records/create', 'Tambah Data Pajak (Admin)'],
    [`/admin/tax-records/${id}`, 'Detail Data Pajak'],
    [`/admin/tax-records/${id}/edit`, 'Edit Data Pajak'],
    ['/admin/reports', 'Laporan (Admin)'],
    ['/admin/audit', 'Riwayat Perubahan'],
    ['/admin/chat', 'Chat'],
    [`/admin/chat?user=${user.id}`, user.name],
    ['/admin/settings', 'Pengaturan Admin'],
    ['/admin/account', /Akun/],
  ] as const) {
    await phone.goto(path);
    await expect(heading(phone), path).toHaveText(title);
    await phone.waitForLoadState('networkidle');
    expect(await findOverflowingElements(phone), `what does not fit on ${path}`).toEqual([]);
    // So high that the bar which saves a form covers no half of a field: that depends on where the page is scrolled to.
    await phone.setViewportSize({ ...PHONE, height: 3000 });
    await expectAccessible(phone, path);
    for (const width of path.startsWith('/admin/chat?') || title === user.name ? [] : [320, 360, PHONE.width]) {
      await phone.setViewportSize({ ...PHONE, width });
      await expect.poll(hiddenPx, `the title in the header of ${path}, ${width} px`).toBeLessThanOrEqual(0);
    }
    await phone.setViewportSize(PHONE);
  }
});
