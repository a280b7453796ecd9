import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { readXlsx } from 'hucre/xlsx';
import { callAs, expect, SERVER_DOWN_ERRORS, test, type TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';
import type { ReportOverview } from '#shared/api/reports.ts';
import { mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';
import { expectPrintable } from './print.ts';
import { addRecord, homeRecord, changeStoredRecord, shopRecord } from './records.ts';

// Named here and not imported: the reader belongs to the client's own project of the type checker.
const pdfReader = '#client/exports/testing/pdf-text.ts';
type PdfReader = { readPdfPages: (file: Blob) => Promise<string[]> };

const thisYear = Number(new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Jakarta' }).slice(0, 4));
const vacantLandRecord = {
  ...homeRecord,
  name: 'Sawah Utara',
  spt_number: '33.74.010.001.002-0100.0',
  amount: 800_000.5,
  property_type: 'lahan_kosong',
};

const summary = (page: Page) => page.getByRole('tabpanel', { name: 'Ringkasan' });
const properties = (page: Page) => page.getByRole('tabpanel', { name: 'Jenis Properti' });
const toast = (page: Page) => page.getByRole('status').filter({ hasText: /berhasil/i });

/** Two records of this year, 4.650.000 together, and one of last year. */
async function addRecordsOfTwoYears(testServer: TestServer, user: TestUser): Promise<void> {
  await addRecord(testServer, user, homeRecord);
  await addRecord(testServer, user, shopRecord);
  const { id } = await addRecord(testServer, user, vacantLandRecord);
  changeStoredRecord(testServer, id, { createdAt: `${thisYear - 1}-05-20T04:00:00Z` });
}

/** The requests of the page since then, without those of the chat. */
function recordApiCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/api\/(reports|tax-records)\b/.test(pathname)) calls.push(pathname + search);
  });
  return calls;
}

/** Presses an export button and waits for the file. */
async function exportFile(page: Page, button: string): Promise<Download> {
  const downloadEvent = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return downloadEvent;
}

