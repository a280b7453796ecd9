import { rmSync } from 'node:fs';
import { runLoad, type LoadTarget } from './chat-load-process.ts';
import { percentiles, printTable } from '../measure.ts';
import { addUsers, createBenchData, SECRET, type BenchData } from '../seed-data.ts';
import { readUsage, startServer, type MeasuredServer } from '../server-process.ts';

const SENDERS = 50;
const ADMINS = 5;
const RECORDS = 2000;
const MESSAGES_PER_SECOND = 200;
/** Server and baseline alternate, so that a short load of the machine does not change the ratio. */
const ROUNDS = 5;
const WARM_UP_MS = 1500;
const ROUND_MS = 4000;
const IDLE_MS = 2000;

type Program = {
  data: BenchData;
  server: MeasuredServer;
  target: LoadTarget;
  idleRss: number;
  rates: number[];
  cpuPerMessage: number[];
  loadedRss: number[];
  p50: number[];
  p99: number[];
};

const median = (values: number[]): number => percentiles(values).p50;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function startProgram(script: string): Promise<Program> {
  const data = createBenchData(RECORDS);
  const senders = addUsers(data, SENDERS);
  const [admin = data.admin, ...colleagues] = addUsers(data, ADMINS, true);
  const server = await startServer(script, { DATA_DIR: data.dataDir, JWT_SECRET: SECRET });
  const target: LoadTarget = { kind: 'server', url: server.url, admin, colleagues, senders };
  await pause(IDLE_MS);
  const { rssBytes: idleRss } = await readUsage(server);
  return { data, server, target, idleRss, rates: [], cpuPerMessage: [], loadedRss: [], p50: [], p99: [] };
}

/** As many messages as the program can store: how many, at which processor time, in how much memory. */
async function measureRate(program: Program): Promise<void> {
  const { server, target } = program;
  const before = await readUsage(server);
  const load = await runLoad({ name: 'closed-loop', target, warmUpMs: WARM_UP_MS, measureMs: ROUND_MS });
  const after = await readUsage(server);
  const rate = load.count / load.seconds;
  program.rates.push(rate);
  // The usage covers the warm-up too, in which messages arrive at about the same rate.
  const messages = (rate * (WARM_UP_MS + ROUND_MS)) / 1000;
  program.cpuPerMessage.push((after.cpuMicroseconds - before.cpuMicroseconds) / messages);
  program.loadedRss.push(after.rssBytes / 2 ** 20);
}

/** The time from sending to an admin's socket at a fixed rate. @throws when a message did not arrive */
async function measureDelivery(program: Program): Promise<void> {
  const { target } = program;
  const load = await runLoad({
    name: 'open-loop',
    target,
    perSecond: MESSAGES_PER_SECOND,
    warmUpMs: WARM_UP_MS,
    measureMs: ROUND_MS,
  });
  if (load.times.length !== load.count) throw new Error(`${load.count - load.times.length} messages did not arrive`);
  const { p50, p99 } = percentiles(load.times);
  program.p50.push(p50);
  program.p99.push(p99);
}

/** Compares the server with a bare program that has every duty of a message and nothing else (`baseline-chat.ts`). */
export async function benchMessages(): Promise<void> {
  const baseline = await startProgram('scripts/bench/baselines/baseline-chat.ts');
  const ours = await startProgram('dist/server/main.mjs');
  for (const measure of [measureRate, measureDelivery]) {
    for (let round = 0; round < ROUNDS; round += 1) {
      await measure(baseline);
      await measure(ours);
    }
  }
  for (const { server, data } of [baseline, ours]) {
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
  const row = (name: string, of: (program: Program) => number, aim?: number, higherIsBetter = false) => {
    const [bare, measured] = [of(baseline), of(ours)];
    const ratio = measured / bare;
    if (aim === undefined) return [name, bare, measured, ratio, '', ''];
    const isMet = higherIsBetter ? ratio >= aim : ratio <= aim;
    return [name, bare, measured, ratio, `${higherIsBetter ? '≥' : '≤'} ${aim}`, isMet ? 'met' : 'MISSED'];
  };
  printTable(
    `messages; ${SENDERS} senders over REST, ${ADMINS} admins online, medians of ${ROUNDS} rounds`,
    ['', 'baseline', 'server', 'ratio', 'aim', ''],
    [
      row('messages/s', ({ rates }) => median(rates), 0.9, true),
      row('processor time per message, µs', ({ cpuPerMessage }) => median(cpuPerMessage)),
      row('memory under load, MiB', ({ loadedRss }) => Math.max(...loadedRss), 1.6),
      row('memory idle, MiB', ({ idleRss }) => idleRss / 2 ** 20),
      row(`delivery at ${MESSAGES_PER_SECOND}/s, ms, p50`, ({ p50 }) => median(p50)),
      row(`delivery at ${MESSAGES_PER_SECOND}/s, ms, p99`, ({ p99 }) => median(p99), 2),
    ],
  );
}
