import type { Page } from '@playwright/test';

/** The times that a page measures itself, as properties of its `window`. */
type Measured = { lcpMs: number; dataMs: number; pressedAtMs: number; contentMs: number };
type MeasuredWindow = typeof globalThis & { measured: Measured };

/** An amount of money in the page's main part, and no placeholder beside it. */
const DATA = 'main:has(.money):not(:has(.mantine-Skeleton-root))';

/** Runs in the page before its own code: notes the LCP, the frame that shows the data, and each press. */
function measurePage(data: string): void {
  const measured: Measured = { lcpMs: 0, dataMs: 0, pressedAtMs: 0, contentMs: 0 };
  (globalThis as MeasuredWindow).measured = measured;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) measured.lcpMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  const look = (): void => {
    if (document.querySelector(data)) requestAnimationFrame((now) => (measured.dataMs = now));
    else requestAnimationFrame(look);
  };
  look();
  addEventListener('pointerdown', () => (measured.pressedAtMs = performance.now()), { capture: true });
}

export async function measurePageTimes(page: Page): Promise<void> {
  await page.addInitScript(measurePage, DATA);
}

export async function readFirstLoadTimes(page: Page): Promise<{ lcpMs: number; dataMs: number }> {
  await page.waitForFunction(() => (globalThis as MeasuredWindow).measured.dataMs > 0);
  // The browser reports the largest paint only after the frame.
  await page.waitForTimeout(500);
  return page.evaluate(() => (globalThis as MeasuredWindow).measured);
}

/**
 * Presses something that leads to another page.
 * @param content what the other page shows as soon as it has its data
 * @returns milliseconds from the press to the frame that shows it
 */
export async function measurePress(page: Page, press: () => Promise<void>, content: string): Promise<number> {
  await page.evaluate((selector) => {
    const { measured } = globalThis as MeasuredWindow;
    const oldHeading = document.querySelector('main h1');
    measured.contentMs = 0;
    const look = (): void => {
      const heading = document.querySelector('main h1');
      const isOtherPage = heading !== null && heading !== oldHeading;
      if (isOtherPage && document.querySelector(selector)) requestAnimationFrame((now) => (measured.contentMs = now));
      else requestAnimationFrame(look);
    };
    look();
  }, content);
  await press();
  await page.waitForFunction(() => (globalThis as MeasuredWindow).measured.contentMs > 0);
  const { pressedAtMs, contentMs } = await page.evaluate(() => (globalThis as MeasuredWindow).measured);
  return contentMs - pressedAtMs;
}