test('the summary shows the selected period, and the address holds tab and period', async ({
  page,
  testServer,
  user,
  openAs,
}) => {
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports');
  await expect(page.getByLabel('Periode')).toHaveValue('this_year');
  const counted = page.getByText(`Dihitung dari data yang dicatat 1 Jan–31 Des ${thisYear}`);
  await expect(counted.and(page.locator(':visible'))).toHaveCount(1);
  await expect(summary(page)).toContainText(/Total Pajak\s*Rp\s4\.650\.000/);
  await expect(summary(page)).toContainText(/Pajak Terbayar\s*Rp\s3\.400\.000/);
  await expect(summary(page)).toContainText(/Belum Bayar\s*Rp\s1\.250\.000/);
  await expect(summary(page)).toContainText(/Total Catatan\s*2/);
  await expect(page.getByRole('progressbar', { name: 'Progres Pembayaran' })).toHaveAttribute(
    'aria-valuetext',
    '73,1% terbayar menurut Anda; 0% diketahui kantor',
  );

  await page.getByLabel('Periode').selectOption('Tahun Lalu');
  await expect(page).toHaveURL('/reports?periode=last_year');
  await expect(summary(page)).toContainText(/Total Pajak\s*Rp\s800\.001/);
  await page.getByRole('tab', { name: 'Jenis Properti' }).click();
  await expect(page).toHaveURL('/reports?periode=last_year&tab=properti');
  await expect(properties(page).getByRole('row', { name: /Lahan Kosong.*Rp\s800\.001.*100%/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Jenis Properti' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Periode')).toHaveValue('last_year');

  await page.goBack();
  await expect(summary(page)).toContainText(/Total Pajak\s*Rp\s800\.001/);
  await page.goBack();
  await expect(page).toHaveURL('/reports');
  await expect(summary(page)).toContainText(/Total Pajak\s*Rp\s4\.650\.000/);
  await page.goto('/reports?periode=besok&tab=ngawur');
  await expect(page.getByLabel('Periode')).toHaveValue('this_year');
  await expect(summary(page)).toContainText(/Total Catatan\s*2/);
});

test('every period can be selected', async ({ page, testServer, user, openAs }) => {
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports');
  await expect(page.getByLabel('Periode').getByRole('option')).toHaveText([
    'Bulan Ini',
    'Bulan Lalu',
    'Kuartal Ini',
    'Tahun Ini',
    'Tahun Lalu',
  ]);
  for (const [period, count] of [
    ['this_month', 2],
    ['last_month', 0],
    ['this_quarter', 2],
    ['last_year', 1],
  ] as const) {
    await page.getByLabel('Periode').selectOption(period);
    await expect(summary(page), period).toContainText(new RegExp(`Total Catatan\\s*${count}`));
  }
  await page.goto('/reports?periode=last_month&tab=properti');
  await expect(page.getByText('Tidak ada data')).toBeVisible();
});

test('the property tab shows shares as text and as a ring chart', async ({ page, testServer, user, openAs }) => {
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports?tab=properti');
  const rows = properties(page).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toHaveText(/Toko\/Ruko\s*Rp\s3\.400\.000\s*73,1%/);
  await expect(rows.nth(2)).toHaveText(/Rumah Tinggal\s*Rp\s1\.250\.000\s*26,9%/);
  await expect(rows.nth(3)).toHaveText(/Total\s*Rp\s4\.650\.000\s*100%/);
  await expect(properties(page).locator('[data-slice]')).toHaveCount(2);
});

test('a tab loads once, and again for another period', async ({ page, testServer, user, openAs }) => {
  await addRecordsOfTwoYears(testServer, user);
  // A wider page shows the property types beside the summary, and loads both at once.
  await page.setViewportSize({ width: 1280, height: 900 });
  await openAs(page, user, '/reports');
  await expect(summary(page)).toContainText('Rp 4.650.000');
  const calls = recordApiCalls(page);
  await page.getByRole('tab', { name: 'Jenis Properti' }).click();
  await expect(properties(page)).toContainText('Rp 4.650.000');
  await page.getByRole('tab', { name: 'Ringkasan' }).click();
  await expect(summary(page)).toContainText('Rp 4.650.000');
  await page.getByRole('tab', { name: 'Jenis Properti' }).click();
  await expect(properties(page)).toContainText('Rp 4.650.000');
  expect(calls).toEqual(['/api/reports/property?dateRange=this_year']);
  await page.getByLabel('Periode').selectOption('last_year');
  await expect(properties(page)).toContainText('Rp 800.001');
  expect(calls).toEqual(['/api/reports/property?dateRange=this_year', '/api/reports/property?dateRange=last_year']);
});

test('Export Excel saves a workbook with numbers, not texts', async ({ page, testServer, registerUser, openAs }) => {
  const user = await registerUser('Siti Rahmawati');
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports');
  await expect(summary(page)).toContainText('Rp 4.650.000');
  const calls = recordApiCalls(page);
  const file = await exportFile(page, 'Export Excel');
  await expect(toast(page)).toBeVisible();
  expect(calls).toEqual([]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);

  const book = await readXlsx(readFileSync(await file.path()));
  const cells = book.sheets.flatMap((sheet) => sheet.rows.flat());
  expect(cells).toContain(4_650_000);
  expect(cells).toContain(3_400_000);
  expect(cells).toContain(2);
  expect(cells.join('\n')).toContain('Siti Rahmawati');
  expect(cells.join('\n')).toContain(`1 Januari ${thisYear}`);
});

test('Export Excel of the property types contains decimals and shares', async ({ page, testServer, user, openAs }) => {
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports?tab=properti&periode=last_year');
  await expect(properties(page)).toContainText('Lahan Kosong');
  const file = await exportFile(page, 'Export Excel');
  const book = await readXlsx(readFileSync(await file.path()));
  const cells = book.sheets.flatMap((sheet) => sheet.rows.flat());
  expect(cells).toContain('Lahan Kosong');
  expect(cells).toContain(800_000.5);
  // A share of all is 1 in a worksheet, shown as 100 %.
  expect(cells).toContain(1);
});

test('Export PDF saves a report with totals and page numbers', async ({ page, testServer, registerUser, openAs }) => {
  const user = await registerUser('Siti Rahmawati');
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports?tab=properti');
  await expect(properties(page)).toContainText('Rp 4.650.000');
  const calls = recordApiCalls(page);
  const file = await exportFile(page, 'Export PDF');
  await expect(toast(page)).toBeVisible();
  expect(calls).toEqual([]);
  expect(file.suggestedFilename()).toMatch(/\.pdf$/);

  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const { readPdfPages } = (await import(pdfReader)) as PdfReader;
  const pages = await readPdfPages(new Blob([bytes]));
  expect(pages).toHaveLength(1);
  const text = (pages[0] ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');
  for (const words of [
    'PBB Kita',
    'Toko/Ruko',
    'Rp 3.400.000',
    'Rp 4.650.000',
    'Siti Rahmawati',
    'Halaman 1 dari 1',
    'Tahun Ini',
  ]) {
    expect(text).toContain(words);
  }
});

/** Answers the admin's list with so many records, without a server that has them. */
async function answerWithRecords(page: Page, stored: object, total: number): Promise<void> {
  await page.route('**/api/admin/tax-records?*', async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const limit = Number(query.get('limit'));
    const current = Number(query.get('page'));
    const data = Array.from({ length: Math.min(limit, total - (current - 1) * limit) }, (_, index) => {
      const id = `00000000-0000-7000-8000-${String((current - 1) * limit + index).padStart(12, '0')}`;
      return { ...stored, id, _id: id };
    });
    const paging = { total, per_page: limit, current_page: current, last_page: Math.ceil(total / limit) };
    const none = { count: 0, amount: 0 };
    const sums = { total_amount: 0, estimated: none, checked: mapCheckedParts(() => none) };
    await route.fulfill({ json: { success: true, message: '', data: { data, ...paging, ...sums } } });
  });
}

test('an export of many records shows its progress, can be cancelled while the file is made, and leaves the page free', async ({
  page,
  testServer,
  user,
  admin,
  openAs,
}) => {
  const { id } = await addRecord(testServer, user, homeRecord);
  const { data: stored } = await callAs<{ data: object }>(testServer, admin, 'GET', `/admin/tax-records/${id}`);
  await answerWithRecords(page, stored, 5000);
  await openAs(page, admin, '/admin/tax-records');
  const saved: string[] = [];
  page.on('download', (file) => saved.push(file.suggestedFilename()));
  const exportAll = async (kind: string) => {
    await page.getByRole('button', { name: /Export atau print Semua hasil/ }).click();
    await page.getByRole('menuitem', { name: kind }).click();
  };
  // The worker cannot make the file before it has this code, so that there is time to cancel.
  const code = Promise.withResolvers<void>();
  await page.route('**/assets/pdf-*.js', async (route) => {
    await code.promise;
    await route.continue().catch(() => {});
  });
  await exportAll('Export PDF');
  await expect(page.getByText('Menyusun PDF dari 5.000 data…')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Menyiapkan PDF' })).toBeVisible();
  await page.getByRole('button', { name: 'Batal', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Dibatalkan' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Menyiapkan PDF' })).toBeHidden();
  code.resolve();

  const download = page.waitForEvent('download');
  await exportAll('Export Excel');
  const file = await download;
  await expect(page.getByText('5.000 data berhasil diekspor ke Excel')).toBeVisible();
  expect(saved).toEqual([file.suggestedFilename()]);
  const [sheet] = (await readXlsx(readFileSync(await file.path()))).sheets;
  const headRow = sheet?.rows.findIndex((row) => row.includes('Tahun')) ?? -1;
  const year = sheet?.rows[headRow]?.indexOf('Tahun') ?? -1;
  const body = sheet?.rows.slice(headRow + 1) ?? [];
  expect(body.filter((row) => typeof row[year] === 'number')).toHaveLength(5000);
  expect(body.at(-1)?.at(-1)).toBe(5000 * homeRecord.amount);
});

test('an export button pressed twice saves one file', async ({ page, testServer, user, openAs }) => {
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports');
  await expect(summary(page)).toContainText('Rp 4.650.000');
  const saved: string[] = [];
  page.on('download', (file) => saved.push(file.suggestedFilename()));
  const first = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export PDF' }).click({ clickCount: 3 });
  await expect(toast(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export PDF' })).not.toHaveAttribute('aria-busy');
  await first;
  expect(saved).toHaveLength(1);
});

test('a report that fails to load shows the failure and can be loaded again', async ({
  page,
  testServer,
  user,
  openAs,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(SERVER_DOWN_ERRORS);
  await addRecordsOfTwoYears(testServer, user);
  await openAs(page, user, '/reports');
  await expect(summary(page)).toContainText('Rp 4.650.000');
  // Only this call fails: with the whole server gone the page would try again by itself as soon as it is back.
  await page.route('**/api/reports/**', (route) => route.abort('connectionfailed'));
  await page.getByLabel('Periode').selectOption('last_year');
  await expect(page.getByText('Terjadi kesalahan saat memuat data laporan')).toBeVisible();
  await page.unroute('**/api/reports/**');
  await page.getByRole('button', { name: 'Coba lagi' }).click();
  await expect(summary(page)).toContainText('Rp 800.001');
});

test('both tabs print black on white and without buttons', async ({ page, testServer, registerUser, openAs }) => {
  const user = await registerUser('Siti Rahmawati');
  await addRecordsOfTwoYears(testServer, user);
  await page.emulateMedia({ colorScheme: 'dark' });
  await openAs(page, user, '/reports');
  await expect(summary(page)).toContainText('Rp 4.650.000');
  await page.setViewportSize({ width: 690, height: 980 });
  await expectPrintable(page);
  await expect(page.getByText('Laporan Ringkasan PBB')).toBeVisible();
  await expect(page.getByText(`Tahun Ini (1 Januari ${thisYear} – 31 Desember ${thisYear})`)).toBeVisible();
  await expect(page.getByText('Rp 4.650.000').first()).toBeVisible();

  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await page.getByRole('tab', { name: 'Jenis Properti' }).click();
  await expect(properties(page)).toContainText('Rp 4.650.000');
  await expectPrintable(page);
  await expect(page.getByText('Laporan Jenis Properti PBB')).toBeVisible();
  await expect(page.getByRole('row', { name: /Total Rp\s4\.650\.000/ })).toBeVisible();
});

test('the parts of a paid sum keep the report of admins on its page and paper', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  await addRecord(testServer, await registerUser(), homeRecord);
  const part = { count: 1234, amount: 123_456_789_012 };
  const sumOf = (parts: number) => ({ count: parts * part.count, amount: parts * part.amount });
  const paid = { ...sumOf(5), checked: mapCheckedParts(() => part) };
  await page.route('**/api/admin/reports/overview?*', async (route) => {
    const answer = await route.fetch();
    const { data, ...envelope } = (await answer.json()) as { data: ReportOverview };
    const sums = { total: sumOf(6), paid, unpaid: part, overdue: { ...part, estimated: part } };
    const byYear = data.by_year.map((year) => ({ ...year, ...sums }));
    const received = { ...data.received, ...paid, previous: { ...data.received.previous, ...paid } };
    await route.fulfill({ json: { ...envelope, data: { ...data, received, by_year: byYear } } });
  });
  await openAs(page, admin, '/admin/reports');
  const years = page.getByRole('table', { name: 'Tagihan per Tahun Pajak' });
  for (const width of [1440, 1366, 1024, 820, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(years).toContainText(/berubah sejak dicocokkan Rp\s123\.456\.789\.012/);
    await expect(years).toContainText(/termasuk perkiraan Rp\s123\.456\.789\.012 \(1\.234 data\)/);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), `at ${width} px`).toBe(width);
  }
  await page.setViewportSize({ width: 690, height: 980 });
  await expectPrintable(page);
  expect(await years.evaluate((table) => table.getBoundingClientRect().right)).toBeLessThanOrEqual(690);
});
