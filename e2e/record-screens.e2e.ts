import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { homeRecord, shopRecord, test } from './records.ts';

const PHONE = { width: 390, height: 844 };

/** Every empty field whose hint is wider than its place, and every badge that cuts its letters. */
function findCutLetters(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('no canvas');
    const fields = [...document.querySelectorAll<HTMLInputElement>('main input:placeholder-shown')].filter((field) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      context.font = font;
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return context.measureText(field.placeholder).width > room;
    });
    const badges = [...document.querySelectorAll<HTMLElement>('main .mantine-Badge-label')].filter(
      (label) => getComputedStyle(label).overflowY !== 'visible' && label.scrollHeight > label.clientHeight,
    );
    return [...fields.map(({ placeholder }) => placeholder), ...new Set(badges.map(({ innerText }) => innerText))];
  });
}

test('no hint of a filter and no badge of the audit is cut, on a desktop and on a phone', async ({
  page,
  admin,
  registerUserWith,
  openAs,
}) => {
  await registerUserWith([homeRecord]);
  for (const viewport of [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, PHONE]) {
    await page.setViewportSize(viewport);
    await openAs(page, admin, '/admin/audit');
    await expect(page.getByText('Warga', { exact: true }).first()).toBeVisible();
    expect(await findCutLetters(page), `audit, ${viewport.width} px`).toEqual([]);
    await page.goto('/admin/tax-records');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Tanggal bayar sampai' })).toBeVisible();
    expect(await findCutLetters(page), `filters, ${viewport.width} px`).toEqual([]);
  }
});

test('the filters of the admins stand in whole rows of one grid', async ({ page, admin, openAs }) => {
  await openAs(page, admin, '/admin/tax-records');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const filters = page.getByRole('region', { name: 'Saring data' });
  await expect(filters.getByRole('textbox', { name: 'Tanggal bayar sampai' })).toBeVisible();
  const rows = async () => {
    const fields = await filters.locator('select, input:not([type="search"]):not([type="hidden"])').all();
    const boxes = await Promise.all(fields.map((field) => field.boundingBox()));
    const byRow = new Map<number, number[]>();
    for (const box of boxes) {
      if (!box) continue;
      const top = Math.round(box.y);
      byRow.set(top, [...(byRow.get(top) ?? []), Math.round(box.x)]);
    }
    return [...byRow.values()];
  };
  const [first, second, third, ...others] = await rows();
  expect(others).toEqual([]);
  expect(second).toHaveLength(4);
  expect(third).toEqual(second);
  expect(first).toEqual(second);
  await expect(filters.getByRole('button', { name: /^Tampilkan/ })).toHaveCount(0);

  await page.setViewportSize(PHONE);
  await expect.poll(async () => (await rows()).map(({ length }) => length)).toEqual([2, 2, 2, 2, 2, 2]);
  const show = filters.getByRole('button', { name: /^Tampilkan \d+ data$/ });
  await filters.getByLabel('Status').selectOption('proses');
  await show.click();
  await expect(show).toHaveCount(0);
  await expect(page).toHaveURL(/status=proses/);
});

test('the reports hold sums of twelve digits at 1,024 px', async ({ page, admin, registerUserWith, openAs }) => {
  await registerUserWith([
    { ...homeRecord, amount: 311_175_539_139 },
    { ...shopRecord, amount: 300_037_654_507 },
  ]);
  for (const width of [1024, 1100, 1280, PHONE.width]) {
    await page.setViewportSize({ width, height: 768 });
    await openAs(page, admin, '/admin/reports');
    const table = page.getByRole('table', { name: 'Tagihan per Tahun Pajak' });
    await expect(table).toContainText('611.2');
    const overflow = await table.evaluate((element) => ({
      page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      card: element.getBoundingClientRect().right - (element.parentElement?.getBoundingClientRect().right ?? 0),
    }));
    expect(overflow.page, `page at ${width} px`).toBeLessThanOrEqual(0);
    expect(overflow.card, `card at ${width} px`).toBeLessThanOrEqual(0);
    const bar = table.locator('[data-part="paid"]').first();
    expect((await bar.boundingBox())?.width, `bar at ${width} px`).toBeGreaterThan(20);
  }
});

test('a record of the own list is about 150 px high on a phone, and all of it opens the record', async ({
  page,
  registerUserWith,
  openAs,
}) => {
  const onKenanga = (number: number) => ({ ...homeRecord, address: `Jl. Kenanga No. ${number}, Desa Sukamaju` });
  const { user } = await registerUserWith([0, 1, 2, 3].map(onKenanga));
  await page.setViewportSize(PHONE);
  await openAs(page, user, '/tax-records');
  const cards = page.getByRole('main').getByRole('listitem');
  await expect(cards).toHaveCount(4);
  // The property type takes the title to a second line.
  for (const card of await cards.all()) expect((await card.boundingBox())?.height).toBeLessThanOrEqual(160);
  const card = cards.first();
  for (const text of ['PBB 2025 · Rumah Tinggal – Jl. Kenanga No. 3', `SPT ${homeRecord.spt_number}`, 'Tunggakan']) {
    await expect(card).toContainText(text);
  }
  // The press goes to the amount: the link covers the whole card.
  await card.click({ position: { x: 60, y: 100 } });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PBB 2025 · Jl. Kenanga No. 3');
  await page.goBack();
  await card.getByRole('button', { name: /^Aksi lain \(More\)/ }).click();
  await expect(page.getByRole('menuitem', { name: /^Edit/ })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /^Hapus \(Delete\)/ })).toBeVisible();
});

