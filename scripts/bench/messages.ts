import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { closedLoopRows, fixedRateRows, measureRound, type Office, type Round } from './load/message-rounds.ts';
import { printResults } from './results.ts';
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
  const perSecond = MESSAGES_PER_SECOND;
  const aims = { delivery: 100, core: 60 };
  const results = [
    ...closedLoopRows(`closed loop, ${ADMINS} admins`, rounds, bareRounds, { ratioMin: 0.85 }),
    ...(await fixedRateRows(product, { admins: 20, perSecond, roundCount })),
    ...(await fixedRateRows(product, { admins: MANY_ADMINS, perSecond, roundCount, aims })),
  ];
  await product.server.stop();
  for (const { data } of [bare, product]) rmSync(data.dataDir, { recursive: true, force: true });
  printResults(`messages; ${SENDERS} senders over REST with their sockets, medians of ${roundCount} rounds`, results);
}
