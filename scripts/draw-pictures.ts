import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { chromiumLaunch } from '../chromium.config.ts';
import { startTestServer } from '../e2e/test-server.ts';
import { ensureBuilt, printLine, root } from './bootstrap.mjs';
import { SAMPLE_PASSWORD } from './seed/sample-texts.ts';
import { call, signIn } from './seed/server-calls.ts';

/**
 * Draws the pictures of the handbook from a running server with sample data: `npm run pictures` after their screens have
 * changed. They are part of the repository, so that a build needs no browser.
 */

const PICTURES = join(root, 'docs', 'pictures');
const QUALITY = 75;
/** Space around what is shown. */
const MARGIN_PX = 12;
/** No menu beside the page: its words stay large enough on a phone. */
const NARROW = { width: 860, height: 1700 };
/** The table of objects beside accounts. */
const MEDIUM = { width: 1200, height: 1000 };
/** The table of the list needs this much. */
const WIDE = { width: 1500, height: 1000 };
const PHONE = { width: 390, height: 1000 };
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const year = new Date().getFullYear();

/** Written at the end: the build needs the pictures that the text names. */
const drawn = new Map<string, Buffer>();

/** Keeps the part of the page that holds some elements, down to a height. */
async function draw(page: Page, name: string, shown: Locator[], heightMax = Infinity): Promise<void> {
  const boxes = await Promise.all(shown.map((locator) => locator.boundingBox()));
  const found = boxes.filter((box) => box !== null);
  if (found.length < shown.length) throw new Error(`${name}: an element is not on the page`);
  const x = Math.max(0, Math.min(...found.map((box) => box.x)) - MARGIN_PX);
  const y = Math.max(0, Math.min(...found.map((box) => box.y)) - MARGIN_PX);
  const pageWidth = page.viewportSize()?.width ?? Infinity;
  const right = Math.min(pageWidth, Math.max(...found.map((box) => box.x + box.width)) + MARGIN_PX);
  const bottom = Math.max(...found.map((box) => box.y + box.height)) + MARGIN_PX;
  const clip = { x, y, width: right - x, height: Math.min(bottom - y, heightMax), scale: 1 };
  const session = await page.context().newCDPSession(page);
  // Playwright itself takes PNG and JPEG only.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
  const bytes = Buffer.from(data, 'base64');
  drawn.set(`${name}.webp`, bytes);
  printLine(`${name}.webp: ${Math.round(clip.width)} × ${Math.round(clip.height)}, ${bytes.length} bita`);
}

/** The way of a list from its file to the objects of the year. */
async function drawImport(page: Page, list: Buffer): Promise<void> {
  await page.setViewportSize(NARROW);
  await page.goto(`/admin/dhkp/import?tahun=${year}`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Pilih berkas' }).click();
  await (await chooser).setFiles({ name: `DHKP ${year} susulan.xlsx`, mimeType: XLSX, buffer: list });
  const form = page.getByRole('region', { name: 'Impor baru' });
  await form.getByText(`DHKP ${year} susulan.xlsx`).waitFor();
  await draw(page, 'pilih-berkas', [form]);

  await form.getByRole('button', { name: 'Periksa' }).click();
  const counts = page.getByRole('region', { name: 'Baris menurut jenis' });
  const control = page.getByRole('region', { name: 'Jumlah kontrol' });
  await control.waitFor();
  await draw(page, 'hasil-periksa', [page.getByRole('heading', { level: 1 }), counts, control]);

  const paper = page.locator('section', { has: page.getByRole('heading', { name: 'Jumlah di daftar kertas' }) });
  await draw(page, 'jumlah-kontrol', [control, paper]);

  const problems = counts.getByRole('button', { name: 'Bermasalah' });
  await problems.click();
  const rows = page.locator('main ul > li').filter({ hasText: /^Lembar .+, baris \d/ });
  await rows.last().waitFor();
  await draw(page, 'baris-bermasalah', [problems, ...(await rows.all())]);

  await page.getByRole('button', { name: 'Terapkan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Terapkan' }).click();
  await page.waitForURL(`**/admin/dhkp?tahun=${year}`);
}

async function drawList(page: Page): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.goto(`/admin/dhkp?tahun=${year}`);
  const content = page.getByRole('main');
  await content.locator('[data-row]').first().waitFor();
  await draw(page, 'daftar-objek', [page.getByRole('heading', { level: 1 }), content.getByRole('table')], 460);
  await page.setViewportSize(PHONE);
  await content.locator('[data-row]').first().waitFor();
  await draw(page, 'daftar-di-hp', [content], 700);
}

async function drawPeople(page: Page): Promise<void> {
  await page.setViewportSize(MEDIUM);
  await page.goto('/admin/dhkp/matches');
  const content = page.getByRole('main');
  const heading = page.getByRole('heading', { level: 1 });
  await content.getByRole('button', { name: 'Hubungkan' }).first().waitFor();
  await draw(page, 'hubungkan-objek', [heading, content.getByRole('row').nth(5)]);
  await page.setViewportSize(NARROW);
  await page.goto('/admin/dhkp/claims');
  await content.getByRole('button', { name: 'Setujui' }).first().waitFor();
  await draw(page, 'permintaan-warga', [heading, content.getByRole('listitem').first()]);
}

async function main(): Promise<void> {
  ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-pictures-'));
  execFileSync(process.execPath, [join(root, 'scripts/seed/main.ts')], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const server = await startTestServer({ DATA_DIR: dataDir });
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const office = await signIn(server.url, 'ratna@pbb.local', SAMPLE_PASSWORD);
    const user = JSON.stringify(await call(office, '/auth/user'));
    const context = await browser.newContext({
      baseURL: server.url,
      colorScheme: 'light',
      locale: 'id-ID',
      timezoneId: 'Asia/Jakarta',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    });
    await context.addInitScript(
      ([token, storedUser]) => {
        localStorage.setItem('token', token ?? '');
        localStorage.setItem('user', storedUser ?? '');
      },
      [office.token, user],
    );
    const page = await context.newPage();
    await drawImport(page, readFileSync(join(dataDir, `contoh-dhkp-${year}.xlsx`)));
    await drawList(page);
    await drawPeople(page);
    rmSync(PICTURES, { recursive: true, force: true });
    mkdirSync(PICTURES);
    for (const [name, bytes] of drawn) writeFileSync(join(PICTURES, name), bytes);
  } finally {
    await browser.close();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
