import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { dialog, heading } from './page-parts.ts';
import { ADMIN, startTestServer, type TestServer } from './test-server.ts';
import { DESKTOP, PHONE, test as base, toast } from './chat-page.ts';
import { callAs, expect } from './fixtures.ts';

/** The second backup folder of this file's server: a disk that is not always connected. */
const SECOND_DIR = join(tmpdir(), `pbb-e2e-second-${process.pid}`);
/** A backup starts a thread of its own, which a busy machine does late. */
const BACKUP_TIMEOUT_MS = 60_000;

const test = base.extend<object, { testServer: TestServer }>({
  testServer: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const server = await startTestServer({
        // No automatic ones: they would come between those that are counted.
        BACKUP_EVERY_HOURS: '0',
        BACKUP_SECOND_DIR: SECOND_DIR,
        // Its warning would stand for that of the folder.
        BACKUP_RUNNING_COPY: 'off',
      });
      await use(server);
      await server.close();
      rmSync(SECOND_DIR, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

const card = (page: Page, name: string) => page.getByRole('region', { name });
const rows = (page: Page) => page.getByRole('list', { name: 'Daftar cadangan' }).getByRole('listitem');
const warning = (page: Page) => page.getByRole('status').filter({ hasText: 'folder kedua' });
const waitForBackups = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/admin/backups'));
const passwordField = (dialogLocator: Locator) => dialogLocator.getByRole('textbox', { name: 'Password' });

async function makeBackup(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Cadangkan sekarang' });
  await expect(button).toBeVisible();
  const before = await rows(page).count();
  await button.click();
  await expect(toast(page, 'Cadangan selesai dibuat')).toBeVisible({ timeout: BACKUP_TIMEOUT_MS });
  await expect(rows(page)).toHaveCount(before + 1);
}

test('an admin makes a backup and downloads it', async ({ page, testServer, admin, openAs, allowedConsoleErrors }) => {
  // The refused password.
  allowedConsoleErrors.push(/status of 422/);
  mkdirSync(SECOND_DIR, { recursive: true });
  await openAs(page, admin, '/admin/settings');
  await expect(heading(page)).toHaveText('Pengaturan Admin');
  await makeBackup(page);
  await expect(card(page, 'Informasi Sistem')).toContainText(/Cadangan terakhir\s*Baru saja/);
  await expect(card(page, 'Cadangan')).toContainText('Tersalin baru saja');

  await rows(page).first().getByRole('button', { name: 'Unduh cadangan' }).click();
  const downloadDialog = dialog(page, 'Unduh Cadangan');
  await expect(passwordField(downloadDialog)).toBeFocused();
  await passwordField(downloadDialog).press('Enter');
  await expect(downloadDialog.getByText('Password wajib diisi')).toBeVisible();
  await passwordField(downloadDialog).fill('bukan-ini');
  await passwordField(downloadDialog).press('Enter');
  await expect(downloadDialog.getByText('Password salah')).toBeVisible();
  await passwordField(downloadDialog).fill(ADMIN.password);
  const downloadEvent = page.waitForEvent('download');
  await passwordField(downloadDialog).press('Enter');
  const download = await downloadEvent;
  await expect(toast(page, 'Unduhan dimulai')).toBeVisible();
  await expect(downloadDialog).toBeHidden();

  const name = download.suggestedFilename();
  expect(name).toMatch(/^pbb-kita-\d{8}-\d{6}-manual\.tar$/);
  const bytes = readFileSync(await download.path());
  const made = name.replace('.tar', '');
  const manifest = readFileSync(join(testServer.dataDir, 'backups', made, 'manifest.json'));
  expect(bytes.includes(manifest)).toBe(true);
  expect(readdirSync(SECOND_DIR)).toContain(made);
  await expect(page).toHaveURL('/admin/settings');
});

test('a missing second backup folder causes a warning on every admin page until it is back', async ({
  page,
  testServer,
  admin,
  openAs,
  openInNewContext,
  registerUser,
}) => {
  rmSync(SECOND_DIR, { recursive: true, force: true });
  await callAs(testServer, admin, 'POST', '/admin/backups');
  await openAs(page, admin, '/admin/settings');
  await expect(card(page, 'Cadangan').getByRole('alert')).toContainText('Cadangan tidak tersalin ke folder kedua', {
    timeout: BACKUP_TIMEOUT_MS,
  });
  await expect(warning(page)).toBeHidden();

  const menu = page.getByRole('navigation', { name: 'Menu utama' });
  await menu.getByRole('link', { name: 'Data Pajak' }).click();
  await expect(warning(page)).toBeVisible();
  await menu.getByRole('link', { name: 'Chat' }).click();
  await expect(page.getByPlaceholder('Cari nama atau email')).toBeVisible();
  await expect(warning(page)).toBeVisible();
  await expectNoOverflow(page, 'the inbox below a warning');
  const overflowPx = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  await expect.poll(overflowPx, 'how far the inbox reaches below the window').toBe(0);
  await expectAccessible(page, 'the warning');

  await warning(page).getByRole('button', { name: 'Tutup peringatan' }).click();
  await expect(warning(page)).toBeHidden();
  const answer = waitForBackups(page);
  await page.reload();
  await answer;
  await expect(warning(page)).toBeHidden();

  // Another browser still shows it; a user never sees it.
  const colleague = await openInNewContext(admin, '/admin/users', { viewport: PHONE });
  await expect(warning(colleague)).toBeVisible();
  await expectNoOverflow(colleague, 'the warning on a phone');
  const calls: string[] = [];
  const user = await openInNewContext(await registerUser(), '/dashboard', {
    prepare: async (context) => {
      context.on('request', (request) => calls.push(request.url()));
    },
  });
  await expect(heading(user)).toContainText('Selamat datang');
  expect(calls.filter((url) => url.includes('/admin/'))).toEqual([]);

  mkdirSync(SECOND_DIR, { recursive: true });
  await warning(colleague).getByRole('link', { name: 'Buka Pengaturan' }).click();
  await makeBackup(colleague);
  await expect(card(colleague, 'Cadangan').getByRole('alert')).toBeHidden();
  const newAnswer = waitForBackups(colleague);
  await colleague.goto('/admin/users');
  await newAnswer;
  await expect(warning(colleague)).toBeHidden();
});

test('the settings fit every size, light and dark, and print an address sheet', async ({ page, admin, openAs }) => {
  test.setTimeout(300_000);
  // The sheet must not depend on the network of this computer.
  await page.route('**/api/admin/system', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    const data = {
      ...body.data,
      addresses: ['http://192.168.1.10:3000', 'http://[fd00:1234:5678:9abc::10]:3000'],
      secure_addresses: ['https://192.168.1.10:3443'],
      has_local_authority: true,
      // The longest texts: nothing works yet.
      public: {
        domains: ['pbb.sukamaju-mekarsari.desa.id', 'www.sukamaju-mekarsari.desa.id'],
        address: null,
        certificate: {
          missing_names: ['pbb.sukamaju-mekarsari.desa.id', 'www.sukamaju-mekarsari.desa.id'],
          valid_until: null,
          issuing: false,
          failed_attempts: 3,
          last_error: {
            at: new Date().toISOString(),
            message: 'Penerbit sertifikat tidak dapat membuka http://pbb.sukamaju-mekarsari.desa.id/ dari internet.',
          },
          next_attempt_at: new Date(Date.now() + 3_600_000).toISOString(),
        },
      },
      push: {
        subscriptions: 12,
        waiting: 4,
        sent: 3456,
        failed: 2,
        last_failure: { at: new Date().toISOString(), message: 'updates.push.services.mozilla.com tidak menjawab.' },
        reaches_out: false,
      },
    };
    await route.fulfill({ response: answer, json: { ...body, data } });
  });
  await page.route('**/api/admin/backups', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { status: object } };
    const path = `${SECOND_DIR}/salinan-berjalan`;
    const message = `Di folder "${SECOND_DIR}" tidak ada lagi salinan berjalan: mungkin disknya belum terpasang.`;
    const stopped = { at: new Date(0).toISOString(), behind_seconds: 9999, state: 'stopped', percent: null };
    const running_copy = { path, ...stopped, message, reason: 'emptied' };
    await route.fulfill({
      response: answer,
      json: { ...body, data: { ...body.data, status: { ...body.data.status, running_copy } } },
    });
  });
  mkdirSync(SECOND_DIR, { recursive: true });
  await openAs(page, admin, '/admin/settings');
  await makeBackup(page);
  await expect(card(page, 'Cadangan').getByRole('status')).toContainText('Salinan berjalan berhenti sejak');
  await expect(page.getByRole('button', { name: 'Mulai salinan baru di sini' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Kode QR untuk http://192.168.1.10:3000' })).toBeVisible();
  for (const viewport of [DESKTOP, PHONE, { width: 320, height: 640 }]) {
    await page.setViewportSize(viewport);
    await expectAccessible(page, `the settings, ${viewport.width} px`);
    await expectNoOverflow(page, `the settings, ${viewport.width} px`);
    await rows(page).first().getByRole('button', { name: 'Unduh cadangan' }).click();
    await expect(dialog(page, 'Unduh Cadangan')).toBeVisible();
    await expectAccessible(page, `the download, ${viewport.width} px`);
    await expectNoOverflow(page, `the download, ${viewport.width} px`);
    await page.keyboard.press('Escape');
    await expect(dialog(page, 'Unduh Cadangan')).toBeHidden();
    await expect(rows(page).first().getByRole('button')).toBeFocused();
  }

  await page.evaluate(() => {
    window.print = () => {};
  });
  await page.getByRole('button', { name: 'Cetak lembar untuk warga' }).click();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Buka PBB Kita di HP Anda')).toBeVisible();
  await expect(page.getByText('Pengaturan Admin')).toBeHidden();
  const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g);
  expect(pages).toHaveLength(1);
  await page.emulateMedia({ media: 'screen' });
  await page.keyboard.press('Shift');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Buka PBB Kita di HP Anda')).toBeHidden();
  await expect(heading(page)).toBeVisible();
});
