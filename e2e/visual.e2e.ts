import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { expect, test, type TestUser } from './fixtures.ts';
import { buildPng } from './images.ts';
import type { TestServer } from './test-server.ts';
import { findBrokenWords } from './print.ts';
import {
  addProof,
  addRecord,
  fillRecordForm,
  homeRecord,
  pressOwnDelete,
  changeStoredRecord,
  proofInput,
  readStoredRecords,
  saveNewButton,
  shopRecord,
} from './records.ts';

const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];
/** The narrowest screens use the layout of phones, so only their width is checked again. */
const AXE_MIN_WIDTH_PX = 390;
const FIRST_LOAD_MAX_BYTES = 224_000;
const FIRST_LOAD_MAX_REQUESTS = 25;
const TAB_PRESSES_MAX = 60;

/** Checks the open page in every size, light and dark. */
async function expectAccessibleInAllSizes(page: Page, pageName: string): Promise<void> {
  for (const size of VIEWPORTS) {
    await page.setViewportSize(size);
    if (size.width >= AXE_MIN_WIDTH_PX) await expectAccessible(page, `${pageName}, ${size.width} px`);
    await expectNoOverflow(page, `${pageName}, ${size.width} px`);
    expect(await findBrokenWords(page), `words broken on ${pageName}, ${size.width} px`).toEqual([]);
  }
}

/** Adds records of every kind to a user, with long names and large amounts among them. */
async function addVariedRecords(testServer: TestServer, user: TestUser): Promise<string> {
  const { id } = await addRecord(testServer, user, {
    ...homeRecord,
    description: 'Rumah keluarga',
    notes: 'Bayar di bank',
  });
  await addProof(testServer, user, id, buildPng(400, 600));
  await addRecord(testServer, user, shopRecord);
  await addRecord(testServer, user, {
    ...homeRecord,
    name: 'Perseroan Terbatas Sejahtera Abadi Nan Jaya',
    address: `Jalan ${'Panjang Sekali '.repeat(8)}No. 1`,
    spt_number: '33.74.010.001.002-0101.0',
    amount: 999_999_999_999,
    property_type: 'pabrik',
    status: 'proses',
    description: 'Uraian yang panjang sekali. '.repeat(9),
  });
  const old = await addRecord(testServer, user, {
    ...homeRecord,
    spt_number: '33.74.010.001.002-0102.0',
    property_type: 'gudang',
  });
  changeStoredRecord(testServer, old.id, { year: 2024 });
  for (const number of [103, 104, 105]) {
    await addRecord(testServer, user, {
      ...homeRecord,
      spt_number: `33.74.010.001.002-0${number}.0`,
      property_type: 'kantor',
      amount: 75_000,
    });
  }
  return id;
}

