import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { test } from './chat-page.ts';
import { callAs, expect, type TestUser } from './fixtures.ts';
import { amountOf, dottedNop, nopOf } from './list-files.ts';
import { applyList } from './office-list.ts';
import { countPresses, dialog } from './page-parts.ts';
import type { TestServer } from './test-server.ts';

const SMALL_PHONE = { width: 320, height: 700 };
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const YEAR = 2022;
const NAME = 'MBAH KARTO';
const PIN = '402918';

async function expectFitting(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? PHONE;
  await page.setViewportSize(SMALL_PHONE);
  await expectNoOverflow(page, `${name}, 320 px`);
  await page.setViewportSize(size);
  await expectNoOverflow(page, name);
  await expectAccessible(page, name);
}

/** The addresses of the tab: the shown one, and all to which its buttons lead back. */
const addressesOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { navigation } = window as unknown as { navigation: { entries: () => { url: string }[] } };
    return [window.location.href, ...navigation.entries().map(({ url }) => url)].join('\n');
  });

const importObject = (testServer: TestServer, admin: TestUser) =>
  applyList(
    testServer,
    admin,
    YEAR,
    [
      ['NOP', 'NAMA WP', 'ALAMAT OP', 'PAJAK TERHUTANG'].join('\t'),
      [dottedNop(nopOf(70)), NAME, 'JL MELATI 70', amountOf(70)].join('\t'),
    ].join('\n'),
  );

test('two presses make an account with a printed card from an object, and its holder enters by keyboard with a PIN', async ({
  page,
  browser,
  admin,
  openAs,
  testServer,
  allowedConsoleErrors,
}) => {
  test.slow();
  // The ended session of the card before.
  allowedConsoleErrors.push(/status of 401/);
  await importObject(testServer, admin);
  await page.setViewportSize(DESKTOP);
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });

  const first = await test.step('make the account and its card', async () => {
    await openAs(page, admin, `/admin/dhkp?tahun=${YEAR}`);
    const make = page.getByRole('button', { name: new RegExp(`^Buat akun warga untuk ${NAME}`) });
    await expect(make).toBeVisible();
    const presses = await countPresses(page);
    await make.click();
    await dialog(page, 'Buat akun warga').getByRole('button', { name: 'Simpan & cetak kartu' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-printed', '');
    expect(await presses()).toBe(2);
    await expect(dialog(page, 'Buat akun warga')).toContainText(/Tanpa email · no\. \d{4}-\d{4}/);
    await expectFitting(page, 'a card that was made');
    await page.emulateMedia({ media: 'print' });
    const paper = page.getByText(`Kartu warga · `).locator('..').locator('..').locator('..');
    await expect(paper).toBeVisible();
    const [code, activation] = await paper.locator('[class*="code"]').allInnerTexts();
    const loaded = await paper.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(loaded).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'screen' });
    await dialog(page, 'Buat akun warga').getByRole('button', { name: 'Sudah saya cetak' }).click();
    await expect(page.getByRole('link', { name: NAME, exact: true }).last()).toBeVisible();
    return { code: code ?? '', activation: activation ?? '' };
  });
  expect(first.code).toMatch(/^[2-9A-Y]{4}-[2-9A-Y]{4}$/);

  const context = await browser.newContext({ viewport: SMALL_PHONE, baseURL: testServer.url });
  const phone = await context.newPage();
  await test.step('activate the card by keyboard', async () => {
    const asked: string[] = [];
    phone.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await phone.goto('/login');
    await expect(phone.getByRole('link', { name: 'Masuk dengan kartu warga' })).toBeVisible();
    await phone.goto(`/masuk#${first.code}`);
    await expect(phone.getByRole('textbox', { name: 'Kode kartu' })).toHaveValue(first.code);
    expect(await addressesOf(phone)).not.toContain(first.code);
    await expectFitting(phone, 'the page for a card');
    for (const key of await phone
      .getByRole('group', { name: /^Tombol angka/ })
      .getByRole('button')
      .all())
      expect((await key.boundingBox())?.height).toBeGreaterThanOrEqual(56);
    await phone.getByRole('button', { name: 'Aktifkan kartu baru' }).focus();
    await phone.keyboard.press('Enter');
    await expect(phone.getByRole('textbox', { name: 'Kode aktivasi' })).toBeFocused();
    await phone.keyboard.type(first.activation);
    await phone.keyboard.press('Tab');
    await phone.keyboard.type(PIN);
    await phone.keyboard.press('Tab');
    await phone.keyboard.type(PIN);
    await expect(phone.getByText('Ulangi PIN baru: 6 dari 6 angka')).toBeVisible();
    await expectFitting(phone, 'the activation of a card');
    await phone.keyboard.press('Enter');
    await phone.waitForURL('/dashboard');
    for (const secret of [first.code, first.activation, PIN])
      expect(asked.filter((text) => text.includes(secret))).toEqual([]);
    expect(await addressesOf(phone)).not.toContain(first.code);
    expect(await phone.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]))).not.toContain(
      first.code,
    );
  });

  await test.step('enter with the PIN', async () => {
    await phone.evaluate(() => {
      localStorage.clear();
    });
    await phone.goto(`/masuk#${first.code}`);
    await phone.getByLabel('PIN', { exact: true }).focus();
    await phone.keyboard.type(PIN);
    await phone.keyboard.press('Enter');
    await phone.waitForURL('/dashboard');
    await phone.goto('/account');
    await expect(phone.getByText(/^Tanpa email · no\. \d{4}-\d{4}\. /)).toBeVisible();
    await expectFitting(phone, 'the own account without an e-mail address');
    await phone.goto('/dashboard');
  });

  await test.step('a new card ends the session of the one before', async () => {
    await page.getByRole('link', { name: NAME, exact: true }).last().click();
    const section = page.getByRole('region', { name: 'Kartu warga' }).or(page.getByText('Kartu warga').first());
    await expect(section.first()).toBeVisible();
    await expect(page.getByText(/, diaktifkan /)).toBeVisible();
    await page.getByRole('button', { name: 'Kartu baru' }).click();
    await expectFitting(page, 'the question before a card');
    await dialog(page, 'Kartu warga').getByRole('button', { name: 'Buat kartu' }).click();
    await expect(dialog(page, 'Kartu warga')).toContainText('Kartu sudah dibuat');
    await expect(phone).toHaveURL('/masuk');
    await expect(phone.getByRole('heading', { name: 'Masuk dengan kartu warga' })).toBeVisible();
  });
  await context.close();
});