test('paying is the first act on an unpaid record on a phone', async ({ page, registerUserWith, openAs }) => {
  const { user, ids } = await registerUserWith([homeRecord]);
  await page.setViewportSize(PHONE);
  await openAs(page, user, `/tax-records/${ids[0]}`);
  const topOf = async (name: string) => (await page.getByText(name, { exact: true }).boundingBox())?.y ?? Number.NaN;
  await expect(async () => {
    const pay = await topOf('Unggah bukti pembayaran');
    expect(pay).toBeLessThan(await topOf('Tandai lunas'));
    expect(await topOf('Tandai lunas')).toBeLessThan(await topOf('Edit'));
    expect(pay).toBeLessThan(PHONE.height / 2);
  }).toPass();
});

test('the word of an overdue record is quieter than amount and status in the list of the admins', async ({
  page,
  admin,
  registerUserWith,
  openAs,
}) => {
  const { user } = await registerUserWith([homeRecord]);
  await openAs(page, admin, `/admin/tax-records?pemilik=${user.id}`);
  const overdue = page.getByRole('row').getByText('Tunggakan', { exact: true });
  const weight = (text: typeof overdue) => text.evaluate((element) => Number(getComputedStyle(element).fontWeight));
  const size = (text: typeof overdue) =>
    text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(await weight(overdue)).toBe(400);
  expect(await size(overdue)).toBeLessThan(await size(page.getByRole('row').getByText(/^Rp/).first()));
});

test('the page of a record is named after it, and a report is compared before anything else', async ({
  page,
  admin,
  registerUserWith,
  openAs,
}) => {
  const { ids } = await registerUserWith([{ ...homeRecord, status: 'proses' }]);
  await openAs(page, admin, `/admin/tax-records/${ids[0]}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Detail Data Pajak');
  const subject = page.getByRole('heading', { level: 2, name: 'PBB 2025 · Jalan Melati No. 12' });
  const sizeOf = (level: 1 | 2) =>
    page
      .getByRole('heading', { level })
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  await expect(subject).toBeVisible();
  expect(await sizeOf(2)).toBeGreaterThan(await sizeOf(1));
  await expect(page).toHaveTitle(/PBB 2025 · Jalan Melati No. 12/);
  await page.getByRole('link', { name: 'Cocokkan', exact: true }).click();
  await expect(page).toHaveURL(`/admin/tax-records/bukti-masuk?data=${ids[0]}`);
});

test('a report without a photo has no empty box, and its reasons are lines for a thumb', async ({
  page,
  admin,
  registerUserWith,
  openAs,
}) => {
  const { ids } = await registerUserWith([
    { ...homeRecord, status: 'proses' },
    { ...shopRecord, status: 'proses' },
  ]);
  await openAs(page, admin, `/admin/tax-records/bukti-masuk?data=${ids[0]}`);
  const note = page.getByText('Warga melaporkan pembayaran tanpa foto.');
  await expect(note).toBeVisible();
  const facts = page.getByRole('region', { name: 'PBB 2025 · Jalan Melati No. 12' });
  const left = async () => [(await facts.boundingBox())?.x, (await page.locator('main nav').first().boundingBox())?.x];
  const [factsLeft, pageLeft] = await left();
  expect(factsLeft).toBe(pageLeft);
  await expect(facts.getByText('Warga melaporkan')).toBeVisible();

  await page.getByRole('button', { name: 'Daftar yang menunggu' }).click();
  const list = page.getByRole('list', { name: 'Yang menunggu' });
  await list
    .getByRole('button', { name: /Jalan Pasar Baru/ })
    .last()
    .click();
  await expect(page).toHaveURL(/bukti-masuk\?data=/);
  await expect(page.getByRole('heading', { level: 2, name: /Jalan Pasar Baru/ })).toBeFocused();
  expect(page.url()).not.toContain(ids[0]);

  await page.setViewportSize(PHONE);
  await page.goto(`/admin/tax-records/bukti-masuk?data=${ids[1]}`);
  await page.getByRole('button', { name: 'Tidak cocok' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tidak cocok' });
  const reason = dialog.getByRole('radio', { name: /catatan kantor/ });
  const line = dialog.locator('.mantine-Radio-body', { hasText: /catatan kantor/ });
  expect((await line.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await line.getByText(/catatan kantor/).click();
  await expect(reason).toBeChecked();
});

test('paper has no links, and the printed list gives the names the room that other columns do not need', async ({
  page,
  admin,
  registerUserWith,
  openAs,
}) => {
  const { user } = await registerUserWith([homeRecord, shopRecord]);
  // The width of A4 within its margins.
  await page.setViewportSize({ width: 688, height: 980 });
  await openAs(page, admin, '/admin/reports');
  await expect(page.getByRole('table', { name: 'Tagihan per Tahun Pajak' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const underlined = await page
    .locator('main a:visible')
    .evaluateAll((links) => links.filter((link) => getComputedStyle(link).textDecorationLine !== 'none').length);
  expect(underlined).toBe(0);

  await page.emulateMedia({ media: 'screen' });
  await openAs(page, user, '/tax-records');
  await expect(page.getByText('2 data', { exact: true })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const name = page.getByRole('cell', { name: /Budi Santoso/ });
  // Beside an official number of 24 characters.
  expect((await name.boundingBox())?.width).toBeGreaterThan(140);
  await expect(page.getByText('Bukan bukti setoran resmi')).toBeVisible();
  await expect(page.getByText('Wajib Pajak')).toBeVisible();
  await expect(page.getByText('Petugas')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Toko Sumber Rejeki/ })).toContainText('Menunggu diperiksa kantor');
});
