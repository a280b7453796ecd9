import { rmSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../../chromium.config.ts';
import { measureKeys, type MeasuredWindow, readMemory, typeSteadily } from './columns.ts';
import { countProcessorTime } from './slow-phone.ts';
import { percentiles, printTable, sendRequest } from '../measure.ts';
import { addUsers, createBenchData, type BenchUser } from '../seed-data.ts';
import { startServer } from '../server-process.ts';

const PER_SECOND = 20;
/** As long as `typeSteadily` types, or longer. */
const MESSAGES = 120;
const SENDS_AT_ONCE = 20;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Target = { url: string; admin: BenchUser };

function send({ url, admin }: Target, { token }: BenchUser, content: string): Promise<string> {
  const body = { to_user_id: admin.id, content, client_id: crypto.randomUUID() };
  return sendRequest(url, { method: 'POST', path: '/api/messages/send', token, body });
}

/** Messages of users all over the list, at an even rate. */
async function sendSteadily(target: Target, users: readonly BenchUser[]): Promise<void> {
  const calls: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < MESSAGES; index += 1) {
    const user = users[(index * 997) % users.length];
    if (user) calls.push(send(target, user, `Pesan ${index}: apakah pembayaran PBB saya sudah tercatat?`));
    await pause(Math.max(0, startedAt + ((index + 1) * 1000) / PER_SECOND - performance.now()));
  }
  await Promise.all(calls);
}

/** Scrolls until the list has loaded so many conversations. */
async function loadAll(page: Page, count: number): Promise<void> {
  const scroller = page.getByRole('list', { name: 'Percakapan' }).locator('..');
  for (let round = 0; round < 400; round += 1) {
    const loaded = Number(await page.getByRole('listitem').first().getAttribute('aria-setsize'));
    if (loaded >= count) break;
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await pause(50);
  }
  await scroller.evaluate((element) => element.scrollTo(0, 0));
}

/**
 * The inbox with thousands of conversations in its list, while 20 messages a second arrive and an admin types: from a key press
 * to the frame that shows it, and the memory of the tab. Beside the first page of the list alone.
 */
export async function benchList(conversations = 5000): Promise<void> {
  const data = createBenchData(200);
  const users = addUsers(data, conversations);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir });
  const browser = await chromium.launch(chromiumLaunch);
  const target = { url: server.url, admin: data.admin };
  const rows: (string | number)[][] = [];
  try {
    for (let from = 0; from < users.length; from += SENDS_AT_ONCE)
      await Promise.all(users.slice(from, from + SENDS_AT_ONCE).map((user) => send(target, user, 'Selamat pagi')));
    for (const filter of ['', '&show=waiting']) {
      for (const isWhole of [false, true]) {
        const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
        const { id, token } = data.admin;
        const account = { id, _id: id, name: 'Ibu Ratna', email: 'ratna@contoh.id', is_admin: true };
        await context.addInitScript(
          ([storedToken, user]) => {
            localStorage.setItem('token', storedToken ?? '');
            localStorage.setItem('user', user ?? '');
          },
          [token, JSON.stringify(account)],
        );
        const page = await context.newPage();
        await page.addInitScript(measureKeys);
        const devTools = await context.newCDPSession(page);
        const readProcessorMs = await countProcessorTime(devTools);
        await page.goto(`/admin/chat?user=${users.at(-1)?.id}${filter}`);
        const field = page.getByPlaceholder('Tulis pesan...');
        await field.waitFor();
        await page.getByRole('listitem').first().waitFor();
        if (isWhole) await loadAll(page, conversations);
        await field.click();
        await page.waitForLoadState('networkidle');
        const loaded = Number(await page.getByRole('list', { name: 'Percakapan' }).getByRole('listitem').first().getAttribute('aria-setsize')); // prettier-ignore

        for (const [name, run] of [
          ['nothing arrives', () => typeSteadily(page)],
          ['20 messages/s', () => Promise.all([sendSteadily(target, users), typeSteadily(page)])],
        ] as const) {
          await page.evaluate(() => Object.assign(globalThis, { keyTimes: [], longTasks: [] }));
          const startedAtMs = performance.now();
          const processorBefore = await readProcessorMs();
          await run();
          const busy = ((await readProcessorMs()) - processorBefore) / (performance.now() - startedAtMs);
          const { keys, tasks } = await page.evaluate(() => {
            const { keyTimes, longTasks } = globalThis as MeasuredWindow;
            return { keys: keyTimes, tasks: longTasks };
          });
          const { heapMb, nodes } = await readMemory(devTools);
          const { p50, p95, p99 } = percentiles(keys);
          const label = `${filter === '' ? 'Semua' : 'Belum dibalas'}, ${name}`;
          rows.push([label, String(loaded), p50, p95, p99, Math.max(0, ...tasks), `${(busy * 100).toFixed(0)} %`, heapMb, String(nodes)]); // prettier-ignore
          await field.fill('');
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
  printTable(
    `Inbox list of ${conversations} conversations: key press to frame`,
    ['', 'rows loaded', 'p50 ms', 'p95 ms', 'p99 ms', 'longest task ms', 'thread busy', 'heap MB', 'DOM nodes'],
    rows,
  );
}
