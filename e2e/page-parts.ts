import type { Page } from '@playwright/test';
import { callAs, type TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';

export const heading = (page: Page) => page.getByRole('heading', { level: 1 });
export const tableRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Deletes the records of all users. */
export async function deleteAllRecords(testServer: TestServer, admin: TestUser): Promise<void> {
  type Answer = { data: { data: { id: string }[] } };
  const { data } = await callAs<Answer>(testServer, admin, 'GET', '/admin/tax-records?limit=1000');
  for (const { id } of data.data) await callAs(testServer, admin, 'DELETE', `/admin/tax-records/${id}`);
}

/** Rows that are in the window from top to bottom. */
export const countWholeRows = (page: Page) =>
  page.locator('[data-row]').evaluateAll(
    (rows) =>
      rows.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      }).length,
  );

/** Counts presses of the mouse and of keys from now on. */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const counted = { presses: 0 };
    for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, () => (counted.presses += 1), true);
    return counted;
  });
  return () => counter.evaluate(({ presses }) => presses);
}
