import type { Page } from '@playwright/test';
import { sendMessageByApi } from './chat-page.ts';
import { expect, test } from './fixtures.ts';
import { addRecord, homeRecord, shopRecord } from './records.ts';

const TARGET_MIN_PX = 44;
/** The scale of client/ui/theme/theme.ts at the browser's usual text size. */
const FONT_SIZES_PX = [13, 15, 16, 18, 22, 28];

const settled = (page: Page) => expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);

/** Visible controls that are smaller than a thumb. What lies around a control counts when pressing there presses it. */
function findSmallTargets(page: Page, minPx: number): Promise<string[]> {
  return page.evaluate((min) => {
    const found: string[] = [];
    const controls = 'a[href], button, input:not([type="file"], [readonly], [hidden]), select, textarea, [role="tab"]';
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.skip-link')) continue;
      const box = (element.closest('label') ?? element).getBoundingClientRect();
      if (box.width >= min - 0.5 && box.height >= min - 0.5) continue;
      element.scrollIntoView({ block: 'center' });
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const [x, y, reach] = [(left + right) / 2, (top + bottom) / 2, min / 2 - 1];
      const around = [
        [x - reach, y],
        [x + reach, y],
        [x, y - reach],
        [x, y + reach],
      ] as const;
      const isReached = around.every(([atX, atY]) => element.contains(document.elementFromPoint(atX, atY)));
      if (!isReached)
        found.push(`${Math.round(box.width)}x${Math.round(box.height)} ${element.outerHTML.slice(0, 120)}`);
    }
    return found;
  }, minPx);
}

/** Sizes of visible text that are not in the scale. */
function findOtherFontSizes(page: Page, sizes: readonly number[]): Promise<string[]> {
  return page.evaluate((scale) => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement, textContent } = node;
      if (!parentElement?.checkVisibility() || !textContent?.trim()) continue;
      const size = parseFloat(getComputedStyle(parentElement).fontSize);
      if (!scale.some((allowed) => Math.abs(allowed - size) < 0.05)) found.add(`${size}px ${textContent.trim()}`);
    }
    return [...found];
  }, sizes);
}

/** Finds elements at the place of the chat button, or on wide screens anywhere in its column, and buttons that are cut off. */
function findCovered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const launcher = document.querySelector('[data-chat-launcher]');
    const header = document.querySelector('.mantine-AppShell-header')?.getBoundingClientRect();
    if (!launcher || !header) return ['the chat button is missing'];
    const button = launcher.getBoundingClientRect();
    const isInHeader = button.top >= header.top && button.bottom <= header.bottom;
    if (button.left < 0 || button.right > innerWidth || button.bottom > innerHeight) return ['it is cut off'];
    // The scrolling part lies under the header.
    const place = isInHeader
      ? '.mantine-AppShell-header :is(a, button, img, p)'
      : 'main :is(a, button, input, select, h1, p, .money)';
    return [...document.querySelectorAll(place)]
      .filter((element) => element !== launcher && element.checkVisibility())
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 1 && box.right > button.left && box.left < button.right;
      })
      .map((element) => element.outerHTML.slice(0, 100));
  });
}

const placeOf = (page: Page) => page.locator('[data-chat-launcher]').boundingBox();

/** Scrolls down to a share of the page and draws it. */
const scrollTo = (page: Page, share: number) =>
  page.evaluate(async (part) => {
    window.scrollTo(0, (document.documentElement.scrollHeight - window.innerHeight) * part);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  }, share);

