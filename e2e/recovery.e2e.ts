import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { PHONE, test } from './chat-page.ts';
import { callAs, expect } from './fixtures.ts';
import { countPresses, dialog } from './page-parts.ts';
import { addRecord, homeRecord } from './records.ts';

const SMALL_PHONE = { width: 320, height: 700 };
const DESKTOP = { width: 1440, height: 900 };
const NEW_PASSWORD = 'kata-sandi-saya-lagi';

async function expectFitting(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? PHONE;
  await page.setViewportSize(SMALL_PHONE);
  await expectNoOverflow(page, `${name}, 320 px`);
  await page.setViewportSize(size);
  await expectNoOverflow(page, name);
  await expectAccessible(page, name);
}

/** The addresses of the tab: the shown one, and all to which its buttons lead back. */
const addressesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { navigation } = window as unknown as { navigation: { entries: () => { url: string }[] } };
    return [window.location.href, ...navigation.entries().map(({ url }) => url)];
  });

test('who forgot the password asks in two presses, the office makes a code in three, and the code opens the account', async ({
  page,
  browser,
  admin,
  registerUser,
  openAs,
  openInNewContext,
  testServer,
  allowedConsoleErrors,
}) => {
  // The ended session.
  allowedConsoleErrors.push(/status of 401/);
  const user = await registerUser('Lupa Sandi');
  await addRecord(testServer, user, homeRecord);
  const oldDevice = await openInNewContext(user, '/dashboard', { viewport: PHONE });
  await expect(oldDevice.getByRole('heading', { level: 1 })).toBeVisible();

  const context = await browser.newContext({ viewport: PHONE, baseURL: testServer.url });
  const phone = await context.newPage();
  await test.step('ask', async () => {
    await phone.goto('/login');
    const presses = await countPresses(phone);
    await phone.getByRole('button', { name: 'Lupa password?' }).click();
    await expect(phone.getByRole('textbox', { name: 'Email, nomor HP, atau kode kartu' })).toBeFocused();
    // As a keyboard of a phone does it; each key of a real one would be counted.
    await phone.keyboard.insertText(user.email);
    await phone.getByRole('button', { name: 'Minta kode' }).click();
    await expect(phone.getByText(/^Jika akun itu ada, kantor akan menghubungi Anda/)).toBeVisible();
    expect(await presses()).toBe(2);
  });

  const code = await test.step('make a code', async () => {
    await page.setViewportSize(DESKTOP);
    await openAs(page, admin, '/admin/dashboard');
    const task = page.getByRole('link', { name: /^Minta masuk lagi \(1\)/ });
    await expect(task).toBeVisible();
    const presses = await countPresses(page);
    await task.click();
    await expect(page.getByText('Minta dengan email')).toBeVisible();
    await expect(page.getByText(homeRecord.address)).toBeVisible();
    await page.getByRole('button', { name: `Buat kode untuk ${user.name}` }).click();
    await dialog(page, 'Kode masuk').getByRole('button', { name: 'Di loket' }).click();
    const shown = dialog(page, 'Kode masuk').locator('code');
    await expect(shown).toHaveText(/^[2-9A-Y]{4}-[2-9A-Y]{4}$/);
    expect(await presses()).toBe(3);
    const text = await shown.innerText();
    await dialog(page, 'Kode masuk').getByRole('button', { name: 'Sudah saya sampaikan' }).click();
    await expect(dialog(page, 'Kode masuk')).toBeHidden();
    return text;
  });

  await test.step('enter with it', async () => {
    const asked: string[] = [];
    phone.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await phone.goto(`/pulih#${code}`);
    await expect(phone.getByRole('textbox', { name: 'Kode dari kantor' })).toHaveValue(code);
    expect((await addressesOf(phone)).join('\n')).not.toContain(code);
    await phone.getByLabel('Password baru', { exact: true }).fill(NEW_PASSWORD);
    await phone.getByLabel('Konfirmasi password baru', { exact: true }).fill(NEW_PASSWORD);
    await phone.getByRole('button', { name: 'Simpan dan masuk' }).click();
    await phone.waitForURL('/dashboard');
    expect(asked.filter((text) => text.includes(code))).toEqual([]);
    expect((await addressesOf(phone)).join('\n')).not.toContain(code);
    expect(await phone.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]))).not.toContain(
      code,
    );
  });

  await test.step('the owner sees it', async () => {
    await expect(oldDevice).toHaveURL('/login');
    const line = phone.getByText(/^Kantor membuat kode masuk untuk akun Anda, .* \(diperiksa di loket\)\./);
    await expect(line).toBeVisible();
    await phone.getByRole('button', { name: 'Mengerti' }).click();
    await expect(line).toBeHidden();
    await phone.goto('/account');
    const log = phone.getByRole('list', { name: 'Catatan keamanan' });
    await expect(log).toContainText('Kode masuk dibuat oleh Petugas, diperiksa di loket');
    await expect(log).toContainText('Masuk dengan kode dari kantor');
    await expect(phone.getByText(/dengan kode dari kantor · alamat/)).toBeVisible();
    await expect(page.getByText('Tidak ada yang minta masuk lagi')).toBeVisible();
  });
  await context.close();
});

test('the screens of who forgot the password fit and have no accessibility violation', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Lupa password?' }).click();
  await page.getByRole('button', { name: 'Minta kode' }).click();
  await expect(page.getByText('Isi email, nomor HP, atau kode kartu')).toBeVisible();
  await page.keyboard.insertText('0812-3456-7890');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Jika akun itu ada/)).toBeVisible();
  await expectFitting(page, 'the answer to who forgot the password');
  await page.getByRole('link', { name: 'Sudah punya kode?' }).click();
  await page.getByRole('button', { name: 'Simpan dan masuk' }).click();
  await expect(page.getByText('Isi kode dari kantor')).toBeVisible();
  await expectFitting(page, 'the page for a code');
});

test('the screens of the office for requests and codes fit and have no accessibility violation', async ({
  page,
  admin,
  user,
  openAs,
  testServer,
}) => {
  await callAs(testServer, user, 'POST', '/auth/recovery', { identifier: user.email });
  await openAs(page, admin, '/admin/recoveries');
  await expect(page.getByText('Belum ada data PBB')).toBeVisible();
  await expectFitting(page, 'the requests');
  await page.getByRole('button', { name: `Buat kode untuk ${user.name}` }).click();
  await expect(dialog(page, 'Kode masuk').getByRole('button', { name: 'Di loket' })).toBeFocused();
  await expectFitting(page, 'the question before a code');
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Kode masuk').locator('code')).toBeFocused();
  await expectFitting(page, 'a code');
});

test('a code that is opened in a tab with the page leaves the address too', async ({ page }) => {
  await page.goto('/pulih');
  await expect(page.getByRole('heading', { name: 'Masuk dengan kode' })).toBeVisible();
  await page.evaluate(() => window.location.assign('/pulih#K7M2-9QXA'));
  await expect(page.getByRole('textbox', { name: 'Kode dari kantor' })).toHaveValue('K7M2-9QXA');
  expect((await addressesOf(page)).join('\n')).not.toContain('K7M2');
  await page.goBack();
  expect((await addressesOf(page)).join('\n')).not.toContain('K7M2');
});
