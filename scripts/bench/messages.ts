import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { closedLoopRows, measureRound, medianOf, type Office, p99, type Round } from './load/message-rounds.ts';
import { median, printResults, type Result } from './results.ts';
import { addUsers, type BenchData, createBenchData, SECRET } from './seed-data.ts';
import { type MeasuredServer, startServer } from './server-process.ts';

const SENDERS = 50;
const ADMINS = 5;
const MANY_ADMINS = 300;
const RECORDS = 2000;
const MESSAGES_PER_SECOND = 200;
const ROUNDS = 5;

type Program = Office & { data: BenchData; server: MeasuredServer };

async function startProgram(script: string): Promise<Program> {
  const data = createBenchData(RECORDS);
  const senders = addUsers(data, SENDERS);
  const admins = addUsers(data, MANY_ADMINS, true);
  const server = await startServer(script, { DATA_DIR: data.dataDir, JWT_SECRET: SECRET });
  return { data, server, servers: [server], senders, admins };
}

/** The rows of a fixed rate, with the product alone: what admins wait for, and what is left of the event loop. */
async function atFixedRate(
  program: Program,
  admins: number,
  roundCount: number,
  aims?: { delivery: number; core: number },
) {
  const rounds: Round[] = [];
  for (let round = 0; round < roundCount; round += 1)
    rounds.push(await measureRound(program, admins, MESSAGES_PER_SECOND));
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
    bareRounds.push(await measureRound(bare, ADMINS, null));
    rounds.push(await measureRound(product, ADMINS, null));
  }
  await bare.server.stop();
  const results = [
    ...closedLoopRows(`closed loop, ${ADMINS} admins`, rounds, bareRounds, { ratioMin: 0.85 }),
    ...(await atFixedRate(product, 20, roundCount)),
    ...(await atFixedRate(product, MANY_ADMINS, roundCount, { delivery: 100, core: 60 })),
  ];
  await product.server.stop();
  for (const { data } of [bare, product]) rmSync(data.dataDir, { recursive: true, force: true });
  printResults(`messages; ${SENDERS} senders over REST with their sockets, medians of ${roundCount} rounds`, results);
}
