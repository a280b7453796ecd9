import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';

/** Waits until the service worker answers for the page. It keeps then what the page needs to start. */
export async function waitForWorker(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
}

export const buildOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['build']);

/** The paths of everything that any cache of this origin holds. */
export const keptPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => url.replace(window.location.origin, ''));
  });
