import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { type LoadResult, startLoad } from './load/load-process.ts';
import { median, percentiles, printResults, type Result } from './results.ts';
import { addUsers, type BenchData, type BenchUser, createBenchData, SECRET } from './seed-data.ts';
import { type MeasuredServer, readUsage, startServer } from './server-process.ts';

const SENDERS = 50;
const ADMINS = 5;
const MANY_ADMINS = 300;
const RECORDS = 2000;
const MESSAGES_PER_SECOND = 200;
const ROUNDS = 5;
const WARM_UP_MS = 1500;
const ROUND_MS = 4000;

type Program = { data: BenchData; server: MeasuredServer; senders: BenchUser[]; admins: BenchUser[] };
type Round = Required<Pick<LoadResult, 'times' | 'deliveryTimes'>> & {
  /** Messages and events a second. */
  rate: number;
  eventRate: number;
  /** Processor time of a message, in all threads of the server. */
  cpuMicroseconds: number;
  /** The same in percent of one core. */
  corePercent: number;
  /** The share of the time in which the event loop was busy; on a busy machine also with waiting for a core. */
  loopPercent: number;
};

async function startProgram(script: string): Promise<Program> {
  const data = createBenchData(RECORDS);
  const senders = addUsers(data, SENDERS);
  const admins = addUsers(data, MANY_ADMINS, true);
  const server = await startServer(script, { DATA_DIR: data.dataDir, JWT_SECRET: SECRET });
  return { data, server, senders, admins };
}

/** @param perSecond null: as many messages as the program can store */
async function measure(
  { server, senders, admins }: Program,
  adminCount: number,
  perSecond: number | null,
): Promise<Round> {
  const load = await startLoad({
    name: 'messages',
    url: server.url,
    senders,
    admins: admins.slice(0, adminCount),
    perSecond,
    warmUpMs: WARM_UP_MS,
    measureMs: ROUND_MS,
  });
  // All sockets are open. The usage covers the warm-up too, in which messages are sent at the same rate.
  const [startedAt, before] = [performance.now(), await readUsage(server)];
  const { count, seconds, times, deliveryTimes = [], events = 0 } = await load.result;
  const after = await readUsage(server);
  const elapsedMs = performance.now() - startedAt;
  const cpuMicroseconds = after.cpuMicroseconds - before.cpuMicroseconds;
  const rate = count / seconds;
  return {
    times,
    deliveryTimes,
    rate,
    eventRate: events / seconds,
    cpuMicroseconds: cpuMicroseconds / ((rate * (WARM_UP_MS + ROUND_MS)) / 1000),
    corePercent: cpuMicroseconds / 10 / elapsedMs,
    loopPercent: (100 * (after.loopActiveMs - before.loopActiveMs)) / elapsedMs,
  };
}

const medianOf = (rounds: Round[], valueOf: (round: Round) => number): number => median(rounds.map(valueOf));
const p99 = (times: number[]): number => percentiles(times).p99;

/** The rows of a fixed rate, with the product alone: what admins wait for, and what is left of the event loop. */
async function atFixedRate(
  program: Program,
  admins: number,
  roundCount: number,
  aims?: { delivery: number; core: number },
) {
  const rounds: Round[] = [];
  for (let round = 0; round < roundCount; round += 1) rounds.push(await measure(program, admins, MESSAGES_PER_SECOND));
  const name = (what: string): string => `${MESSAGES_PER_SECOND}/s to ${admins} admins: ${what}`;
  const row = (what: string, valueOf: (round: Round) => number, max?: number): Result => ({
    name: name(what),
    measured: medianOf(rounds, valueOf),
    aim: max === undefined ? undefined : { max },
  });
  return [
    row('answer p50, ms', ({ times }) => median(times)),
    row('answer p99, ms', ({ times }) => p99(times)),
    row('delivery p50, ms', ({ deliveryTimes }) => median(deliveryTimes)),
    row('delivery p99, ms', ({ deliveryTimes }) => p99(deliveryTimes), aims?.delivery),
    row('processor time of a message, µs', ({ cpuMicroseconds }) => cpuMicroseconds),
    row('used of a core, %', ({ corePercent }) => corePercent, aims?.core),
    row('event loop busy, %', ({ loopPercent }) => loopPercent),
    row('events/s', ({ eventRate }) => eventRate),
  ];
}

/**
 * The price of a message beside a program that keeps only the promises to senders and readers (`baseline-messages.ts`), in
 * alternating rounds; and how messages reach many admins at once.
 * @param roundCount fewer are quicker, and less exact
 */
export async function benchMessages(roundCount = ROUNDS): Promise<void> {
  const loadAverage = loadavg()[0] ?? 0;
  if (loadAverage > availableParallelism() / 2) {
    process.stdout.write(`warning: other programs use this machine (load ${loadAverage.toFixed(1)})\n`);
  }
  const bare = await startProgram('scripts/bench/baselines/baseline-messages.ts');
  const product = await startProgram('dist/server/main.mjs');
  const [bareRounds, rounds]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < roundCount; round += 1) {
    bareRounds.push(await measure(bare, ADMINS, null));
    rounds.push(await measure(product, ADMINS, null));
  }
  await bare.server.stop();
  const compared = (name: string, valueOf: (round: Round) => number, aim?: Result['aim']): Result => ({
    name: `closed loop, ${ADMINS} admins: ${name}`,
    baseline: medianOf(bareRounds, valueOf),
    measured: medianOf(rounds, valueOf),
    aim,
  });
  const results = [
    compared('messages/s', ({ rate }) => rate, { ratioMin: 0.85 }),
    compared('processor time of a message, µs', ({ cpuMicroseconds }) => cpuMicroseconds),
    compared('answer p99, ms', ({ times }) => p99(times)),
    ...(await atFixedRate(product, 20, roundCount)),
    ...(await atFixedRate(product, MANY_ADMINS, roundCount, { delivery: 100, core: 60 })),
  ];
  await product.server.stop();
  for (const { data } of [bare, product]) rmSync(data.dataDir, { recursive: true, force: true });
  printResults(`messages; ${SENDERS} senders over REST with their sockets, medians of ${roundCount} rounds`, results);
}
