import type { Page } from '@playwright/test';
import { expect, test, SERVER_RESTART_ERRORS } from '../fixtures.ts';
import { launcher, PHONE, userMessageField } from '../chat-page.ts';
import { makeOtherBuild } from './other-build.ts';
import { buildOf, keptPaths, waitForWorker } from './worker.ts';

const DRAFT = 'Saya ingin bertanya tentang';
/** Over plain http, code of the old build is gone from the server. */
const MISSING_CODE = /status of 404|Refused to apply style/;

const offer = (page: Page) => page.getByText('Versi baru tersedia');
const takeOffer = (page: Page) => page.getByRole('button', { name: 'Muat versi baru' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

async function typeDraft(page: Page): Promise<void> {
  await launcher(page).click();
  await userMessageField(page).fill(DRAFT);
}

/** Sends the request of each page to its service worker at its start, and waits for an answer: the page shows nothing of it. */
const fillWorker = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', ({ data }) => resolve(data === true), { once: true });
        port1.start();
        const { build } = document.documentElement.dataset;
        navigator.serviceWorker.controller?.postMessage({ type: 'fill', build, area: 'first' }, [port2]);
      }),
  );

/** Deletes a file from what the service worker keeps, and from the browser's own cache. */
async function loseFile(page: Page, part: string): Promise<void> {
  await page.evaluate(async (text) => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const lost = (await cache.keys()).filter(({ url }) => url.includes(text));
      await Promise.all(lost.map((request) => cache.delete(request)));
    }
  }, part);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
}

test('open pages go on over an upgrade, are offered the new version, and keep what was typed; a lost file and the switch mend themselves', async ({
  page,
  context,
  browser,
  registerUser,
  openAs,
  testServer,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(SERVER_RESTART_ERRORS, MISSING_CODE);
  const user = await registerUser('Siti Rahmawati');
  await openAs(page, user, '/dashboard');
  await waitForWorker(page);
  await typeDraft(page);
  // A plain-http page has no service worker, and a weak signal leaves its other pages unloaded.
  const plain = await browser.newContext({ serviceWorkers: 'block', baseURL: testServer.url, viewport: PHONE });
  const plainPage = await plain.newPage();
  await plainPage.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await openAs(plainPage, await registerUser('Budi Santoso'), '/tax-records');
  await typeDraft(plainPage);
  await plainPage.getByRole('button', { name: 'Tutup Live Chat' }).click();
  // The older pages are kept with the code of all other pages of a resident.
  await expect.poll(async () => (await keptPaths(page)).some((path) => path.includes('/reports-page-'))).toBe(true);
  const oldBuild = await buildOf(page);

  const other = makeOtherBuild();
  try {
    await testServer.stop();
    await testServer.start(other.program);
    await expect(offer(page)).toBeVisible();
    // A lone page tidies up, but not what the new version has fetched.
    expect(await fillWorker(page)).toBe(true);
    expect((await keptPaths(page)).some((path) => path.startsWith('/assets/lain-start-'))).toBe(true);
    const secondPage = await context.newPage();
    await secondPage.goto('/dashboard');
    await expect(offer(secondPage)).toBeVisible();
    await expect(offer(plainPage)).toBeVisible();
    expect(await buildOf(plainPage), 'no page has reloaded by itself').toBe(oldBuild);

    await takeOffer(page).click();
    // Read by a locator, because the page loads itself anew meanwhile and a script in it would end with an error.
    const newPage = page.locator(`html[data-build]:not([data-build="${oldBuild}"])`);
    // The page waits five seconds for the old worker to end, and five for it to let go of the page.
    await expect(newPage).toBeAttached({ timeout: 30_000 });
    await launcher(page).click();
    await expect(userMessageField(page)).toHaveValue(DRAFT);
    // The other page goes on with its own code, which the server does not have any more.
    await secondPage.getByRole('link', { name: 'Laporan' }).first().click();
    await expect(heading(secondPage, 'Laporan')).toBeVisible();
    expect(await buildOf(secondPage)).toBe(oldBuild);
    await secondPage.close();

    await plainPage.getByRole('link', { name: 'Tambah' }).first().click();
    await expect(heading(plainPage, 'Tambah Data PBB')).toBeVisible();
    expect(await buildOf(plainPage)).toBe(await buildOf(page));
    await launcher(plainPage).click();
    await expect(userMessageField(plainPage)).toHaveValue(DRAFT);
    await plain.close();

    await loseFile(page, '/assets/lain-start-');
  } finally {
    await testServer.stop();
    await testServer.start(undefined, { SERVICE_WORKER: 'off' });
    other.remove();
  }
  try {
    await page.goto('/dashboard');
    await expect(heading(page, 'Selamat datang, Siti Rahmawati')).toBeVisible();
    expect(await page.locator('html').getAttribute('data-build')).toBe(oldBuild);
    // The page may load itself anew as its worker ends, and then has no answer for a moment.
    await expect(async () => {
      expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
      expect(await keptPaths(page)).toEqual([]);
    }).toPass();
  } finally {
    await testServer.stop();
    await testServer.start();
  }
});

test('a page goes on by itself over two upgrades in a minute, also from a form and past the service worker, and asks nothing twice', async ({
  page,
  context,
  browser,
  registerUser,
  openAs,
  testServer,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(SERVER_RESTART_ERRORS, MISSING_CODE);
  // Only the first files are kept, as in the first seconds of a visit or with data saver.
  const saveData = () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  const link = (from: Page, name: string) => from.getByRole('link', { name }).first();
  const user = await registerUser('Siti Rahmawati');
  await page.addInitScript(saveData);
  await openAs(page, user, '/dashboard');
  await waitForWorker(page);
  const devtools = await context.newCDPSession(page);
  await Promise.all([page.waitForEvent('load'), devtools.send('Page.reload', { ignoreCache: true })]);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await expect(heading(page, 'Selamat datang, Siti Rahmawati')).toBeVisible();

  const plain = await browser.newContext({ serviceWorkers: 'block', baseURL: testServer.url });
  const formPage = await plain.newPage();
  await formPage.addInitScript(saveData);
  const questions: string[] = [];
  formPage.on('dialog', (question) => {
    questions.push(question.type());
    void question.dismiss();
  });
  await openAs(formPage, user, '/tax-records/create');
  await formPage.getByRole('textbox', { name: 'Nama' }).fill('Budi');
  // The first question brings the code of all questions.
  await link(formPage, 'Laporan').click();
  await formPage.getByRole('button', { name: 'Tetap di sini' }).click();
  const oldBuild = await buildOf(page);

  const other = makeOtherBuild();
  try {
    await testServer.stop();
    await testServer.start(other.program);
    await link(page, 'Laporan').click();
    await expect(heading(page, 'Laporan')).toBeVisible();
    await link(formPage, 'Laporan').click();
    await formPage.getByRole('button', { name: 'Tinggalkan halaman' }).click();
    await expect(heading(formPage, 'Laporan')).toBeVisible();
    expect(questions, 'questions of the browser itself').toEqual([]);
    for (const opened of [page, formPage]) expect(await buildOf(opened)).toMatch(/^lain-/);
  } finally {
    await testServer.stop();
    await testServer.start();
    other.remove();
  }
  await link(formPage, 'Tambah Pajak').click();
  await expect(heading(formPage, 'Tambah Data PBB')).toBeVisible();
  expect(await buildOf(formPage)).toBe(oldBuild);
  await plain.close();
});
