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
