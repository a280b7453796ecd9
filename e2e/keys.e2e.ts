import type { Page, Route } from '@playwright/test';
import { deleteAllRecords } from './page-parts.ts';
import { connectionStatus, launcher, panel, PHONE, toast, userMessageField } from './chat-page.ts';
import { expect, type TestUser } from './fixtures.ts';
import { buildPng } from './images.ts';
import { addProof, homeRecord, type RecordInput, test as recordTest } from './records.ts';
import type { TestServer } from './test-server.ts';

const palette = (page: Page) => page.getByLabel('Cari halaman, pengguna, atau data PBB');

/** Every change that a page asks the server for. */
function watchChanges(page: Page): string[] {
  const changes: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/(?!messages|push)/.test(request.url()) && !['GET', 'OPTIONS', 'HEAD'].includes(request.method()))
      changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return changes;
}

/** Holds back the code that the page asks for from now on. @returns sends it, or lets it fail */
async function holdCode(page: Page, which = '*') {
  const held: Route[] = [];
  let answer: ((route: Route) => Promise<void>) | null = null;
  await page.route(`**/assets/${which}`, (route) => (answer ? answer(route) : void held.push(route)));
  const settle = async (how: (route: Route) => Promise<void>): Promise<void> => {
    answer = how;
    await Promise.all(held.splice(0).map(how));
  };
  return {
    isAskedFor: () => expect.poll(() => held.length, 'the page asks for code').toBeGreaterThan(0),
    send: () => settle((route) => route.continue()),
    fail: () => settle((route) => route.abort('connectionfailed')),
    /** From now on the network is as bad, or as good, as before. */
    holdAgain: () => {
      answer = null;
    },
  };
}

const test = recordTest.extend({
  page: async ({ page, testServer, admin }, use) => {
    // Without this, an idle moment would load the code of the other pages before the key is pressed.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    // The pages of administrators show the records of everybody.
    await deleteAllRecords(testServer, admin);
    await use(page);
  },
});

// An overlay that fades in or out has the keys, too.
test.use({ reducedMotion: 'no-preference' });

const payment = (number: number): RecordInput => ({
  ...homeRecord,
  address: `Jl. Melati No. ${number}`,
  status: 'proses',
});

/** With a photo every key decides, so that one which reaches the page shows. */
async function addPhotos(testServer: TestServer, user: TestUser, ids: readonly string[]): Promise<void> {
  for (const id of ids) await addProof(testServer, user, id, buildPng(300, 400));
}

