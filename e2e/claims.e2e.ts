import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { test, toast, whenConnected } from './chat-page.ts';
import { callAs, expect, type TestUser } from './fixtures.ts';
import { dottedNop, nopOf } from './list-files.ts';
import { applyList } from './office-list.ts';
import { countPresses } from './page-parts.ts';
import type { TestServer } from './test-server.ts';

const NOP = nopOf(1);
const WRITTEN = dottedNop(NOP);
const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 320, height: 700 };

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;
const callsOf =
  (testServer: TestServer, who: TestUser): Call =>
  async <T>(method: string, path: string, body?: unknown) =>
    (await callAs<{ data: T }>(testServer, who, method, path, body)).data;

/** No other test looks at the list of this year, which stays. */
const YEAR = 2020;
const LIST = `NOP\tNAMA WP\tALAMAT OP\tKETETAPAN\tJATUH TEMPO\n${NOP}\tSiti Aminah\tJl. Melati 1\t52000\t31/08/2026`;

/** Approves the only request that waits. */
async function approve(call: Call): Promise<void> {
  const { data } = await call<{ data: { id: string; updated_at: string; assessments: { id: string }[] }[] }>(
    'GET',
    '/admin/claims?state=open',
  );
  const [claim] = data;
  await call('POST', `/admin/claims/${claim?.id}/approve`, {
    assessment_id: claim?.assessments[0]?.id,
    updated_at: claim?.updated_at,
  });
}

async function expectFitting(page: Page, name: string): Promise<void> {
  await page.setViewportSize(SMALL_PHONE);
  await expectNoOverflow(page, `${name}, 320 px`);
  await page.setViewportSize(PHONE);
  await expectNoOverflow(page, `${name}, 390 px`);
  await expectAccessible(page, name);
}

test("a user asks for an object in two presses, sees it come, and takes the office's amount back", async ({
  page,
  user,
  admin,
  openAs,
  testServer,
}) => {
  test.slow();
  const call = callsOf(testServer, admin);
  await applyList(testServer, admin, YEAR, LIST);
  await page.setViewportSize(PHONE);
  await openAs(page, user, '/tax-records');
  await expect(page.getByText('Tidak ada data PBB')).toBeVisible();

  await test.step('ask', async () => {
    const presses = await countPresses(page);
    await page.getByRole('link', { name: 'Ambil dari daftar kantor' }).click();
    await expect(page.getByRole('textbox', { name: 'NOP' })).toBeFocused();
    // As a keyboard of a phone or a paste does it; each key of a real one would be counted.
    await page.keyboard.insertText(NOP);
    await expect(page.getByText(`${WRITTEN} · 18 dari 18 angka`)).toBeVisible();
    await page.getByRole('button', { name: 'Kirim permintaan' }).click();
    await expect(page.getByText('Permintaan dikirim ke kantor.')).toBeVisible();
    expect(await presses()).toBe(2);
    await expect(page.getByRole('listitem').filter({ hasText: WRITTEN })).toContainText('Menunggu kantor');
    await expectFitting(page, 'the request');
  });

  await test.step('the answer', async () => {
    const connected = whenConnected(page);
    await page.goto('/tax-records');
    await expect(page.getByText('Menunggu kantor')).toBeVisible();
    await connected;
    await approve(call);
    await expect(page.getByText('Disetujui', { exact: true })).toBeVisible();
    await expect(page.getByText('Rp 52.000').first()).toBeVisible();
    await expectFitting(page, 'the list with an answered request');
  });

  await test.step('the difference', async () => {
    const { data } = await callsOf(testServer, user)<{ data: { id: string }[] }>('GET', '/tax-records');
    await callAs<unknown>(testServer, user, 'PUT', `/tax-records/${data[0]?.id}`, { amount: 49_500 });
    await page.goto(`/tax-records/${data[0]?.id}`);
    const difference = page.getByText(/Ketetapan kantor Rp\s52\.000, data Anda Rp\s49\.500/);
    await expect(difference).toBeVisible();
    await expectFitting(page, 'a record that differs');
    await page.getByRole('button', { name: 'Samakan' }).click();
    await expect(toast(page, 'Disamakan dengan daftar kantor')).toBeVisible();
    await expect(difference).toHaveCount(0);
    await expect(page.getByText('Menurut daftar kantor')).toBeVisible();
  });
});
