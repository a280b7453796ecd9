import { rmSync } from 'node:fs';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../../chromium.config.ts';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { connectUsers } from './chat-clients.ts';
import { percentiles, printTable, sendRequest } from '../measure.ts';
import { addUsers, createBenchData, type BenchUser } from '../seed-data.ts';
import { startServer } from '../server-process.ts';

const DEFAULT_ROUNDS = 8;
const RESIDENTS = 30;
const ADMINS = 3;
/** Within this time all residents write: somewhat faster than three people can answer. */
const ARRIVAL_MS = 20_000;
/** What people need, the same in both ways of working: to look for a row, to read a message, to type an answer. */
const LOOK_MS = 600;
const READ_MS = 900;
const READ_VARIES_MS = 600;
const TYPE_MS = 1200;
const ROUND_MAX_MS = 150_000;
const POLL_MS = 50;

/**
 * `tools`: the filter 'Belum dibalas', where the longest wait stands on top, and 'Kirim & lanjut'. `plain`: the list of all, latest
 * activity first, where the admin presses the topmost row that waits, and Enter.
 */
type Way = 'tools' | 'plain';
type Morning = { waitsMs: number[]; clicks: number; keys: number; overtaken: number; unanswered: number };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(condition: () => Promise<boolean> | boolean, maxMs: number): Promise<boolean> {
  const endMs = performance.now() + maxMs;
  while (performance.now() < endMs) {
    if (await condition()) return true;
    await pause(POLL_MS);
  }
  return false;
}

/** When each resident began to wait, and which of them have an answer. */
function createBook(residents: readonly BenchUser[]) {
  const waitingSinceMs = new Map<string, number>();
  const firstKeyMs = new Map<string, number>();
  const answered = new Set<string>();
  return {
    residents,
    asked: (id: string): void => void waitingSinceMs.set(id, performance.now()),
    isWaiting: (id: string): boolean => waitingSinceMs.has(id) && !answered.has(id),
    pressedFirstKey(id: string): void {
      if (waitingSinceMs.has(id) && !firstKeyMs.has(id)) firstKeyMs.set(id, performance.now());
    },
    answer: (id: string): void => void answered.add(id),
    isDone: (): boolean => answered.size === residents.length,
    unansweredCount: (): number => residents.length - answered.size,
    waitsMs: (): number[] => [...firstKeyMs].map(([id, atMs]) => atMs - (waitingSinceMs.get(id) ?? atMs)),
  };
}
type Book = ReturnType<typeof createBook>;

async function openInbox(browser: Browser, url: string, admin: BenchUser, name: string, way: Way): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const user = { id: admin.id, _id: admin.id, name, email: `${admin.id}@contoh.id`, is_admin: true };
  await context.addInitScript(
    ([token, account]) => {
      localStorage.setItem('token', token ?? '');
      localStorage.setItem('user', account ?? '');
    },
    [admin.token, JSON.stringify(user)],
  );
  const page = await context.newPage();
  await page.goto(way === 'tools' ? '/admin/chat?show=waiting' : '/admin/chat');
  await page.getByRole('region', { name: 'Daftar percakapan' }).waitFor();
  await page.getByText('pengguna terdaftar').waitFor();
  return page;
}

/** Marks of the list: who looks or writes there, and who has claimed it. The plain list does not have them. */
const FREE_ROW =
  '[data-user-id]:has([data-level]):not([data-handled]):not(:has(.tabler-icon-eye, .tabler-icon-pencil))';
const WAITING_ROW = '[data-user-id]:has([data-level])';

type Worker = { page: Page; way: Way; book: Book; morning: Morning; readMs: () => number; isOver: () => boolean };

const openUserId = (page: Page): string | null => new URL(page.url()).searchParams.get('user');

/** Presses the topmost row that waits. @returns whether there was one */
async function pressTopRow({ page, way, morning }: Worker, leftId: string | null): Promise<boolean> {
  const rows = await page.locator(way === 'tools' ? FREE_ROW : WAITING_ROW).all();
  const ids = await Promise.all(
    rows.map((row) => row.getAttribute('data-user-id', { timeout: 1000 }).catch(() => null)),
  );
  // Not the one in which a colleague is just writing. Between looking and pressing the row may move.
  const userId = ids.find((id) => id !== null && id !== leftId) ?? null;
  if (userId === null) return false;
  await pause(LOOK_MS);
  const meant = page.locator(`[data-user-id="${userId}"]`);
  if ((await meant.count()) === 0) return false;
  await meant.click();
  morning.clicks += 1;
  return until(() => openUserId(page) === userId, 5000);
}

