import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { checkAfterLoad } from './accounting.ts';
import { callApi } from './api-call.ts';
import { printChecks, requireAll, type Check } from './checks.ts';
import { floods, type FloodTarget } from './floods.ts';
import { sentMessages, type Ledger } from './ledger.ts';
import { startMixedLoad, type LoadPauses, type MixedLoad } from './mixed-load.ts';
import { addUsers, createBenchData, type BenchUser } from '../seed-data.ts';
import { findFreePort, startServer, type MeasuredServer } from '../server-process.ts';

const USERS = 30;
const RECORDS = 5000;
/** A gentle load: server and clients together take about a quarter of one core. */
const PAUSES: LoadPauses = { messageMs: 6000, recordMs: 15_000, seenMs: 10_000, reconnectMs: 3000 };
const METRICS_TOKEN = 'a-token-for-metrics';
const SCRAPE_MS = 5000;
const MINUTE_MS = 60_000;
const FLOOD_EVERY_MS = 10_000;
const BACKUP_EVERY_MINUTES = 10;
/** Rounds of all floods by one account: 320 messages each, below what one account may send in a day. */
const ROUNDS_PER_ACCOUNT = 5;
/** What the last quarter may need more than the third. The database grows, and its cache with it up to 64 MB. */
const GROWTH_MAX = { ratio: 0.1, descriptors: 20 };
/** Four quarters of at least two minutes. Before that the program still warms up. */
const VERDICT_MINUTES_MIN = 8;

type Scrape = { rss: number; heap: number; cpuSeconds: number; loopP99Ms: number; stored: number; sockets: number };
type Minute = { rss: number; heap: number; descriptors: number };

async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await response.text();
  const read = (name: string): number => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? NaN);
  };
  return {
    rss: read('pbb_memory_bytes{kind="resident"}'),
    heap: read('pbb_memory_bytes{kind="heap"}'),
    cpuSeconds: read('pbb_cpu_seconds_total'),
    loopP99Ms: read('pbb_event_loop_delay_seconds{quantile="0.99"}') * 1000,
    stored: read('pbb_messages_stored_total'),
    sockets: read('pbb_sockets{side="user"}') + read('pbb_sockets{side="admin"}'),
  };
}

