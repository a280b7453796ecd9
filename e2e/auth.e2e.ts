import type { Page } from '@playwright/test';
import { expect, test, type TestUser } from './fixtures.ts';
import { emailField, fillCredentials, logIn, loginButton, passwordField } from './login-page.ts';
import { ADMIN } from './test-server.ts';

const OFFLINE_TEXT = 'Tidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.';
const SESSION_ENDED_TEXT = 'Sesi Anda telah berakhir. Silakan login kembali.';

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Nama Lengkap (Full name)' });
const confirmationField = (page: Page) => page.getByLabel('Konfirmasi Password (Password confirmation)');
const registerButton = (page: Page) => page.getByRole('button', { name: 'Daftar (Register)' });

const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).toSorted());

type Registration = { name: string; email: string; password: string; confirmation?: string };

async function fillRegistration(
  page: Page,
  { name, email, password, confirmation = password }: Registration,
): Promise<void> {
  await nameField(page).fill(name);
  await fillCredentials(page, { email, password });
  await confirmationField(page).fill(confirmation);
}

/** Runs the step that shows the overlay. @returns milliseconds from its beginning until the page behind `url` comes */
async function measureOverlayMs(page: Page, submit: () => Promise<void>, title: string, url: string): Promise<number> {
  const startedAtMs = Date.now();
  await submit();
  await expect(page.getByRole('alertdialog', { name: title })).toHaveAccessibleDescription('Mohon tunggu sebentar...');
  await page.waitForURL(url);
  return Date.now() - startedAtMs;
}

function endSessionsOf(database: { prepare: (sql: string) => { run: (id: string) => unknown } }, user: TestUser): void {
  database.prepare('delete from sessions where user_id = ?').run(user.id);
}

test.describe('registration', () => {
  test('shows a message beside each missing or invalid field', async ({ page }) => {
    await page.goto('/register');
    await registerButton(page).click();
    await expect(nameField(page)).toHaveAccessibleDescription('Nama wajib diisi');
    await expect(emailField(page)).toHaveAccessibleDescription(/^Email wajib diisi Alamat email, contoh/);
    await expect(passwordField(page)).toHaveAccessibleDescription(/Password wajib diisi/);
    await expect(confirmationField(page)).toHaveAccessibleDescription('Konfirmasi password wajib diisi');
    await expect(nameField(page)).toBeFocused();

    await fillRegistration(page, {
      name: 'Siti Rahmawati',
      email: 'bukan-email',
      password: 'pendek1',
      confirmation: 'lain',
    });
    await registerButton(page).click();
    await expect(nameField(page)).not.toHaveAccessibleDescription(/wajib/);
    await expect(emailField(page)).toHaveAccessibleDescription(/^Email harus valid Alamat email, contoh/);
    await expect(passwordField(page)).toHaveAccessibleDescription(/Password minimal 8 karakter/);
    await expect(confirmationField(page)).toHaveAccessibleDescription('Password harus sama');
    await expect(emailField(page)).toBeFocused();
    await expect(page).toHaveURL('/register');
  });

  test('shows the success for two seconds and opens the dashboard', async ({ page, testServer }) => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Daftar (Register)' }).click();
    const email = `siti-${Date.now()}@contoh.id`;
    await fillRegistration(page, { name: 'Siti Rahmawati', email: email, password: 'kata-sandi-siti' });
    const submit = () => registerButton(page).click();
    expect(await measureOverlayMs(page, submit, 'Registrasi Berhasil!', '/dashboard')).toBeGreaterThanOrEqual(2000);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Selamat datang, Siti Rahmawati');
    await expect(page.getByText('Belum ada aktivitas terbaru')).toBeVisible();
    expect(await storedKeys(page)).toEqual(['pbb-device-tokens', 'token', 'user']);

    const row = testServer.withDatabase((database) =>
      database.prepare('select name, is_admin, is_active, password_hash from users where email = ?').get(email),
    );
    expect(row).toMatchObject({ name: 'Siti Rahmawati', is_admin: 0, is_active: 1 });
    expect(JSON.stringify(row)).not.toContain('kata-sandi-siti');
  });

  test('reports a registered e-mail address and keeps the typed values', async ({
    page,
    user,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 422/);
    await page.goto('/register');
    await fillRegistration(page, { name: 'Orang Lain', email: user.email.toUpperCase(), password: 'kata-sandi-lain' });
    await registerButton(page).click();
    await expect(page.getByRole('alert')).toHaveText('Email sudah terdaftar');
    await expect(emailField(page)).toBeFocused();
    await expect(nameField(page)).toHaveValue('Orang Lain');
    await expect(passwordField(page)).toHaveValue('kata-sandi-lain');
    expect(await storedKeys(page)).toEqual([]);
  });

  test('shows terms and privacy without leaving the page', async ({ page }) => {
    await page.goto('/register');
    await nameField(page).fill('Siti');
    for (const [link, title, words] of [
      ['Syarat & Ketentuan (Terms)', 'Syarat & Ketentuan', 'tidak menggantikan dokumen resmi'],
      ['Kebijakan Privasi (Privacy)', 'Kebijakan Privasi', 'foto bukti pembayaran'],
    ] as const) {
      const opener = page.getByRole('button', { name: link });
      await opener.click();
      const dialog = page.getByRole('dialog', { name: title });
      await expect(dialog).toContainText(words);
      await expect(page).toHaveURL('/register');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();
    }
    await expect(nameField(page)).toHaveValue('Siti');
  });

  test('reports a missing network in Indonesian and keeps the typed values', async ({
    page,
    context,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/register');
    await fillRegistration(page, { name: 'Siti Rahmawati', email: 'siti@contoh.id', password: 'kata-sandi-siti' });
    await context.setOffline(true);
    await registerButton(page).click();
    await expect(page.getByRole('alert')).toContainText('Terjadi kesalahan saat registrasi');
    await expect(page.getByRole('alert')).toContainText(OFFLINE_TEXT);
    await expect(nameField(page)).toHaveValue('Siti Rahmawati');
    await expect(confirmationField(page)).toHaveValue('kata-sandi-siti');
  });
});