/** Presses Tab until something has the focus; a keyboard user would not press it more often. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressCount = 0; pressCount < TAB_PRESSES_MAX; pressCount += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expect(target).toBeInViewport();
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached with ${TAB_PRESSES_MAX} presses of Tab: ${String(target)}`);
}

test.describe('layout and accessibility in every size, light and dark', () => {
  // Each page is checked in seven sizes and colour schemes, which takes seconds each on a slow machine.
  test.setTimeout(300_000);

  test('the sign-in pages fit and have no accessibility violation', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Masuk (Login)' }).click();
    await expect(page.getByText('Email wajib diisi')).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the login with errors');
    await page.goto('/register');
    await expect(page.getByRole('heading', { name: 'Daftar akun' })).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the registration');
    await page.getByRole('button', { name: 'Syarat & Ketentuan (Terms)' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the terms');
  });

  test('the dashboard fits and has no accessibility violation', async ({ page, testServer, registerUser, openAs }) => {
    const user = await registerUser('Siti Rahmawati');
    await addVariedRecords(testServer, user);
    await openAs(page, user, '/dashboard');
    await expect(page.getByText('Halaman 1 dari 2')).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the dashboard');
  });

  test('the list fits and has no accessibility violation', async ({ page, testServer, registerUser, openAs }) => {
    const user = await registerUser('Siti Rahmawati');
    await addVariedRecords(testServer, user);
    await openAs(page, user, '/tax-records');
    await expect(page.getByText('7 data', { exact: true })).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the list');
    await page.goto('/tax-records?status=lunas&properti=gudang');
    await expect(page.getByText('Tidak ada data PBB')).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the empty list');
  });

  test('dialogs over the list and the menu of small screens fit and have no accessibility violation', async ({
    page,
    testServer,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser('Siti Rahmawati');
    await addRecord(testServer, user, shopRecord);
    await openAs(page, user, '/tax-records');
    await page.getByRole('button', { name: 'Tahun Baru' }).click();
    await expect(page.getByRole('dialog', { name: 'Konfirmasi' })).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the question for a new year');
    await page.keyboard.press('Escape');
    await pressOwnDelete(page);
    await expect(page.getByRole('dialog', { name: 'Hapus Data PBB' })).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the question before deleting');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Buka menu' }).click();
    await expect(page.getByRole('dialog').getByText('User Panel')).toBeVisible();
    await expectAccessible(page, 'the open menu');
    await expectNoOverflow(page, 'the open menu');
  });

  test('the forms fit and have no accessibility violation', async ({ page, testServer, registerUser, openAs }) => {
    const user = await registerUser('Siti Rahmawati');
    const id = await addVariedRecords(testServer, user);
    await openAs(page, user, '/tax-records/create');
    await page.getByRole('textbox', { name: 'Nama' }).fill('');
    await saveNewButton(page).click();
    await expect(page.getByText('Nama wajib diisi')).toBeVisible();
    await proofInput(page).setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
    await expect(page.getByText('File harus berupa gambar JPG, PNG, atau GIF')).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the new record with errors');
    await page.goto(`/tax-records/${id}/edit`);
    await expect(page.getByRole('img', { name: 'Bukti pembayaran saat ini' })).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the edit');
  });

  test('the calendar of a date field fits and has no accessibility violation', async ({
    page,
    registerUser,
    openAs,
  }) => {
    await openAs(page, await registerUser(), '/tax-records/create');
    for (const size of VIEWPORTS) {
      await page.setViewportSize(size);
      await page.getByRole('textbox', { name: 'Tanggal Jatuh Tempo' }).click();
      await expect(page.getByRole('button', { name: 'Bulan berikutnya' })).toBeVisible();
      await expectAccessible(page, `the calendar, ${size.width} px`);
      await expectNoOverflow(page, `the calendar, ${size.width} px`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Bulan berikutnya' })).toBeHidden();
    }
  });

  test('the detail page and the reports fit and have no accessibility violation', async ({
    page,
    testServer,
    registerUser,
    openAs,
  }) => {
    const user = await registerUser('Siti Rahmawati');
    const id = await addVariedRecords(testServer, user);
    await openAs(page, user, `/tax-records/${id}`);
    await expect(page.getByRole('img', { name: 'Bukti pembayaran' })).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the detail');
    await page.getByRole('button', { name: 'Tandai lunas' }).click();
    await expect(page.getByRole('dialog', { name: 'Tandai lunas' })).toBeVisible();
    await expectAccessible(page, 'the dialog that reports a payment');
    await expectNoOverflow(page, 'the dialog that reports a payment');
    await page.keyboard.press('Escape');
    await page.goto('/reports');
    await expect(page.getByText(/^[\d,]+% terbayar$/)).toBeVisible();
    await expectAccessibleInAllSizes(page, 'the summary report');
    await page.goto('/reports?tab=properti');
    // One record is so large that all other types are joined as 'Lainnya'.
    await expect(page.locator('[data-slice]')).toHaveCount(2);
    await expectAccessibleInAllSizes(page, 'the property report');
  });
});

test('signing in, adding a record and finding it work with the keyboard alone', async ({
  page,
  testServer,
  registerUser,
}) => {
  const user = await registerUser('Siti Rahmawati');
  const { keyboard } = page;
  await page.goto('/login');
  await tabTo(page, page.getByRole('textbox', { name: 'Email', exact: true }));
  await keyboard.type(user.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await keyboard.type(user.password);
  await keyboard.press('Enter');
  await page.waitForURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  const createLink = page.getByRole('navigation', { name: 'Pintasan' }).getByRole('link', { name: 'Tambah Data PBB' });
  await tabTo(page, createLink);
  await keyboard.press('Enter');
  await page.waitForURL('/tax-records/create');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  for (const [label, text] of [
    ['Nama', 'Siti Rahmawati'],
    ['Alamat', 'Jalan Anggrek No. 5'],
    ['Nomor SPT', '33.74.5'],
    ['Jumlah', '1250000'],
    ['Tanggal Jatuh Tempo', '30092025'],
  ] as const) {
    await tabTo(page, page.getByRole('textbox', { name: label, exact: true }));
    await keyboard.type(text);
  }
  await tabTo(page, saveNewButton(page));
  await keyboard.press('Enter');
  await page.waitForURL('/tax-records');
  expect(readStoredRecords(testServer, user)[0]).toMatchObject({
    name: 'Siti Rahmawati',
    amount_sen: 125_000_000,
    due_date: '2025-09-30',
  });

  await tabTo(page, page.getByLabel('Status', { exact: true }));
  await keyboard.type('Belum');
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Filter', exact: true }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/tax-records?status=belum_lunas');
  await tabTo(page, page.getByRole('link', { name: 'Jalan Anggrek No. 5', exact: true }));
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/· Jalan Anggrek No\. 5$/);
});

/** Amounts that reach out of the card around them. */
function findSpilledAmounts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main .money')]
      .filter((amount) => {
        const card = amount.closest('.mantine-Paper-root, .mantine-Card-root');
        return card && amount.getBoundingClientRect().right > card.getBoundingClientRect().right;
      })
      .map((amount) => amount.textContent),
  );
}

