import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../../chromium.config.ts';
import { takeCameraPhoto } from '../../../e2e/camera-photo.ts';
import { measureKeys, type MeasuredWindow } from './columns.ts';
import { percentiles, printTable } from '../measure.ts';
import { addUsers, createBenchData } from '../seed-data.ts';
import { startServer } from '../server-process.ts';
import { limitUpload, openSlowPhone, SLOW_PHONE } from './slow-phone.ts';

const ROUNDS = 5;
const UPLOADS_BITS_PER_SECOND = [1_600_000, 750_000];
const KEYS = 30;
const KEY_INTERVAL_MS = 120;

/** What the page notes, in ms of its own clock. */
type NotedWindow = Pick<MeasuredWindow, 'keyTimes'> &
  typeof globalThis & { pickedAt: number; bubbleAt: number; sentAt: number; longestTask: number };

/** Runs in the page: when a photo was picked, when the own bubble shows it, and when the server has it. */
function noteTimes(): void {
  const noted = globalThis as NotedWindow;
  Object.assign(noted, { pickedAt: 0, bubbleAt: 0, sentAt: 0, longestTask: 0, keyTimes: [] });
  const onPick = () => {
    noted.pickedAt ||= performance.now();
  };
  document.addEventListener('change', onPick, { capture: true, once: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      const isMeant = noted.pickedAt > 0 && startTime > noted.pickedAt && noted.sentAt === 0;
      if (isMeant) noted.longestTask = Math.max(noted.longestTask, duration);
    }
  }).observe({ type: 'longtask' });
  const before = document.querySelectorAll('[role="log"] img').length;
  const look = (): void => {
    const image = [...document.querySelectorAll<HTMLImageElement>('[role="log"] img')][before];
    if (image && image.complete && image.naturalWidth > 0) noted.bubbleAt ||= performance.now();
    const state = image?.closest('[data-item]')?.querySelector('[data-delivery]')?.getAttribute('data-delivery');
    if (state !== undefined && state !== null && state !== 'waiting') noted.sentAt ||= performance.now();
    if (noted.sentAt === 0) requestAnimationFrame(look);
  };
  look();
}

/** Picks a photo and presses Enter, at once or after typing for a while. @returns times since the pick, and of the keys */
async function sendPhoto(page: Page, photo: string, keysBefore: number) {
  const field = page.getByPlaceholder('Ketik pesan...');
  await page.evaluate(noteTimes);
  await page.locator('input[type="file"][multiple]').setInputFiles(photo);
  await field.focus();
  for (let key = 0; key < keysBefore; key += 1) {
    await page.keyboard.press('a');
    await new Promise((resolve) => setTimeout(resolve, KEY_INTERVAL_MS));
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => (globalThis as NotedWindow).sentAt > 0, undefined, { timeout: 120_000 });
  return page.evaluate(() => {
    const { pickedAt, bubbleAt, sentAt, keyTimes, longestTask } = globalThis as NotedWindow;
    return { bubbleMs: bubbleAt - pickedAt, sentMs: sentAt - pickedAt, keyTimes, longestTask };
  });
}

/** A photo of 12 megapixels from a slow phone: from the pick to the own bubble and to the server, its bytes, and the typing meanwhile. */
export async function benchPhoto(): Promise<void> {
  const data = createBenchData(10);
  const [user] = addUsers(data, 1);
  if (!user) throw new Error('no user');
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir });
  const browser = await chromium.launch(chromiumLaunch);
  const rows: (string | number)[][] = [];
  const photo = await takeCameraPhoto(browser);
  // As a path: handed over as bytes, it would keep the page busy by itself.
  const photoFile = join(data.dataDir, 'IMG_0001.jpg');
  writeFileSync(photoFile, photo);
  try {
    for (const bitsPerSecond of UPLOADS_BITS_PER_SECOND) {
      const account = { id: user.id, _id: user.id, name: 'Lestari', email: 'lestari@contoh.id', is_admin: false };
      const { context, page, devTools } = await openSlowPhone(browser, server.url, {
        token: user.token,
        user: account,
      });
      await page.addInitScript(measureKeys);
      await limitUpload(devTools, bitsPerSecond);
      await page.goto('/dashboard');
      await page.getByRole('button', { name: /^Buka Live Chat/ }).click();
      await page.getByPlaceholder('Ketik pesan...').waitFor();
      await page.waitForLoadState('networkidle');
      const results: Awaited<ReturnType<typeof sendPhoto>>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) results.push(await sendPhoto(page, photoFile, 0));
      const typed = await sendPhoto(page, photoFile, KEYS);
      const keys = percentiles(typed.keyTimes);
      const longest = percentiles([...results, typed].map(({ longestTask }) => longestTask)).p50;
      rows.push([
        `${bitsPerSecond / 1e6} Mbit/s up`,
        percentiles(results.map(({ bubbleMs }) => bubbleMs)).p50,
        percentiles(results.map(({ sentMs }) => sentMs)).p50,
        keys.p50,
        keys.p99,
        longest,
        `${((photo.length * 8) / bitsPerSecond).toFixed(1)} s`,
      ]);
      await context.close();
    }
    const database = new Database(data.databaseFile, { readonly: true });
    const stored = database.prepare('select bytes, thumb_bytes from attachments').get() as Record<string, number>;
    database.close();
    rows.push([
      `${photo.length} bytes picked, ${stored['bytes']} stored, thumb ${stored['thumb_bytes']}`,
      '',
      '',
      '',
      '',
      '',
      '',
    ]);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
  printTable(
    `Photo: 12 megapixels from a phone (${SLOW_PHONE}), median of ${ROUNDS}`,
    ['', 'own bubble ms', 'sent ms', 'key p50 ms', 'key p99 ms', 'longest task ms', 'the original alone'],
    rows,
  );
}
