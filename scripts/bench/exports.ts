import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { chromium, type Download, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../chromium.config.ts';
import { printTable } from './measure.ts';
import { type BenchData, createBenchData } from './seed-data.ts';
import { startServer } from './server-process.ts';

const SIZES = [10_000, 50_000, 100_000];
const EXPORT_TIMEOUT_MS = 600_000;

declare global {
  interface Window {
    /** Milliseconds of each task of the page that took longer than 50 ms, as the browser reports them. */
    benchLongTasks: number[];
    /** Milliseconds from each key press to the next frame. */
    benchKeyDelays: number[];
  }
}

function observePage(): void {
  window.benchLongTasks = [];
  window.benchKeyDelays = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.benchLongTasks.push(duration);
  }).observe({ type: 'longtask' });
  window.addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => window.benchKeyDelays.push(performance.now() - timeStamp));
  });
}

/** Writes the session of the admin into the storage of the page, as a sign-in does. */
async function signIn(page: Page, url: string, { admin }: BenchData): Promise<void> {
  const response = await fetch(`${url}/api/auth/user`, { headers: { authorization: `Bearer ${admin.token}` } });
  const { data } = (await response.json()) as { data: unknown };
  await page.goto(`${url}/healthz`);
  await page.evaluate(
    ([token, user]) => {
      localStorage.setItem('token', token ?? '');
      localStorage.setItem('user', user ?? '');
    },
    [admin.token, JSON.stringify(data)],
  );
}

/** Exports all records and presses a key each 100 ms meanwhile. */
async function measureExport(page: Page, size: number): Promise<(string | number)[]> {
  await page.getByRole('button', { name: /Export atau print/ }).waitFor();
  await page.getByRole('button', { name: /Export atau print/ }).click();
  const download = page.waitForEvent('download', { timeout: EXPORT_TIMEOUT_MS });
  await page.evaluate(() => {
    window.benchLongTasks = [];
    window.benchKeyDelays = [];
  });
  const startedAt = performance.now();
  await page.getByRole('menuitem', { name: 'Export Excel' }).click();
  let file: Download | null = null;
  while (file === null) {
    await page.keyboard.press('Shift');
    file = await Promise.race([download, page.waitForTimeout(100).then(() => null)]);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { tasks, keys } = await page.evaluate(() => ({ tasks: window.benchLongTasks, keys: window.benchKeyDelays }));
  const { size: bytes } = await stat(await file.path());
  return [
    size.toLocaleString('en'),
    seconds,
    bytes / 1e6,
    tasks.length,
    Math.max(0, ...tasks),
    keys.length,
    Math.max(0, ...keys),
  ];
}

/** Exports all records to Excel in a browser, and measures how long the page is blocked by it. */
export async function benchExports(): Promise<void> {
  const browser = await chromium.launch(chromiumLaunch);
  const rows: (string | number)[][] = [];
  for (const size of SIZES) {
    const data = createBenchData(size);
    const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir });
    const page = await browser.newPage();
    await page.addInitScript(observePage);
    await signIn(page, server.url, data);
    await page.goto(`${server.url}/admin/tax-records`);
    rows.push(await measureExport(page, size));
    await page.close();
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
  await browser.close();
  printTable(
    'export to Excel in Chromium',
    ['records', 'seconds', 'MB', 'tasks > 50 ms', 'longest task (ms)', 'key presses', 'slowest key (ms)'],
    rows,
  );
}