/** Open files and sockets of the server's process; NaN where there is no /proc. */
function countDescriptors({ child }: MeasuredServer): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${child.pid}/fd`).length : NaN;
}

/** The outcomes since the last call that are no success, as `send status 429 ×12`. */
function createErrorReport({ outcomes }: Ledger): () => string {
  let last = new Map<string, number>();
  return () => {
    const changed = Array.from(outcomes, ([kind, count]) => [kind, count - (last.get(kind) ?? 0)] as const);
    last = new Map(outcomes);
    const errors = changed.filter(([kind, count]) => count > 0 && !/ status 2\d\d$/.test(kind));
    return errors.map(([kind, count]) => `${kind} ×${count}`).join(', ') || '–';
  };
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const acknowledgedCount = (ledger: Ledger): number =>
  sentMessages(ledger).filter(({ acknowledgedId }) => acknowledgedId !== null).length;

/** Watches the server for a minute and prints a line. The smallest heap shows what garbage collection leaves. */
async function watchMinute(
  minute: number,
  server: MeasuredServer,
  load: MixedLoad,
  describeErrors: () => string,
): Promise<Minute> {
  const until = performance.now() + MINUTE_MS;
  const [startCpu, startOwnCpu] = [(await scrape(server.url)).cpuSeconds, process.cpuUsage()];
  const scrapes: Scrape[] = [];
  while (performance.now() < until) {
    await wait(Math.min(SCRAPE_MS, Math.max(0, until - performance.now())));
    scrapes.push(await scrape(server.url));
  }
  const max = (read: (one: Scrape) => number): number => Math.max(...scrapes.map(read));
  const result = {
    rss: max(({ rss }) => rss),
    heap: Math.min(...scrapes.map(({ heap }) => heap)),
    descriptors: countDescriptors(server),
  };
  const last = scrapes.at(-1);
  const ownCpu = process.cpuUsage(startOwnCpu);
  const percent = (seconds: number): string => `${Math.round((seconds * 100 * 1000) / MINUTE_MS)} %`;
  const cells = [
    `minute ${minute}`,
    `RSS ${mebibytes(result.rss)}`,
    `heap ${mebibytes(result.heap)}`,
    `descriptors ${result.descriptors}`,
    `loop p99 ${max(({ loopP99Ms }) => loopP99Ms).toFixed(1)} ms`,
    `stored ${last?.stored} / acknowledged ${acknowledgedCount(load.ledger)}`,
    `sockets ${last?.sockets}`,
    `reconnects ${load.reconnects()}`,
    `CPU server ${percent((last?.cpuSeconds ?? 0) - startCpu)}, clients ${percent((ownCpu.user + ownCpu.system) / 1e6)}`,
    `errors ${describeErrors()}`,
  ];
  process.stdout.write(`${cells.join(' | ')}\n`);
  return result;
}

/** One flood after the other until the load ends, a reconnect of half the clients each minute, sometimes a backup. */
async function runWaves(
  { hostiles, ...others }: Omit<FloodTarget, 'hostile'> & { hostiles: BenchUser[] },
  load: MixedLoad,
): Promise<void> {
  for (let wave = 0; !load.clock.isOver(); wave += 1) {
    const hostile = hostiles[Math.floor(wave / floods.length / ROUNDS_PER_ACCOUNT) % hostiles.length];
    if (!hostile) throw new Error('no hostile account');
    const target = { ...others, hostile };
    if (wave % (BACKUP_EVERY_MINUTES * floods.length) === 0) {
      void callApi(target.url, { method: 'POST', path: '/api/admin/backups', token: target.admin.token });
    }
    if (wave % floods.length === 0) load.cutConnections(0.5);
    await floods[wave % floods.length]?.(target, wave);
    await load.clock.pauseBetween(FLOOD_EVERY_MS, FLOOD_EVERY_MS);
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Compares the last quarter with the third, so that the warm-up does not count. */
function checkGrowth(minutes: Minute[]): Check[] {
  const quarter = Math.floor(minutes.length / 4);
  const [third, last] = [minutes.slice(-2 * quarter, -quarter), minutes.slice(-quarter)];
  const check = (name: keyof Minute, allowed: (before: number) => number, show: (value: number) => string): Check => {
    const [before, after] = [median(third.map((one) => one[name])), median(last.map((one) => one[name]))];
    const text = `${show(before)} → ${show(after)} from the third to the last quarter`;
    return { name: `${name}: ${text}`, counted: last.length, failures: after > allowed(before) ? [text] : [] };
  };
  const ratio = (before: number): number => before * (1 + GROWTH_MAX.ratio);
  return [
    check('rss', ratio, mebibytes),
    check('heap', ratio, mebibytes),
    check('descriptors', (before) => before + GROWTH_MAX.descriptors, String),
  ];
}

/**
 * Hours of ordinary use with floods in between, against a server with its ordinary limits.
 * @throws at the end when something leaked or the account does not agree
 */
export async function benchSoak(minuteCount = 10, seed = 1): Promise<void> {
  const data = createBenchData(RECORDS);
  const users = addUsers(data, USERS);
  // A round takes more than a minute.
  const hostiles = addUsers(data, 1 + Math.floor(minuteCount / ROUNDS_PER_ACCOUNT));
  const settings = { DATA_DIR: data.dataDir, PORT: String(await findFreePort()), RATE_LIMITS: 'on', METRICS_TOKEN };
  let server = await startServer('dist/server/main.mjs', settings);
  const { url } = server;
  try {
    const load = startMixedLoad({ url, admin: data.admin, users, random: createSeededRandom(seed), pauses: PAUSES });
    const waves = runWaves({ url, admin: data.admin, hostiles, ledger: load.ledger, clock: load.clock }, load);
    const describeErrors = createErrorReport(load.ledger);
    const minutes: Minute[] = [];
    for (let minute = 1; minute <= minuteCount; minute += 1) {
      minutes.push(await watchMinute(minute, server, load, describeErrors));
    }
    await Promise.all([load.end(), waves]);
    await server.stop();
    server = await startServer('dist/server/main.mjs', settings);
    const checks = await checkAfterLoad(data, url, load);
    if (minuteCount >= VERDICT_MINUTES_MIN) checks.push(...checkGrowth(minutes));
    else process.stdout.write(`less than ${VERDICT_MINUTES_MIN} minutes: too short to judge growth\n`);
    printChecks(`soak of ${minuteCount} minutes with seed ${seed}`, checks);
    requireAll('the soak', checks);
  } finally {
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