/** An administrator: opens a conversation, reads, answers, and so on until everybody has an answer. */
async function work(worker: Worker): Promise<void> {
  const { page, way, book, morning, readMs, isOver } = worker;
  let isOpen = false;
  let leftId: string | null = null;
  while (!book.isDone() && !isOver()) {
    if (!isOpen && !(await pressTopRow(worker, leftId))) {
      leftId = null;
      await pause(POLL_MS);
      continue;
    }
    isOpen = false;
    const userId = openUserId(page);
    if (userId === null) continue;
    await page.getByPlaceholder('Tulis pesan...').waitFor();
    await pause(readMs());
    // A colleague has answered meanwhile or is writing, and the screen shows it.
    const isTakenNow =
      !book.isWaiting(userId) || (await page.getByRole('log').getByText('sedang mengetik…').isVisible());
    if (isTakenNow) {
      morning.overtaken += 1;
      leftId = userId;
      continue;
    }
    await page.keyboard.press('B');
    book.pressedFirstKey(userId);
    await pause(TYPE_MS);
    await page.keyboard.insertText('aik, sudah kami cek dan tercatat.');
    await page.keyboard.press(way === 'tools' ? 'Control+Enter' : 'Enter');
    morning.keys += 1;
    const discard = page.getByRole('button', { name: 'Buang' });
    await until(async () => !book.isWaiting(userId) || (await discard.isVisible()), 5000);
    if (await discard.isVisible()) {
      // The server has refused a second answer.
      await discard.click();
      morning.clicks += 1;
      morning.overtaken += 1;
    } else if (way === 'tools') {
      const none = page.getByText('Tidak ada lagi percakapan yang menunggu jawaban.');
      await until(async () => openUserId(page) !== userId || (await none.isVisible()), 5000);
      isOpen = openUserId(page) !== userId;
    }
  }
}

/** One morning: everybody writes once, and a third of them a second time. */
async function runMorning(browser: Browser, way: Way, seed: number): Promise<Morning> {
  const data = createBenchData(100);
  const residents = addUsers(data, RESIDENTS);
  const colleagues = addUsers(data, ADMINS - 1, true);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir });
  const random = createSeededRandom(seed);
  const book = createBook(residents);
  const morning: Morning = { waitsMs: [], clicks: 0, keys: 0, overtaken: 0, unanswered: 0 };
  const startedMs = performance.now();
  const isOver = (): boolean => performance.now() - startedMs > ROUND_MAX_MS;
  const sockets = await connectUsers(server.url, residents, ({ token }) => ({ token }));
  for (const [index, socket] of sockets.entries()) {
    socket.on('message:new', (message: { content: string; from_admin?: boolean }) => {
      if (message.from_admin) book.answer(residents[index]?.id ?? '');
    });
  }
  const ask = async ({ id, token }: BenchUser, content: string): Promise<void> => {
    const body = { to_user_id: data.admin.id, content, client_id: crypto.randomUUID() };
    if (!book.isWaiting(id)) book.asked(id);
    await sendRequest(server.url, { method: 'POST', path: '/api/messages/send', token, body });
  };
  try {
    const pages = await Promise.all(
      [data.admin, ...colleagues].map((admin, index) =>
        openInbox(browser, server.url, admin, `Petugas ${index + 1}`, way),
      ),
    );
    const asking = residents.map(async (resident) => {
      const [afterMs, asksAgain] = [random.integer(0, ARRIVAL_MS), random.withProbability(1 / 3)];
      await pause(afterMs);
      await ask(resident, 'Selamat pagi, apakah pembayaran PBB saya sudah tercatat?');
      if (!asksAgain) return;
      await pause(4000);
      if (book.isWaiting(resident.id)) await ask(resident, 'Halo, ada orang?');
    });
    const readMs = (): number => READ_MS + random.integer(0, READ_VARIES_MS);
    await Promise.all([...asking, ...pages.map((page) => work({ page, way, book, morning, readMs, isOver }))]);
    await Promise.all(pages.map((page) => page.context().close()));
    return { ...morning, waitsMs: book.waitsMs(), unanswered: book.unansweredCount() };
  } finally {
    for (const socket of sockets) socket.disconnect();
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}

const percentile = (values: number[], fraction: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
};

/**
 * A simulated morning, in both ways of working by turns: 30 residents write within 20 seconds, and three administrators in real
 * browsers answer them. From a resident's first message to the first key of its answer.
 */
export async function benchMorning(rounds = DEFAULT_ROUNDS): Promise<void> {
  const browser = await chromium.launch(chromiumLaunch);
  const mornings: Record<Way, Morning[]> = { plain: [], tools: [] };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const way of ['plain', 'tools'] as const) {
        const morning = await runMorning(browser, way, round);
        mornings[way].push(morning);
        const { p50 } = percentiles(morning.waitsMs);
        process.stdout.write(
          `round ${round} ${way}: median ${(p50 / 1000).toFixed(1)} s, longest ${(Math.max(...morning.waitsMs) / 1000).toFixed(1)} s, ` +
            `${morning.clicks} clicks, ${morning.unanswered} unanswered\n`,
        );
      }
    }
  } finally {
    await browser.close();
  }
  const rows = (['plain', 'tools'] as const).map((way) => {
    const all = mornings[way];
    const waits = all.flatMap(({ waitsMs }) => waitsMs);
    const perAnswer = (count: (morning: Morning) => number): number =>
      all.reduce((sum, morning) => sum + count(morning), 0) / Math.max(1, waits.length);
    return [
      way,
      String(waits.length),
      percentile(waits, 0.5) / 1000,
      percentile(waits, 0.9) / 1000,
      Math.max(0, ...waits) / 1000,
      perAnswer(({ clicks }) => clicks),
      perAnswer(({ keys }) => keys),
      perAnswer(({ overtaken }) => overtaken),
    ];
  });
  printTable(
    `Morning, ${rounds} rounds: ${RESIDENTS} residents, ${ADMINS} administrators; seconds from a message to the first key of its answer`,
    ['', 'answers', 'median s', 'p90 s', 'longest s', 'clicks each', 'send keys each', 'overtaken each'],
    rows,
  );
}
