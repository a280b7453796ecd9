import type { Page } from '@playwright/test';
import { callAs, type Resident } from './fixtures.ts';
import type { Office } from './office.ts';

export const heading = (page: Page) => page.getByRole('heading', { level: 1 });
export const tableRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Leaves the office without a single record. */
export async function clearRecords(office: Office, admin: Resident): Promise<void> {
  type Answer = { data: { data: { id: string }[] } };
  const { data } = await callAs<Answer>(office, admin, 'GET', '/admin/tax-records?limit=1000');
  for (const { id } of data.data) await callAs(office, admin, 'DELETE', `/admin/tax-records/${id}`);
}
