import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { buildPng } from './images.ts';
import { addProof, addRecord } from './records.ts';

test('the health check answers 200 with status ok', async ({ testServer }) => {
  const answer = await fetch(`${testServer.url}/healthz`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: 'ok' });
});

test('an unknown address gets the app, which shows that the page does not exist', async ({
  page,
  registerUser,
  openAs,
}) => {
  const answer = await page.goto('/tidak/ada?x=1');
  expect(answer?.status()).toBe(200);
  expect(answer?.headers()['content-type']).toContain('text/html');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Halaman tidak ditemukan');
  await page.getByRole('link', { name: 'Ke halaman masuk' }).click();
  await expect(page).toHaveURL('/login');

  await openAs(page, await registerUser(), '/tidak/ada');
  await page.getByRole('link', { name: 'Ke Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('an unknown API path answers 404 with JSON instead of the app', async ({ testServer }) => {
  for (const path of [
    '/api/tidak-ada',
    '/api/tax-records/1/2/3',
    '/uploads/tidak-ada.png',
    '/uploads/..%2fpbb.sqlite',
  ]) {
    const answer = await fetch(testServer.url + path);
    expect(answer.status, path).toBe(404);
    expect(await answer.json(), path).toEqual({ success: false, message: expect.any(String) });
  }
  const code = await fetch(`${testServer.url}/assets/main-of-last-week.js`);
  expect(code.status).toBe(404);
});

test('the API documentation opens in the browser', async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: 'PBB Kita: API' })).toBeVisible();
  await page
    .getByRole('button', { name: /POST.*\/api\/auth\/login/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Try it out' })).toBeVisible();
  const answer = await page.request.get('/api/docs/openapi.json');
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  for (const path of [
    '/api/tax-records/check-year',
    '/api/reports/summary',
    '/api/messages/send',
    '/api/admin/users',
  ]) {
    expect(Object.keys(paths)).toContain(path);
  }
});

const openPage = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
};

test('no page of a user sends a request to another host', async ({ page, testServer, user, openAs }) => {
  const { id } = await addRecord(testServer, user);
  await addProof(testServer, user, id, buildPng(60, 40));
  const record = `/tax-records/${id}`;
  for (const path of ['/login', '/register', '/tidak-ada']) await openPage(page, path);
  await openAs(page, user, '/dashboard');
  for (const path of ['/tax-records', '/tax-records/create', record, `${record}/edit`]) await openPage(page, path);
  await openPage(page, '/reports?tab=properti');

  // The watch over hosts and policy that every test has is worth nothing without a policy.
  const policy = (await fetch(`${testServer.url}/login`)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
});

test('no admin page sends a request to another host', async ({ page, admin, openAs }) => {
  await openAs(page, admin, '/admin/dashboard');
  await expect(page.getByText('Admin Panel')).toBeVisible();
  for (const path of ['users', 'users/create', 'tax-records', 'tax-records/create', 'reports', 'chat', 'settings']) {
    await openPage(page, `/admin/${path}`);
  }
});

test('a page that is open during an upgrade loads the new version without breaking', async ({
  page,
  registerUser,
  openAs,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 404/);
  // Without this, an idle moment of a slow machine would load the code of the reports before the upgrade.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  // The server no longer has the old page's code; only a page of the new version gets it.
  let isOldPage = true;
  let missingCount = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().endsWith('/reports')) isOldPage = false;
  });
  await page.route('**/assets/reports-page-*.js', async (route) => {
    if (!isOldPage) return route.continue();
    missingCount += 1;
    return route.fulfill({ status: 404 });
  });
  await openAs(page, await registerUser(), '/dashboard');
  await expect(page.getByText('Belum ada aktivitas terbaru')).toBeVisible();
  expect(missingCount).toBe(0);
  await page.getByRole('navigation', { name: 'Menu utama' }).getByRole('link', { name: 'Laporan' }).click();
  await expect(page.getByRole('tab', { name: 'Ringkasan' })).toBeVisible();
  await expect(page).toHaveURL('/reports');
  expect(missingCount).toBeGreaterThan(0);
  expect(isOldPage, 'the old page was reloaded').toBe(false);
});

test('a session survives a power cut', async ({ page, testServer, registerUser, openAs }) => {
  const user = await registerUser('Siti Rahmawati');
  await addRecord(testServer, user);
  await testServer.stop('SIGKILL');
  await testServer.start();
  await openAs(page, user, '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Selamat datang, Siti Rahmawati');
  await expect(page.getByRole('region', { name: 'Ringkasan' })).toContainText(/Total Properti\s*1/);
});
