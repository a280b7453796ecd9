import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { test, toast } from './chat-page.ts';
import { callAs, expect, type TestUser } from './fixtures.ts';
import { amountOf, dottedNop, nopOf } from './list-files.ts';
import { applyList } from './office-list.ts';
import { countWholeRows, dialog } from './page-parts.ts';
import type { TestServer } from './test-server.ts';

const DESKTOP = { width: 1440, height: 900 };
const SIZES = [
  { width: 390, height: 844 },
  { width: 320, height: 700 },
];
const YEAR = 2023;
const OBJECT_COUNT = 14;
/** The second one is the name of two accounts. */
const NAMES = ['Siti Rahmawati', 'Budi Laksono', 'Joko Priyadi'] as const;

type One<T> = { data: T };
type Listed = { data: { id: string; account: { id: string } | null }[] };

const rows = (page: Page) => page.locator('[data-row]');
const focused = (page: Page) => page.locator(':focus');

/** Applies a pasted list with objects of three names. @returns takes it back, with all links to its objects */
async function importList(testServer: TestServer, admin: TestUser): Promise<() => Promise<void>> {
  const call = <T>(method: string, path: string, body?: unknown) =>
    callAs<One<T>>(testServer, admin, method, path, body).then(({ data }) => data);
  const lines = Array.from({ length: OBJECT_COUNT }, (_, number) =>
    [
      dottedNop(nopOf(number)),
      NAMES[number % NAMES.length]?.toUpperCase(),
      `JL MELATI ${number}`,
      amountOf(number),
    ].join('\t'),
  );
  const text = ['NOP\tNAMA WP\tALAMAT OP\tPAJAK TERHUTANG', ...lines].join('\n');
  const { id, settled } = await applyList(testServer, admin, YEAR, text);
  return async () => {
    const { data } = await call<Listed>('GET', `/admin/dhkp?year=${YEAR}&linked=1`);
    for (const { id: linkedId } of data) await call('DELETE', `/admin/dhkp/${linkedId}/link`);
    await call('POST', `/admin/dhkp/batches/${id}/revert`, { reason: 'Selesai dicoba' });
    await settled('reverted');
    await call('DELETE', `/admin/dhkp/batches/${id}`);
  };
}

async function expectToFit(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectNoOverflow(page, `${name}, ${size.width} px`);
  }
  await expectAccessible(page, `${name}, 320 px`);
  await page.setViewportSize(DESKTOP);
}

test('a clerk links objects with Enter, one after the other, and takes the last link back', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  test.slow();
  for (const name of [...NAMES, NAMES[1]]) await registerUser(name);
  const takeBack = await importList(testServer, admin);
  // The first answer waits for the start of the thread that compares names, longer on a busy computer than a page does.
  type Proposals = One<{ total: number }>;
  const { data } = await callAs<Proposals>(testServer, admin, 'GET', `/admin/dhkp/matches?year=${YEAR}`);
  expect(data.total).toBe(OBJECT_COUNT);
  await page.setViewportSize(DESKTOP);
  await openAs(page, admin, `/admin/dhkp/matches?tahun=${YEAR}`);
  await expect(rows(page)).toHaveCount(OBJECT_COUNT);
  await expect.poll(() => countWholeRows(page)).toBeGreaterThanOrEqual(10);
  await expectAccessible(page, 'the proposals of owners');
  await expectToFit(page, 'the proposals of owners');

  // The cards of the narrow window have given way to the table, and would lose the focus with them.
  await expect(page.getByRole('columnheader', { name: 'Calon pemilik' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`${dottedNop(nopOf(0))} dengan ${NAMES[0]}`));
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(OBJECT_COUNT - 1);
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`${dottedNop(nopOf(1))} dengan ${NAMES[1]}`));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(OBJECT_COUNT - 2);
  await toast(page, `terhubung dengan ${NAMES[2]}.`).getByRole('button', { name: 'Urungkan (Undo)' }).click();
  await expect(toast(page, 'Hubungan diputus. Data PBB-nya tetap ada.')).toBeVisible();
  await expect(rows(page)).toHaveCount(OBJECT_COUNT - 1);
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`${dottedNop(nopOf(2))} dengan ${NAMES[2]}`));

  await page.goto(`/admin/dhkp?tahun=${YEAR}&akun=terhubung`);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('link', { name: dottedNop(nopOf(0)) }).click();
  await expect(page.getByRole('link', { name: NAMES[0], exact: true })).toBeVisible();
  await expectToFit(page, 'an object with its account');
  await page.getByRole('button', { name: 'Putuskan hubungan' }).click();
  await dialog(page, 'Putuskan hubungan').getByRole('button', { name: 'Putuskan hubungan' }).click();
  await expect(page.getByRole('combobox', { name: 'Hubungkan dengan akun' })).toBeVisible();
  await expectToFit(page, 'an object without an account');
  await page.goto('about:blank');
  await takeBack();
});

test('a clerk approves and rejects requests of users', async ({ page, testServer, admin, registerUser, openAs }) => {
  test.slow();
  const takeBack = await importList(testServer, admin);
  const user = await registerUser('Wulan Pemohon');
  const ask = (nop: string) =>
    callAs(testServer, user, 'POST', '/tax-records/claims', { nop, note: 'Rumah orang tua saya' });
  await ask(nopOf(3));
  await page.setViewportSize(DESKTOP);
  await openAs(page, admin, '/admin/dashboard');
  await expect(page.getByRole('link', { name: /^1 permintaan objek/ })).toBeVisible();
  await ask(nopOf(999));
  await page.getByRole('link', { name: /^2 permintaan objek/ }).click();
  await expect(rows(page)).toHaveCount(2);
  await expectAccessible(page, 'the requests of users');
  await expectToFit(page, 'the requests of users');

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(toast(page, `Objek ${dottedNop(nopOf(3))} terhubung dengan Wulan Pemohon.`)).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(focused(page)).toHaveText('Tolak');
  await page.keyboard.press('x');
  const question = dialog(page, 'Tolak permintaan');
  await question.getByRole('radio', { name: /^NOP ini tidak ada di daftar kantor/ }).check();
  await expectAccessible(page, 'the reason of a rejection');
  await question.getByRole('button', { name: 'Tolak' }).click();
  await expect(page.getByText('Semua permintaan sudah dijawab')).toBeVisible();

  await page.getByRole('tab', { name: 'Ditolak' }).click();
  await expect(page.getByText(/^Ditolak: NOP ini tidak ada di daftar kantor/)).toBeVisible();
  await expectToFit(page, 'the answered requests of users');
  await page.goto('about:blank');
  await takeBack();
});
