import { rmSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';
import { wholeChromiumLaunch } from '../../chromium.config.ts';
import { expectAccessible, expectNoOverflow } from '../accessibility.ts';
import { panel } from '../chat-page.ts';
import { expect, test as base } from '../fixtures.ts';

type Icon = { src: string; sizes: string; purpose: string };

/** A profile of its own: a private window, as tests have it, installs nothing. */
const test = base.extend<{ context: BrowserContext }>({
  context: async ({ playwright, baseURL, locale, timezoneId }, use, testInfo) => {
    const home = testInfo.outputPath('home');
    const profile = testInfo.outputPath('profile');
    const context = await playwright.chromium.launchPersistentContext(profile, {
      ...wholeChromiumLaunch,
      // Chromium otherwise waits until somebody has used the site for half a minute.
      args: [...(wholeChromiumLaunch.args ?? []), '--bypass-app-banner-engagement-checks'],
      // An installed app gets an entry in the menu of the desktop.
      env: { ...process.env, HOME: home, XDG_DATA_HOME: home },
      viewport: { width: 320, height: 568 },
      hasTouch: true,
      ...(baseURL ? { baseURL } : {}),
      ...(locale ? { locale } : {}),
      ...(timezoneId ? { timezoneId } : {}),
    });
    await use(context);
    await context.close();
    // Twenty megabytes. Chromium may still write while it ends.
    for (const folder of [home, profile])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  },
});

test('Chromium on a phone offers the app, installs it, and opens a shortcut in its window', async ({
  page,
  context,
  testServer,
  user,
  openAs,
}) => {
  const devtools = await context.newCDPSession(page);
  const manifestId = `${testServer.url}/`;
  await page.addInitScript(() => localStorage.setItem('pbb-install', '{"visits":2}'));
  await openAs(page, user, '/dashboard');
  // Chromium has handed its own offer to the page.
  const hint = page.getByRole('region', { name: 'Pasang PBB Kita di HP ini?' });
  await expect(hint.getByRole('button', { name: 'Pasang', exact: true })).toBeVisible();
  await expectAccessible(page, 'the dashboard with the hint');
  await expectNoOverflow(page, 'the dashboard with the hint');
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const hintBox = await hint.boundingBox();
  const lastBox = await page.locator('main .mantine-Paper-root:not([data-install-hint])').last().boundingBox();
  expect(lastBox && lastBox.y + lastBox.height, 'the end of the page').toBeLessThanOrEqual(hintBox?.y ?? 0);
  expect(await devtools.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '{}') as { icons: Icon[] };
  const icons = [...manifest.icons, { src: '/icons/apple-touch-icon.png', sizes: '180x180', purpose: 'maskable' }];
  const drawn = await page.evaluate(
    (list) =>
      Promise.all(
        list.map(async ({ src }) => {
          const bitmap = await createImageBitmap(await (await fetch(src)).blob());
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
          canvas?.drawImage(bitmap, 0, 0);
          const cornerAlpha = canvas?.getImageData(0, 0, 1, 1).data[3];
          return { sizes: `${bitmap.width}x${bitmap.height}`, purpose: cornerAlpha === 255 ? 'maskable' : 'any' };
        }),
      ),
    icons,
  );
  expect(drawn).toEqual(icons.map(({ sizes, purpose }) => ({ sizes, purpose })));

  await devtools.send('PWA.install', { manifestId });
  await devtools.send('PWA.changeAppUserSettings', { manifestId, displayMode: 'standalone' });
  const opened = context.waitForEvent('page');
  await devtools.send('PWA.launch', { manifestId });
  const app = await opened;
  await app.waitForURL('/dashboard');
  await expect(app.locator('main .mantine-Paper-root').first()).toBeVisible();
  // The window names the app itself.
  await expect(app).toHaveTitle('Dashboard');
  const findUnused = () =>
    app.evaluate(() => [
      ...(window as unknown as { pbbEarlyAnswers: { answers: Map<string, unknown> } }).pbbEarlyAnswers.answers.keys(),
    ]);
  await expect.poll(findUnused, 'calls that boot.js makes for the start of the app and the page does not').toEqual([]);
  await app.getByRole('button', { name: 'Gunakan tampilan gelap' }).click();
  await expect(app.locator('meta[name="theme-color"]').first()).toHaveAttribute('content', '#161b1e');

  const typed = await app.evaluateHandle(() => ({ name: 'Siti' }));
  const expectSamePage = async (): Promise<void> => expect(await typed.jsonValue()).toEqual({ name: 'Siti' });
  await devtools.send('PWA.launch', { manifestId, url: `${testServer.url}/?buka=data-pajak` });
  await expect(app).toHaveURL('/tax-records');
  await expect(app).toHaveTitle('Data Pajak');
  await expectSamePage();
  await devtools.send('PWA.launch', { manifestId, url: `${testServer.url}/?buka=obrolan` });
  await expect(panel(app).getByRole('textbox', { name: 'Ketik pesan...' })).toBeFocused();
  await expectSamePage();
  // The button of the system goes back to the page, as on any phone.
  await app.goBack();
  await expect(panel(app)).toBeHidden();
  await expect(app).toHaveURL('/dashboard');
  await expectSamePage();
  await devtools.send('PWA.uninstall', { manifestId });
});
