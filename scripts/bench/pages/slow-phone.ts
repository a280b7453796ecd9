import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';

/** A cheap phone on a weak mobile connection. */
const CPU_SLOWDOWN = 4;
const LATENCY_MS = 150;
const DOWNLOAD_BITS_PER_SECOND = 1_600_000;
const UPLOAD_BITS_PER_SECOND = 750_000;
const VIEWPORT = { width: 390, height: 844 };

export const SLOW_PHONE = `${CPU_SLOWDOWN}× slower processor, 1.6 Mbit/s, ${LATENCY_MS} ms, ${VIEWPORT.width} px`;

export type SlowPhone = { context: BrowserContext; page: Page; devTools: CDPSession };
type Account = { token: string; user: unknown };

/** A new browser context, so with an empty cache, in which an account is signed in. */
export async function openSlowPhone(browser: Browser, url: string, { token, user }: Account): Promise<SlowPhone> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: VIEWPORT,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    storageState: {
      cookies: [],
      origins: [
        {
          origin: url,
          localStorage: [
            { name: 'token', value: token },
            { name: 'user', value: JSON.stringify(user) },
          ],
        },
      ],
    },
  });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: DOWNLOAD_BITS_PER_SECOND / 8,
    uploadThroughput: UPLOAD_BITS_PER_SECOND / 8,
  });
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return { context, page, devTools };
}

/**
 * Counts what the page's main thread computes, which depends less on other programs than the time on the clock.
 * @returns a function that reads the milliseconds since the start
 */
export async function countProcessorTime(devTools: CDPSession): Promise<() => Promise<number>> {
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
    if (seconds === undefined) throw new Error('the browser does not report TaskDuration');
    return seconds * 1000;
  };
}