test('on a phone every control is large enough for a thumb, text has six sizes, and the chat button covers nothing', async ({
  page,
  testServer,
  registerUser,
  admin,
  openAs,
}) => {
  const user = await registerUser('Siti Rahmawati');
  const { id } = await addRecord(testServer, user);
  await addRecord(testServer, user, shopRecord);
  for (const number of [1, 2, 3, 4]) {
    await addRecord(testServer, user, { ...homeRecord, spt_number: `33.74.${number}`, amount: 999_999_999_999 });
  }
  const expectFits = async (path: string) => {
    expect(await findSmallTargets(page, TARGET_MIN_PX), `small targets on ${path}`).toEqual([]);
    expect(await findOtherFontSizes(page, FONT_SIZES_PX), `text sizes on ${path}`).toEqual([]);
  };
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFits(path);
  }
  await openAs(page, user, '/dashboard');
  const paths = [
    '/dashboard',
    '/tax-records',
    '/tax-records/create',
    `/tax-records/${id}`,
    `/tax-records/${id}/edit`,
    '/reports',
    '/reports?tab=properti',
    '/account',
  ];
  for (const path of paths) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[data-chat-launcher]')).toBeAttached();
    await settled(page);
    await expectFits(path);
    const place = await placeOf(page);
    for (const share of [0, 0.5, 1]) {
      await scrollTo(page, share);
      expect(await placeOf(page), `the chat button moves on ${path}, ${share}`).toEqual(place);
      expect(await findCovered(page), `under the chat button on ${path}, ${share}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 844 });
    await expect.poll(() => findCovered(page), `in the column of the chat button on ${path}`).toEqual([]);
  }

  // The header has the space for the button and its badge also with large text.
  await page.goto('/tax-records');
  await sendMessageByApi(testServer, admin, user, 'Halo');
  const unread = page.getByRole('button', { name: 'Buka Live Chat, 1 pesan belum dibaca' });
  for (const [width, textPx] of [
    [320, 16],
    [320, 24],
    [390, 32],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((px) => (document.documentElement.style.fontSize = `${px}px`), textPx);
    await expect(unread).toBeInViewport({ ratio: 1 });
    await expect.poll(() => findCovered(page), `under the chat button at ${width} px, ${textPx} px text`).toEqual([]);
  }

  // The icon grows with the text as far as the button has room, and the badge leaves most of both visible.
  const iconPx = () => unread.locator('svg').evaluate((icon) => icon.getBoundingClientRect().width);
  await page.evaluate(() => (document.documentElement.style.fontSize = '16px'));
  await expect.poll(iconPx).toBe(28);
  await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
  await expect.poll(iconPx).toBe(36);
  const coveredShare = await unread.evaluate((button) => {
    const box = button.getBoundingClientRect();
    const badge = [...button.querySelectorAll('span')].find(
      ({ textContent, children }) => textContent === '1' && children.length === 0,
    );
    if (!badge) return null;
    const { left, right, top, bottom } = badge.getBoundingClientRect();
    const width = Math.min(right, box.right) - Math.max(left, box.left);
    const height = Math.min(bottom, box.bottom) - Math.max(top, box.top);
    return (width * height) / (box.width * box.height);
  });
  expect(coveredShare).not.toBeNull();
  expect(coveredShare).toBeLessThan(0.3);
});

test('names keys only where there is a keyboard', async ({
  page,
  browser,
  baseURL,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await addRecord(testServer, await registerUser('Rini Pelapor'), { ...homeRecord, status: 'proses' });
  const tablet = await browser.newContext({
    ...(baseURL ? { baseURL } : {}),
    viewport: { width: 1180, height: 820 },
    hasTouch: true,
    isMobile: true,
  });
  const touched = await tablet.newPage();
  const keys = (on: Page) => on.locator('kbd:visible, [data-names-keys]:visible');
  for (const path of ['/admin/tax-records', '/admin/tax-records/bukti-masuk', '/admin/chat']) {
    await openAs(page, admin, path);
    await expect(keys(page).first(), path).toBeVisible();
    await openAs(touched, admin, path);
    await expect(touched.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(touched.locator('kbd').first(), path).toBeAttached();
    await settled(touched);
    await expect(keys(touched), path).toHaveCount(0);
  }
  await touched.getByRole('button', { name: /^Cari/ }).first().tap();
  await expect(touched.getByLabel('Cari halaman, pengguna, atau data PBB')).toBeVisible();
  await expect(keys(touched)).toHaveCount(0);
  await tablet.close();
});
