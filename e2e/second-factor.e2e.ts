import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { PHONE } from './chat-page.ts';
import { callAs, expect, test } from './fixtures.ts';
import { logIn, loginButton } from './login-page.ts';
import { dialog } from './page-parts.ts';
import { ADMIN, startTestServer } from './test-server.ts';

const SMALL_PHONE = { width: 320, height: 700 };
const STEP_MS = 30_000;
const NEW_PASSWORD = 'kata-sandi-saya-lagi';

async function expectFitting(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? PHONE;
  await page.setViewportSize(SMALL_PHONE);
  await expectNoOverflow(page, `${name}, 320 px`);
  await page.setViewportSize(size);
  await expectNoOverflow(page, name);
  await expectAccessible(page, name);
}

/** The code that the app shows now, or one step of 30 seconds later. A code counts once, and those of the steps around now count. */
const codeOf = (secret: string, stepsLater: 0 | 1): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsLater * STEP_MS });

const appField = (page: Page) => page.getByLabel('Kode 6 angka');
const spareField = (page: Page) => page.getByLabel('Kode cadangan Anda');

/** Fills the steps of the set-up from the key of the app on. @returns the key, the code that was used, and the spare codes */
async function setUp(page: Page): Promise<{ secret: string; usedCode: string; codes: string[] }> {
  await expect(page.getByRole('img', { name: 'Kode QR untuk aplikasi kode' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Buka di aplikasi' })).toHaveAttribute('href', /^otpauth:\/\/totp\//);
  const secret = (await page.getByLabel('Kunci untuk aplikasi').innerText()).replaceAll(/\s/g, '');
  await expectFitting(page, 'the key for the app');
  const usedCode = codeOf(secret, 0);
  await appField(page).fill(usedCode);
  await page.getByRole('button', { name: 'Pasang', exact: true }).click();
  const list = page.getByLabel('Kode cadangan', { exact: true });
  const head = page.getByText(/^Kode kedua sudah terpasang/);
  await expect(head.locator('..')).toBeFocused();
  await expect(head).toBeInViewport();
  await expectFitting(page, 'the spare codes');
  return { secret, usedCode, codes: (await list.innerText()).split('\n') };
}

test('a second factor is set up, asked for at every way in, and turned off', async ({
  page,
  browser,
  admin,
  user,
  openAs,
  testServer,
  allowedConsoleErrors,
}) => {
  // The wrong code.
  allowedConsoleErrors.push(/status of 422/);
  await page.setViewportSize(PHONE);
  await openAs(page, user, '/account');
  await page.getByRole('button', { name: 'Pasang kode kedua' }).click();
  const box = dialog(page, 'Pasang kode kedua');
  await box.getByLabel('Password Anda', { exact: true }).fill(user.password);
  await expectFitting(page, 'the beginning of the set-up');
  await box.getByRole('button', { name: 'Lanjut' }).click();
  const { secret, usedCode, codes } = await setUp(page);
  expect(codes).toHaveLength(10);
  const downloading = page.waitForEvent('download');
  await box.getByRole('button', { name: 'Unduh' }).click();
  expect((await downloading).suggestedFilename()).toBe('kode-cadangan-pbb-kita.txt');
  await box.getByRole('button', { name: 'Saya sudah menyimpannya' }).click();
  await expect(page.getByText(/^Sisa 10 dari 10 kode cadangan/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Catatan keamanan' })).toContainText('Kode kedua dipasang');
  await expectFitting(page, 'the account with a second factor');
  await page.goto('/account');
  await page.evaluate(() => localStorage.clear());

  await test.step('the password and a code of the app', async () => {
    await page.goto('/login');
    await logIn(page, user);
    await expect(appField(page)).toBeFocused();
    await expectFitting(page, 'the second step');
    await appField(page).fill(usedCode);
    await loginButton(page).click();
    await expect(page.getByText('Kode salah')).toBeVisible();
    await expect(appField(page)).toBeFocused();
    await expectAccessible(page, 'a wrong code');
    await appField(page).fill(codeOf(secret, 1));
    await loginButton(page).click();
    await page.waitForURL('/dashboard');
  });

  const context = await browser.newContext({ viewport: PHONE, baseURL: testServer.url });
  const other = await context.newPage();
  await test.step('the password and a spare code', async () => {
    await other.goto('/login');
    await logIn(other, user);
    await other.getByRole('button', { name: /Pakai kode cadangan$/ }).click();
    await expect(spareField(other)).toBeFocused();
    await expectFitting(other, 'the field for a spare code');
    await spareField(other).fill((codes[0] ?? '').toLowerCase());
    await loginButton(other).click();
    await other.waitForURL('/dashboard');
    await other.goto('/account');
    await expect(other.getByText(/^Sisa 9 dari 10 kode cadangan/)).toBeVisible();
    await other.evaluate(() => localStorage.clear());
  });

  await test.step('a code of the office', async () => {
    type Made = { data: { code: string } };
    const path = `/admin/users/${user.id}/recovery-code`;
    const { data } = await callAs<Made>(testServer, admin, 'POST', path, { checked: 'counter' });
    await other.goto(`/pulih#${data.code}`);
    await other.getByLabel('Password baru', { exact: true }).fill(NEW_PASSWORD);
    await other.getByLabel('Konfirmasi password baru', { exact: true }).fill(NEW_PASSWORD);
    await other.getByRole('button', { name: 'Simpan dan masuk' }).click();
    await expect(other.getByText('Password baru tersimpan setelah kode ini benar.')).toBeVisible();
    await other.getByRole('button', { name: /Pakai kode cadangan$/ }).click();
    await spareField(other).fill(codes[1] ?? '');
    await loginButton(other).click();
    await other.waitForURL('/dashboard');
  });

  await test.step('the end', async () => {
    await other.goto('/account');
    await other.getByRole('button', { name: 'Matikan', exact: true }).click();
    const question = dialog(other, 'Matikan kode kedua');
    await question.getByLabel('Password Anda', { exact: true }).fill(NEW_PASSWORD);
    await question.getByLabel('Kode', { exact: true }).fill(codes[2] ?? '');
    await expectFitting(other, 'the end of a second factor');
    await question.getByRole('button', { name: 'Matikan' }).click();
    await expect(other.getByRole('button', { name: 'Pasang kode kedua' })).toBeVisible();
    await other.evaluate(() => localStorage.clear());
    await other.goto('/login');
    await logIn(other, { ...user, password: NEW_PASSWORD });
    await other.waitForURL('/dashboard');
  });
  await context.close();
});

test('the office takes the second factor of somebody at the counter away', async ({
  page,
  admin,
  user,
  openAs,
  testServer,
}) => {
  type Started = { data: { secret: string } };
  const own = { current_password: user.password };
  const { data } = await callAs<Started>(testServer, user, 'POST', '/auth/second-factor', own);
  await callAs(testServer, user, 'POST', '/auth/second-factor/confirm', { code: codeOf(data.secret, 0) });
  await page.setViewportSize(PHONE);
  await openAs(page, admin, `/admin/users/${user.id}`);
  await expect(page.getByText('Terpasang.')).toBeVisible();
  await page.getByRole('button', { name: 'Hapus kode kedua' }).click();
  const question = dialog(page, 'Hapus kode kedua');
  await expectFitting(page, 'the question before a second factor is taken away');
  await question.getByRole('button', { name: 'Hapus kode kedua' }).click();
  await expect(page.getByText(`Kode kedua ${user.name} dihapus`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Kode kedua' })).toBeHidden();
});

test('where the office asks for it, an admin first sets up a second factor with a code of the server’s computer', async ({
  browser,
}) => {
  const server = await startTestServer({ REQUIRE_ADMIN_SECOND_FACTOR: 'on' });
  const context = await browser.newContext({ viewport: PHONE, baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/login');
  await logIn(page, ADMIN);
  await page.waitForURL('/second-factor');
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Pasang kode kedua dulu' })).toBeVisible();
  await expectFitting(page, 'the page for a second factor');
  const program = ['dist/server/main.mjs', 'admin', 'second-factor-code', '--email', ADMIN.email];
  const printed = execFileSync(process.execPath, program, {
    env: { ...process.env, DATA_DIR: server.dataDir, LOG_LEVEL: 'error' },
    encoding: 'utf8',
  });
  await page.getByLabel('Kode pemasangan').fill(/[2-9A-Y]{5}-[2-9A-Y]{5}/.exec(printed)?.[0] ?? '');
  await page.getByLabel('Password Anda', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Lanjut' }).click();
  await setUp(page);
  await page.getByRole('button', { name: 'Saya sudah menyimpannya' }).click();
  await page.waitForURL('/admin/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.close();
  await server.close();
});