test.describe('login', () => {
  test('requires an e-mail address and a password', async ({ page }) => {
    await page.goto('/login');
    const title = page.getByRole('heading', { name: 'Masuk' });
    // The page may still ask the server for something to show above the title.
    await page.waitForLoadState('networkidle');
    const place = await title.boundingBox();
    await loginButton(page).click();
    await expect(emailField(page)).toHaveAccessibleDescription(/^Email wajib diisi Alamat email, contoh/);
    await expect(passwordField(page)).toHaveAccessibleDescription('Password wajib diisi');
    await expect(emailField(page)).toBeFocused();
    await emailField(page).fill('budi@');
    await loginButton(page).click();
    await expect(emailField(page)).toHaveAccessibleDescription(/^Email harus valid Alamat email, contoh/);
    expect(await title.boundingBox(), 'errors move the form').toEqual(place);
  });

  test('refuses a wrong password and keeps the e-mail address', async ({ page, user, allowedConsoleErrors }) => {
    allowedConsoleErrors.push(/status of 401/);
    await page.goto('/login');
    await logIn(page, { ...user, password: 'bukan-kata-sandinya' });
    await expect(page.getByRole('alert')).toHaveText('Email atau password salah');
    await expect(emailField(page)).toHaveValue(user.email);
    await expect(page).toHaveURL('/login');
    expect(await storedKeys(page)).toEqual([]);

    await passwordField(page).fill(user.password);
    await loginButton(page).click();
    await expect(page.getByRole('alertdialog', { name: 'Login Berhasil!' })).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
  });

  test('shows and hides the password', async ({ page }) => {
    await page.goto('/login');
    await passwordField(page).fill('rahasia');
    await expect(passwordField(page)).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Tampilkan password (Show)' }).click();
    await expect(passwordField(page)).toHaveAttribute('type', 'text');
    await expect(passwordField(page)).toHaveValue('rahasia');
    await page.getByRole('button', { name: 'Sembunyikan password (Hide)' }).click();
    await expect(passwordField(page)).toHaveAttribute('type', 'password');
  });

  test('shows the success to a user for two seconds and opens the dashboard', async ({ page, registerUser }) => {
    const user = await registerUser('Joko Widodo');
    await page.goto('/login');
    const submit = () => logIn(page, user);
    expect(await measureOverlayMs(page, submit, 'Login Berhasil!', '/dashboard')).toBeGreaterThanOrEqual(2000);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Selamat datang, Joko Widodo');
    await expect(page.getByText('User Panel')).toBeVisible();

    expect(await storedKeys(page)).toEqual(['pbb-device-tokens', 'token', 'user']);
    const storedUser = await page.evaluate(() => localStorage.getItem('user') ?? '');
    expect(JSON.parse(storedUser)).toMatchObject({
      id: user.id,
      name: 'Joko Widodo',
      email: user.email,
      is_admin: false,
    });
    expect(storedUser.replaceAll(/"(must_change|has)_password":(true|false)/g, '')).not.toMatch(/password|argon2/i);

    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Selamat datang, Joko Widodo');
  });

  test('opens the admin dashboard for an admin', async ({ page }) => {
    await page.goto('/login');
    await logIn(page, ADMIN);
    await page.waitForURL('/admin/dashboard');
    await expect(page.getByText('Admin Panel')).toBeVisible();
    expect(await storedKeys(page)).toEqual(['pbb-device-tokens', 'token', 'user']);
  });

  test('reports a missing network in Indonesian and keeps the typed values', async ({
    page,
    context,
    user,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/login');
    await fillCredentials(page, user);
    await context.setOffline(true);
    await loginButton(page).click();
    await expect(page.getByRole('alert')).toContainText('Terjadi kesalahan saat login. Silakan coba lagi.');
    await expect(page.getByRole('alert')).toContainText(OFFLINE_TEXT);
    await expect(emailField(page)).toHaveValue(user.email);
    await expect(passwordField(page)).toHaveValue(user.password);

    await context.setOffline(false);
    await loginButton(page).click();
    await page.waitForURL('/dashboard');
  });
});

test.describe('route guards', () => {
  test('redirect a visitor without a session to the login', async ({ page }) => {
    const userPaths = [
      '/',
      '/dashboard',
      '/tax-records',
      '/tax-records/create',
      '/tax-records/1',
      '/tax-records/1/edit',
      '/reports',
    ];
    const testServer = [
      '/admin/dashboard',
      '/admin/users',
      '/admin/users/create',
      '/admin/tax-records',
      '/admin/reports',
    ];
    for (const path of [...userPaths, ...testServer, '/admin/chat', '/admin/settings']) {
      await page.goto(path);
      await expect(page, path).toHaveURL('/login');
    }
    await expect(page.getByRole('heading', { name: 'Masuk' })).toBeVisible();
  });

  test('redirect a user away from admin pages', async ({ page, user, openAs }) => {
    await openAs(page, user, '/admin/dashboard');
    await expect(page).toHaveURL('/dashboard');
    for (const path of [
      '/admin/users',
      '/admin/users/create',
      '/admin/tax-records',
      '/admin/chat',
      '/admin/settings',
    ]) {
      await page.goto(path);
      await expect(page, path).toHaveURL('/dashboard');
    }
  });

  test('do not trust a role that was written into the browser storage', async ({
    page,
    user,
    openAs,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 403/);
    await openAs(page, user, '/dashboard');
    await page.evaluate(() => {
      const storedUser: unknown = JSON.parse(localStorage.getItem('user') ?? '{}');
      localStorage.setItem('user', JSON.stringify({ ...(storedUser as object), is_admin: true }));
    });
    await page.goto('/admin/users');
    // The server reports the real role, so the page redirects before it shows any admin data.
    await expect(page).toHaveURL('/dashboard');
    expect(JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '')).toMatchObject({
      is_admin: false,
    });
    await expect(page.getByText(ADMIN.email)).toHaveCount(0);
  });
});

