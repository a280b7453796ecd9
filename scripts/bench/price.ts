import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../bootstrap.mjs';
import { closedLoopRows, measureRound, type Office, type Round } from './load/message-rounds.ts';
import { median, printResults, type Result } from './results.ts';
import type * as SeedModule from './seed-data.ts';
import { type BenchData, SECRET } from './seed-data.ts';
import { type MeasuredServer, readRssBytes, startServer } from './server-process.ts';

const SENDERS = 50;
const ADMINS = 5;
const RECORDS = 2000;
const ROUNDS = 7;
/** A change may cost an office with a file so much. */
const RATIO_MAX = 1.03;
const RATE_RATIO_MIN = 0.97;

type SeedData = typeof SeedModule;
type Build = { folder: string; data: BenchData; office: Omit<Office, 'servers'>; starts: number[]; memories: number[] };

/** Each build gets data of its own version. */
async function prepare(folder: string): Promise<Build> {
  const seed = (await import(pathToFileURL(join(folder, 'scripts/bench/seed-data.ts')).href)) as SeedData;
  const data = seed.createBenchData(RECORDS);
  const office = { senders: seed.addUsers(data, SENDERS), admins: seed.addUsers(data, ADMINS, true) };
  return { folder, data, office, starts: [], memories: [] };
}

const start = ({ folder, data }: Build): Promise<MeasuredServer> =>
  startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir, JWT_SECRET: SECRET }, folder);

async function measureStart(build: Build): Promise<void> {
  const server = await start(build);
  build.starts.push(server.startMs);
  build.memories.push((await readRssBytes(server)) / 2 ** 20);
  await server.stop();
}

/** Of all files of the program; the single binary adds the runtime, which is the same. */
function programBytes(folder: string): number {
  const files = readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

/**
 * Compares this build with that of another checkout, such as one of before a change, in turns: start, memory, size, messages.
 * The folder of the other one, which must be built, is in `BESIDE`.
 * @param roundCount starts of each, and rounds of messages
 */
export async function benchPrice(roundCount = ROUNDS): Promise<void> {
  const other = process.env['BESIDE'];
  if (other === undefined) {
    process.stdout.write('\nprice: left out, because BESIDE names no other checkout\n');
    return;
  }
  const builds = [await prepare(other), await prepare(root)] as const;
  for (let round = 0; round < roundCount; round += 1) for (const build of builds) await measureStart(build);
  const servers = [await start(builds[0]), await start(builds[1])] as const;
  const rounds: [Round[], Round[]] = [[], []];
  for (let round = 0; round < roundCount; round += 1) {
    // The one that begins changes, because the machine gets slower with its warmth.
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      rounds[index].push(await measureRound({ servers: [servers[index]], ...builds[index].office }, ADMINS, null));
  }
  for (const server of servers) await server.stop();
  const [before, now] = builds;
  const row = (name: string, valueOf: (build: Build) => number): Result => ({
    name,
    baseline: valueOf(before),
    measured: valueOf(now),
    aim: { ratioMax: RATIO_MAX },
  });
  const results = [
    // Other work makes a start longer by half, never shorter.
    row('fastest start, ms', ({ starts }) => Math.min(...starts)),
    row('memory after the start, MiB', ({ memories }) => median(memories)),
    row('program, MiB', ({ folder }) => programBytes(folder) / 2 ** 20),
    ...closedLoopRows(`closed loop, ${ADMINS} admins`, rounds[1], rounds[0], { ratioMin: RATE_RATIO_MIN }),
  ];
  for (const { data } of builds) rmSync(data.dataDir, { recursive: true, force: true });
  printResults(`price beside another build; ${roundCount} rounds in turns, medians but for the start`, results);
}
