import { rmSync } from 'node:fs';
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../../chromium.config.ts';
import { countProcessorTime } from './slow-phone.ts';
import { percentiles, printTable, sendRequest } from '../measure.ts';
import { addUsers, createBenchData, type BenchUser } from '../seed-data.ts';
import { startServer } from '../server-process.ts';

const COLUMNS = 4;
const MESSAGES = 100;
const PER_SECOND = 20;
const KEY_INTERVAL_MS = 60;
const KEYS = 80;
/** Users beside those in the columns, so that the list is not empty. */
const OTHER_USERS = 200;

/** What the page measures itself, as properties of its `window`. */
export type MeasuredWindow = typeof globalThis & { keyTimes: number[]; longTasks: number[] };

/** Runs in the page before its own code: from each key press to the frame that shows it, and tasks above 50 ms. */
export function measureKeys(): void {
  const measured = globalThis as MeasuredWindow;
  measured.keyTimes = [];
  measured.longTasks = [];
  const { port1, port2 } = new MessageChannel();
  const started: number[] = [];
  // Behind the frame: it was painted when this task runs.
  port1.addEventListener('message', () => {
    for (const at of started.splice(0)) measured.keyTimes.push(performance.now() - at);
  });
  port1.start();
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      started.push(timeStamp);
      requestAnimationFrame(() => port2.postMessage(null));
    },
    { capture: true },
  );
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longTasks.push(duration);
  }).observe({ type: 'longtask' });
}

export async function readMemory(devTools: CDPSession): Promise<{ heapMb: number; nodes: number }> {
  await devTools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devTools.send('Performance.getMetrics');
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heapMb: valueOf('JSHeapUsedSize') / 2 ** 20, nodes: valueOf('Nodes') };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function typeSteadily(page: Page): Promise<void> {
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 8 === 7 ? 'Space' : 'a');
    await pause(KEY_INTERVAL_MS);
  }
}

type Target = { url: string; admin: BenchUser };

/** Sends so many messages from each user, at an even rate. */
async function sendAll({ url, admin }: Target, users: readonly BenchUser[], round: string): Promise<void> {
  const calls: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < MESSAGES; index += 1) {
    for (const { token } of users) {
      const body = {
        to_user_id: admin.id,
        content: `Pesan ${index} ${round}: apakah pembayaran PBB saya sudah tercatat?`,
        client_id: crypto.randomUUID(),
      };
      calls.push(sendRequest(url, { method: 'POST', path: '/api/messages/send', token, body }));
    }
    await pause(Math.max(0, startedAt + ((index + 1) * 1000) / PER_SECOND - performance.now()));
  }
  await Promise.all(calls);
}

/**
 * Four conversations side by side, of which each gets 100 messages at 20 a second, while an admin types: from a key press to
 * the frame that shows it, and the memory of the tab, before and after. Beside one conversation.
 */
export async function benchColumns(): Promise<void> {
  const data = createBenchData(200);
  const users = addUsers(data, COLUMNS + OTHER_USERS);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir });
  const browser = await chromium.launch(chromiumLaunch);
  const target = { url: server.url, admin: data.admin };
  const rows: (string | number)[][] = [];
  try {
    for (const user of users.slice(COLUMNS)) {
      const body = { to_user_id: data.admin.id, content: 'Selamat pagi', client_id: crypto.randomUUID() };
      await sendRequest(server.url, { method: 'POST', path: '/api/messages/send', token: user.token, body });
    }
    for (const count of [1, COLUMNS]) {
      const shown = users.slice(0, count);
      const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1920, height: 1000 } });
      const account = {
        id: data.admin.id,
        _id: data.admin.id,
        name: 'Ibu Ratna',
        email: 'ratna@contoh.id',
        is_admin: true,
      };
      await context.addInitScript(
        ([token, user]) => {
          localStorage.setItem('token', token ?? '');
          localStorage.setItem('user', user ?? '');
        },
        [data.admin.token, JSON.stringify(account)],
      );
      const page = await context.newPage();
      await page.addInitScript(measureKeys);
      const devTools = await context.newCDPSession(page);
      const readProcessorMs = await countProcessorTime(devTools);
      const beside = shown.slice(1).map(({ id }) => id);
      await page.goto(`/admin/chat?user=${shown[0]?.id}${count > 1 ? `&beside=${beside.join(',')}` : ''}`);
      const fields = page.getByPlaceholder('Tulis pesan...');
      await fields.nth(count - 1).waitFor();
      await fields.first().click();
      await page.waitForLoadState('networkidle');

      const measure = async (name: string, run: () => Promise<unknown>): Promise<void> => {
        await page.evaluate(() => Object.assign(globalThis, { keyTimes: [], longTasks: [] }));
        const before = await readMemory(devTools);
        const startedAtMs = performance.now();
        const processorBefore = await readProcessorMs();
        await run();
        // Of the page's own thread, so that other programs on the machine do not count.
        const busy = ((await readProcessorMs()) - processorBefore) / (performance.now() - startedAtMs);
        const { keys, tasks } = await page.evaluate(() => {
          const { keyTimes, longTasks } = globalThis as MeasuredWindow;
          return { keys: keyTimes, tasks: longTasks };
        });
        const after = await readMemory(devTools);
        const { p50, p99 } = percentiles(keys);
        const bubbles = await page.locator('[role="log"] [data-item]').count();
        rows.push([name, String(keys.length), p50, p99, Math.max(0, ...tasks), `${(busy * 100).toFixed(0)} %`, before.heapMb, after.heapMb,
          String(after.nodes), String(bubbles)]); // prettier-ignore
        await fields.first().fill('');
      };
      const label = count === 1 ? 'one conversation' : `${count} columns`;
      await measure(`${label}, nothing arrives`, () => typeSteadily(page));
      for (const round of ['I', 'II', 'III'])
        await measure(`${label}, ${MESSAGES} messages each, ${round}`, () =>
          Promise.all([sendAll(target, shown, `${count}-${round}`), typeSteadily(page)]),
        );
      await context.close();
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
  printTable(
    `Columns: key press to frame while ${PER_SECOND} messages a second reach each conversation`,
    [
      '',
      'keys',
      'p50 ms',
      'p99 ms',
      'longest task ms',
      'thread busy',
      'heap before MB',
      'heap after MB',
      'DOM nodes',
      'bubbles',
    ],
    rows,
  );
}