test.describe('end of a session', () => {
  test('a logout in one tab logs out the others', async ({
    page,
    context,
    user,
    openAs,
    testServer,
    allowedConsoleErrors,
  }) => {
    // The other tab may have just been asking for something.
    allowedConsoleErrors.push(/status of 401|WebSocket is closed before the connection/);
    await openAs(page, user, '/dashboard');
    const other = await context.newPage();
    await other.goto('/tax-records');
    await expect(other.getByRole('heading', { name: 'Data Pajak' })).toBeVisible();

    await page.getByRole('button', { name: 'Keluar (Logout)' }).click();
    await expect(page).toHaveURL('/login');
    await expect(other).toHaveURL('/login');
    expect(await storedKeys(other)).toEqual([]);

    // Not only the browser has forgotten it.
    const answer = await fetch(`${testServer.url}/api/auth/user`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect(answer.status).toBe(401);
    await other.goto('/tax-records');
    await expect(other).toHaveURL('/login');
  });

  test('a session that the server ended clears the storage and leads to the login', async ({
    page,
    user,
    openAs,
    testServer,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 401/);
    // No page is open that would notice by itself.
    await openAs(page, user, '/healthz');
    testServer.withDatabase((database) => endSessionsOf(database, user));

    await page.goto('/tax-records');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('alert')).toHaveText(SESSION_ENDED_TEXT);
    expect(await storedKeys(page)).toEqual([]);
  });

  test('a user who signs in again returns to the page on which the session ended', async ({
    page,
    user,
    openAs,
    testServer,
    allowedConsoleErrors,
  }) => {
    allowedConsoleErrors.push(/status of 401/);
    // No page is open that would notice by itself.
    await openAs(page, user, '/healthz');
    testServer.withDatabase((database) => endSessionsOf(database, user));
    await page.goto('/reports?periode=last_year&tab=properti');
    await expect(page).toHaveURL('/login');
    await logIn(page, user);
    await expect(page).toHaveURL('/reports?periode=last_year&tab=properti');
  });
});