test('what is typed after Ctrl+K arrives in the palette from the first letter on, and decides nothing below', async ({
  page,
  testServer,
  admin,
  registerUserWith,
  openAs,
}) => {
  const { user, ids } = await registerUserWith([payment(1), payment(2)], 'Wati Lestari');
  await addPhotos(testServer, user, ids);
  await openAs(page, admin, '/admin/tax-records/bukti-masuk');
  const record = page.getByRole('heading', { level: 2 });
  await expect(record).toHaveText('PBB 2025 · Jl. Melati No. 1');
  await expect(page.getByRole('button', { name: 'Cocok saja' })).toBeEnabled();
  const changes = watchChanges(page);
  const code = await holdCode(page);

  // Without a pause between the keys; each of these letters, and Enter, is also a key of the page.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('cxfz wati');
  await expect(palette(page)).toHaveValue('cxfz wati');
  await expect(palette(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await code.send();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
  await expect(record).toHaveText('PBB 2025 · Jl. Melati No. 1');
  expect(changes).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await expect(record, 'the keys of the page are back').toHaveText('PBB 2025 · Jl. Melati No. 2');

  // Enter before anything was found is a key of the palette, too.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('wati');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toHaveCount(0);
  await page.goto('/admin/tax-records/bukti-masuk');
  await expect(page.getByText('1 dari 2')).toBeVisible();
  expect(changes).toEqual([]);
});

test('no key of the list acts below the palette or the list of keys', async ({
  page,
  admin,
  registerUserWith,
  openAs,
}) => {
  await registerUserWith([homeRecord], 'Teguh Jatmiko');
  await openAs(page, admin, '/admin/tax-records');
  const row = page.locator('[data-row]').first();
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await expect(row.locator('a').first()).toBeFocused();
  const changes = watchChanges(page);
  const code = await holdCode(page);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('xteguh');
  await expect(palette(page)).toHaveValue('xteguh');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.keyboard.type('xt/');
  const list = page.getByRole('dialog', { name: 'Pintasan keyboard' });
  await expect(list).toBeVisible();
  await code.send();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(/^1 data dipilih/)).toHaveCount(0);
  await expect(row.locator('a').first(), 'the focus is back').toBeFocused();
  expect(changes).toEqual([]);
});

test('a dialog on its way keeps the keys from the page, Escape cancels it, and a failure gives them back', async ({
  page,
  testServer,
  admin,
  registerUserWith,
  openAs,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/net::ERR_/);
  const unpaid = { ...homeRecord, name: 'Surip', address: 'Jl. Dahlia No. 9' };
  const { user, ids } = await registerUserWith([payment(1), payment(2), unpaid], 'Wati Lestari');
  await addPhotos(testServer, user, ids.slice(0, 2));
  await openAs(page, admin, '/admin/tax-records/bukti-masuk');
  const record = page.getByRole('heading', { level: 2 });
  await expect(record).toHaveText('PBB 2025 · Jl. Melati No. 1');
  const changes = watchChanges(page);
  const code = await holdCode(page);

  async function chooseMarkPaid(): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lunas surip');
    await expect(page.locator('[role="option"][data-combobox-selected]')).toHaveAccessibleName(/^Tandai Lunas Surip/);
    await page.keyboard.press('Enter');
    await expect(palette(page)).toHaveCount(0);
    await code.isAskedFor();
  }
  const dialog = page.getByRole('dialog', { name: 'Tandai 1 data lunas' });

  await chooseMarkPaid();
  for (const key of ['Enter', 'x', 'c', 'ArrowRight', ' ', '?', 'Control+k']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await expect(record, 'cancelled: the keys are back').toHaveText('PBB 2025 · Jl. Melati No. 2');
  await code.send();
  await page.keyboard.press('ArrowLeft');
  await expect(record).toHaveText('PBB 2025 · Jl. Melati No. 1');
  await expect(page.getByRole('dialog'), 'a dialog that was cancelled does not come').toHaveCount(0);
  expect(changes).toEqual([]);

  await page.reload();
  await expect(record).toHaveText('PBB 2025 · Jl. Melati No. 1');
  code.holdAgain();
  await chooseMarkPaid();
  await page.keyboard.press('ArrowRight');
  await code.fail();
  await expect(toast(page, 'Tandai Lunas gagal dibuka')).toBeVisible();
  await expect(record).toHaveText('PBB 2025 · Jl. Melati No. 1');
  await page.keyboard.press('ArrowRight');
  await expect(record, 'failed: the keys are back').toHaveText('PBB 2025 · Jl. Melati No. 2');

  // Chromium before 151 keeps a failed module until then.
  await code.send();
  await page.reload();
  await expect(record).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('lunas surip');
  await expect(page.locator('[role="option"][data-combobox-selected]')).toHaveAccessibleName(/^Tandai Lunas Surip/);
  await page.keyboard.press('Enter');
  await expect(dialog, 'after a reload it comes').toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  // With its code here, the dialog follows the palette without a moment for the page.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('lunas surip');
  await expect(page.locator('[role="option"][data-combobox-selected]')).toHaveAccessibleName(/^Tandai Lunas Surip/);
  for (const key of ['Enter', 'ArrowLeft', 'x', 'c']) await page.keyboard.press(key);
  await expect(dialog).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(page.getByText('2 dari 2')).toBeVisible();
  expect(changes).toEqual([]);
});

test('a photo and a question that are on their way keep the keys, too', async ({
  page,
  testServer,
  admin,
  registerUserWith,
  openAs,
}) => {
  const { user, ids } = await registerUserWith([payment(1)], 'Rini Pelapor');
  await addPhotos(testServer, user, ids);
  await openAs(page, admin, '/admin/tax-records/bukti-masuk');
  await expect(page.getByRole('img', { name: 'Bukti pembayaran' })).toBeVisible();
  const changes = watchChanges(page);
  const code = await holdCode(page);
  await page.keyboard.press('f');
  await code.isAskedFor();
  for (const key of ['Enter', 'x', 'c', 'ArrowRight']) await page.keyboard.press(key);
  await code.send();
  const viewer = page.getByRole('dialog', { name: 'Bukti pembayaran' });
  await expect(viewer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(changes).toEqual([]);

  // The first question of a page needs code, too. Pages of administrators have it from the start.
  const questions = await holdCode(page, 'overlays-*.js');
  await openAs(page, user, '/tax-records');
  const menu = page.getByRole('button', { name: /^Aksi lain/ }).first();
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: /^Hapus/ }).click();
  await questions.isAskedFor();
  await expect(menu).toBeFocused();
  // It would open the menu again.
  await page.keyboard.press('Enter');
  await questions.send();
  const question = page.getByRole('dialog');
  await expect(question).toBeVisible();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(question.getByRole('button', { name: 'Batal' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(menu, 'the focus is back at the row').toBeFocused();
  expect(changes).toEqual([]);
});

test('a chat that is on its way keeps the keys, and Escape ends the wait', async ({ page, user, openAs }) => {
  const code = await holdCode(page, 'panel-*.js');
  await openAs(page, user, '/dashboard');
  await launcher(page).press('Enter');
  await code.isAskedFor();
  // They would lead to a link and follow it.
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await expect(launcher(page), 'cancelled').toBeEnabled();
  await expect(page).toHaveURL(/dashboard$/);

  await launcher(page).press('Enter');
  await expect(launcher(page)).toBeDisabled();
  await code.send();
  await expect(connectionStatus(page)).toContainText('Online');
  await expect(userMessageField(page)).toBeFocused();
  await page.keyboard.type('Halo');
  await expect(userMessageField(page)).toHaveValue('Halo');

  // On a phone it fills the screen, so it is an overlay itself. Its own Escape closes it.
  await page.setViewportSize(PHONE);
  await expect(panel(page)).toHaveAttribute('aria-modal', 'true');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
});