test('cards of many users are printed eight on one sheet', async ({ page, admin, registerUser, openAs }) => {
  await page.setViewportSize(DESKTOP);
  const users = [];
  for (let number = 1; number <= 3; number += 1) users.push(await registerUser(`Pemegang Kartu ${number}`));
  await openAs(page, admin, '/admin/users');
  for (const { name } of users) await page.getByRole('checkbox', { name: `Pilih ${name}` }).check();
  await page.getByRole('button', { name: 'Cetak kartu' }).click();
  await dialog(page, 'Kartu warga').getByRole('button', { name: 'Buat 3 kartu' }).click();
  await expect(dialog(page, 'Kartu warga')).toContainText('3 kartu sudah dibuat');
  await page.evaluate(() => document.body.setAttribute('data-print-sheet', ''));
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test('an account without an e-mail address asks for a new card, which the office makes from its request', async ({
  page,
  admin,
  openAs,
  testServer,
}) => {
  const phone = '0813-7492-6058';
  await callAs(testServer, admin, 'POST', '/admin/users/assisted', { name: 'Bu Warti', phone });
  await callAs(testServer, admin, 'POST', '/auth/recovery', { identifier: phone });
  await page.setViewportSize(DESKTOP);
  await openAs(page, admin, '/admin/recoveries');
  await page.getByRole('button', { name: 'Buat kartu baru untuk Bu Warti' }).click();
  await dialog(page, 'Kartu warga').getByRole('button', { name: 'Buat kartu' }).click();
  await expect(dialog(page, 'Kartu warga')).toContainText('Kode aktivasi');
});