test('no page scrolls sideways at 320 px or with text of 200 %, on screen and in print', async ({
  page,
  testServer,
  registerUser,
  admin,
  openAs,
}) => {
  // Twenty-two pages in four sizes.
  test.setTimeout(300_000);
  const user = await registerUser('Siti Rahmawati');
  const id = await addVariedRecords(testServer, user);
  const userPaths = [
    '/dashboard',
    '/tax-records',
    `/tax-records/${id}`,
    `/tax-records/${id}/edit`,
    '/reports',
    '/account',
  ];
  const adminPaths = [
    'dashboard',
    'users',
    `users/${user.id}`,
    'tax-records',
    `tax-records/${id}`,
    'dhkp',
    'dhkp/import',
    'reports',
    'reports/chat',
    'audit',
    'settings',
    'settings/office-hours',
    'settings/retention',
    'settings/tax-years',
    'settings/dhkp',
    'settings/areas',
  ];
  const visits = [...userPaths, '/reports?tab=properti'].map((path) => ({ path, who: user }));
  visits.push(...adminPaths.map((path) => ({ path: `/admin/${path}`, who: admin })));
  const setTextPx = (textPx: number) =>
    page.evaluate((px) => (document.documentElement.style.fontSize = `${px}px`), textPx);
  let signedIn: TestUser | null = null;
  for (const { path, who } of visits) {
    if (signedIn === who) await page.goto(path);
    else await openAs(page, who, path);
    signedIn = who;
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    for (const [width, textPx] of [
      [320, 16],
      [390, 24],
      [390, 32],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await setTextPx(textPx);
      await expect
        .poll(
          () => page.evaluate(() => document.documentElement.scrollWidth),
          `${path}, ${width} px, ${textPx} px text`,
        )
        .toBe(width);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await setTextPx(16);
    await expect.poll(() => findSpilledAmounts(page), `amounts beside their card on ${path}`).toEqual([]);
  }

  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto('/admin/chat');
  const filters = page.getByRole('radiogroup', { name: 'Saring percakapan' });
  await expect(filters).toBeVisible();
  await setTextPx(24);
  const hiddenPx = () => filters.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth);
  await expect.poll(hiddenPx, 'a filter of the inbox is cut off').toBe(0);
  await openAs(page, user, '/tax-records/create');
  await expect(saveNewButton(page)).toBeVisible();
  await setTextPx(24);
  await expectNoOverflow(page, 'the new record, 320 px, 24 px text');

  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, user, '/dashboard');
  const [height, lineHeight] = await page
    .getByText('Uraian yang panjang')
    .evaluate((element) => [element.clientHeight, parseFloat(getComputedStyle(element).lineHeight)]);
  expect(height, 'the description of an activity has one line').toBeLessThan(1.5 * (lineHeight ?? 0));

  await page.goto('/tax-records');
  await expect(page.getByText('7 data', { exact: true })).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 688, height: 1000 });
  const number = page.getByRole('cell', { name: '33.74.010.001.002-0101.0' });
  await expect(number).toBeVisible();
  expect(
    await number.evaluate((cell) =>
      [...cell.childNodes].map((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return range.getClientRects().length;
      }),
    ),
  ).toEqual([1]);
});

