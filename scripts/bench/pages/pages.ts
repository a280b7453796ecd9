import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../../chromium.config.ts';
import { root } from '../../bootstrap.mjs';
import { sendRequest } from '../requests.ts';
import { median, printResults } from '../results.ts';
import { startServer } from '../server-process.ts';
import { startBaselinePage } from './baseline-page.ts';
import { measurePageTimes, measurePress, readFirstLoadTimes } from './page-times.ts';
import { countProcessorTime, openSlowPhone, SLOW_PHONE } from './slow-phone.ts';
import { findRepeatedCalls, readScriptBytes, recordTraffic, sumBytes } from './traffic.ts';

const DEFAULT_RUNS = 5;
const SEED_PASSWORD = 'kata-sandi-contoh';
const USER_EMAIL = 'warga1@contoh.id';
const ADMIN_EMAIL = 'ratna@pbb.local';
/** The other pages are loaded in idle moments, which begin six seconds after the first page. */
const PREFETCH_TIME_MS = 20_000;

type Account = { token: string; user: unknown };
/** Figures by name, one of each run. */
type Figures = Map<string, number[]>;

/** docs/requirements.md R-UI-17. */
const FIRST_LOAD_LIMITS: Record<string, number> = {
  'LCP, ms': 2500,
  'data on screen, ms': 2500,
  requests: 25,
  'scripts gzip, kB': 224,
};
const LATER_PAGE_MS = 300;

function addFigure(figures: Figures, name: string, value: number): void {
  figures.set(name, [...(figures.get(name) ?? []), value]);
}

async function seed(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'scripts/seed/main.ts')], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the seed ended with ${code}`);
}

async function signIn(url: string, email: string): Promise<Account> {
  const body = { email, password: SEED_PASSWORD };
  const answer = await sendRequest(url, { method: 'POST', path: '/api/auth/login', body });
  return (JSON.parse(answer) as { data: Account }).data;
}

/** Opens a page on a phone with an empty cache. */
async function measureFirstLoad(browser: Browser, url: string, account: Account, path: string, figures: Figures) {
  const { context, page, devTools } = await openSlowPhone(browser, url, account);
  const traffic = recordTraffic(devTools);
  await measurePageTimes(page);
  await page.goto(path, { waitUntil: 'networkidle' });
  const { lcpMs, dataMs } = await readFirstLoadTimes(page);
  const requests = traffic.requests();
  const bytes = sumBytes(requests);
  addFigure(figures, 'LCP, ms', lcpMs);
  addFigure(figures, 'data on screen, ms', dataMs);
  addFigure(figures, 'requests', requests.length);
  addFigure(figures, 'scripts gzip, kB', (await readScriptBytes(url, requests, 'gzip')) / 1000);
  addFigure(figures, 'scripts br, kB', (await readScriptBytes(url, requests, 'br')) / 1000);
  addFigure(figures, 'styles sent, kB', bytes.style / 1000);
  addFigure(figures, 'font sent, kB', bytes.font / 1000);
  await context.close();
  return { requests, bytes };
}

const firstRecord = (page: Page) => page.locator('main a[href^="/tax-records/"]:not([href$="/create"])').first();

async function pressMenuItem(page: Page, name: string): Promise<() => Promise<void>> {
  await page.getByRole('button', { name: 'Buka menu' }).tap();
  const link = page.getByRole('dialog').getByRole('link', { name, exact: true });
  await link.waitFor();
  return () => link.tap();
}

/** Presses through the user's area, after the idle time in which the other pages are loaded. */
async function measureLaterPages(browser: Browser, url: string, account: Account, figures: Figures): Promise<void> {
  const { context, page, devTools } = await openSlowPhone(browser, url, account);
  const readProcessorMs = await countProcessorTime(devTools);
  await measurePageTimes(page);
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await readFirstLoadTimes(page);
  await page.waitForTimeout(PREFETCH_TIME_MS);
  const data = 'main:has(.money):not(:has(.mantine-Skeleton-root))';
  const form = 'main form input';
  for (const [name, prepare, content] of [
    ['/tax-records', () => pressMenuItem(page, 'Data Pajak'), data],
    ['a record', async () => () => firstRecord(page).tap(), data],
    ['/reports', () => pressMenuItem(page, 'Laporan'), data],
    ['/tax-records/create', () => pressMenuItem(page, 'Tambah Pajak'), form],
    ['/dashboard', () => pressMenuItem(page, 'Dashboard'), data],
    ['/tax-records, again', () => pressMenuItem(page, 'Data Pajak'), data],
  ] as const) {
    const press = await prepare();
    const startMs = await readProcessorMs();
    addFigure(figures, name, await measurePress(page, press, content));
    addFigure(figures, `${name}, processor`, (await readProcessorMs()) - startMs);
  }
  await context.close();
}

type Comparison = { limitOf: (name: string) => number | undefined; baseline?: Figures };

/** Prints the median of each figure, and the least as a second line: other programs only make the times longer. */
function printFigures(title: string, figures: Figures, { limitOf, baseline }: Comparison): void {
  const rows = [...figures].flatMap(([name, values]) => {
    const base = baseline?.get(name);
    const limit = limitOf(name);
    return [
      {
        name,
        measured: median(values),
        baseline: base && median(base),
        aim: limit === undefined ? undefined : { max: limit },
      },
      { name: `${name}, least`, measured: Math.min(...values), baseline: base && Math.min(...base) },
    ];
  });
  printResults(title, rows);
}

/**
 * Measures the times for which a user with a slow phone waits (docs/requirements.md R-UI-17).
 * The baseline is a bare page that sends as many bytes in five requests; its times are the least that is possible here.
 */
export async function benchPages(runs: number = DEFAULT_RUNS): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  await seed(dataDir);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: dataDir });
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const user = await signIn(server.url, USER_EMAIL);
    const admin = await signIn(server.url, ADMIN_EMAIL);
    // The first visit of the year creates records, so it is not measured, and sends more than the others.
    await measureFirstLoad(browser, server.url, user, '/dashboard', new Map());
    const { bytes } = await measureFirstLoad(browser, server.url, user, '/dashboard', new Map());
    const baselinePage = await startBaselinePage(bytes);
    const figures = { user: new Map(), admin: new Map(), baseline: new Map(), later: new Map() } satisfies Record<
      string,
      Figures
    >;
    let repeatedCalls: string[] = [];
    for (let run = 0; run < runs; run += 1) {
      await measureFirstLoad(browser, baselinePage.url, user, '/', figures.baseline);
      const { requests } = await measureFirstLoad(browser, server.url, user, '/dashboard', figures.user);
      repeatedCalls = findRepeatedCalls(requests);
      await measureFirstLoad(browser, server.url, admin, '/admin/dashboard', figures.admin);
      await measureLaterPages(browser, server.url, user, figures.later);
    }
    await baselinePage.stop();
    printFigures(`pages; ${SLOW_PHONE}, ${runs} runs; first load of /dashboard`, figures.user, {
      limitOf: (name) => FIRST_LOAD_LIMITS[name],
      baseline: figures.baseline,
    });
    printFigures('first load of /admin/dashboard', figures.admin, { limitOf: () => undefined });
    printFigures(
      'later pages; ms from the press to the content, and of the slowed processor meanwhile',
      figures.later,
      {
        limitOf: (name) => (name.endsWith('processor') ? undefined : LATER_PAGE_MS),
      },
    );
    process.stdout.write(`\ncalls made more than once: ${repeatedCalls.join(', ') || 'none'}\n`);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