test('every element can be scrolled out from under the floating buttons', async ({
  page,
  testServer,
  user,
  openAs,
}) => {
  const id = await addVariedRecords(testServer, user);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [path, last] of [
    ['/dashboard', page.getByRole('button', { name: 'Berikutnya (Next)' })],
    ['/tax-records', page.getByRole('button', { name: /^Aksi lain \(More\)/ }).last()],
    ['/tax-records/create', page.getByRole('link', { name: 'Batal (Cancel)' })],
    [`/tax-records/${id}/edit`, page.getByRole('link', { name: 'Batal (Cancel)' })],
  ] as const) {
    await openAs(page, user, path);
    await expect(last).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const covered = await last.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return [left + 4, (left + right) / 2, right - 4].filter((x) => {
        const hit = document.elementFromPoint(x, (top + bottom) / 2);
        return !hit || !(element.contains(hit) || hit.contains(element));
      });
    });
    expect(covered, `covered on ${path}`).toEqual([]);
  }
});

test('the first Tab stop is a link that skips the menu', async ({ page, registerUser, openAs }) => {
  await openAs(page, await registerUser(), '/tax-records/create');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Lewati ke konten' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Kembali (Back)' })).toBeFocused();
});

test('a form keeps its input when the colour scheme changes', async ({ page, registerUser, openAs }) => {
  await openAs(page, await registerUser(), '/tax-records/create');
  await fillRecordForm(page);
  await page.getByRole('button', { name: 'Gunakan tampilan gelap' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('textbox', { name: 'Nama', exact: true })).toHaveValue(homeRecord.name);
  await page.evaluate(() =>
    window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true }),
  );
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('the signed-in dashboard of a phone needs few requests, little code, and each call once', async ({
  page,
  testServer,
  user,
  openAs,
}) => {
  await addRecord(testServer, user, homeRecord);
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, user, '/healthz');
  // The other pages are not loaded in advance then, however slow this machine is.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  // The chat's panel is loaded in advance some seconds later, which this machine may or may not reach.
  const isLater = (url: string): boolean => new URL(url).pathname.startsWith('/assets/panel-');
  const paths: string[] = [];
  const code: Promise<{ name: string; bytes: number }>[] = [];
  page.on('request', (request) => {
    if (!isLater(request.url())) paths.push(request.url().replace(testServer.url, ''));
  });
  page.on('websocket', (socket) => paths.push(new URL(socket.url()).pathname));
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js') || isLater(response.url())) return;
    code.push(response.body().then((body) => ({ name: pathname, bytes: gzipSync(body, { level: 9 }).length })));
  });
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await expect(page.locator('main .money').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Buka Live Chat' })).toBeVisible();

  expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(FIRST_LOAD_MAX_REQUESTS);
  const calls = paths.filter((path) => path.startsWith('/api/'));
  expect(calls.toSorted()).toEqual([...new Set(calls)].toSorted());
  const unusedAnswers = await page.evaluate(() => [
    ...(window as unknown as { pbbEarlyAnswers: { answers: Map<string, unknown> } }).pbbEarlyAnswers.answers.keys(),
  ]);
  expect(unusedAnswers, 'calls that boot.js makes and the page does not').toEqual([]);
  const files = await Promise.all(code);
  expect(files.length).toBeGreaterThan(1);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const list = files.map(({ name, bytes }) => `${name} ${bytes}`).join('\n');
  expect(total, `gzipped code:\n${list}`).toBeLessThanOrEqual(FIRST_LOAD_MAX_BYTES);
});

test('a page opens in dark mode without a white flash', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('a page whose code an upgrade has just replaced is opened once more by itself', async ({
  page,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 404/);
  await page.route('**/assets/start-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
