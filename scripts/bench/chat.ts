import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runLoad, startLoad, type LoadResult, type LoadTarget } from './load/load-process.ts';
import { median, percentiles, printResults, type Result, type Timing } from './results.ts';
import { addUsers, createBenchData, type BenchData, type BenchUser } from './seed-data.ts';
import { readMaxLoopDelayMs, readRssBytes, readUsage, startServer, type MeasuredServer } from './server-process.ts';

const SENDERS = 50;
const MESSAGES_PER_SECOND = 200;
const IDLE_SOCKETS = 2000;
const IDLE_WARM_UP_SOCKETS = 100;
const SETTLE_MS = 3000;
const RECORDS = 200_000;
/**
 * Server and baseline alternate for so many rounds and the median counts. A short load of the machine then does not
 * change the result.
 */
const ROUNDS = 3;
const WARM_UP_MS = 1500;
const ROUND_MS = 3500;

type BenchSetup = { data: BenchData; senders: BenchUser[] };

async function withBenchData<T>(
  recordCount: number,
  userCount: number,
  run: (setup: BenchSetup) => Promise<T>,
): Promise<T> {
  const data = createBenchData(recordCount);
  try {
    return await run({ data, senders: addUsers(data, userCount) });
  } finally {
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}

const startMeasuredServer = ({ dataDir }: BenchData): Promise<MeasuredServer> =>
  startServer('dist/server/main.mjs', { DATA_DIR: dataDir });
const startRelayBaseline = (): Promise<MeasuredServer> => startServer('scripts/bench/baselines/baseline-relay.ts', {});
const startInsertBaseline = ({ dataDir }: BenchData): Promise<MeasuredServer> =>
  startServer('scripts/bench/baselines/baseline-insert.ts', { BENCH_DATABASE: join(dataDir, 'baseline.sqlite') });

/** Runs all loads in alternation, `ROUNDS` times. @returns the results of each load */
async function runAlternating<R extends LoadResult>(runs: (() => Promise<R>)[]): Promise<R[][]> {
  const results = runs.map((): R[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, run] of runs.entries()) results[index]?.push(await run());
  }
  return results;
}

const medianRate = (results: LoadResult[]): number => median(results.map(({ count, seconds }) => count / seconds));

const openLoop = (target: LoadTarget) => (): Promise<LoadResult> =>
  runLoad({ name: 'open-loop', target, perSecond: MESSAGES_PER_SECOND, warmUpMs: WARM_UP_MS, measureMs: ROUND_MS });

/** @throws when a message did not arrive: its time would be missing from the percentiles */
function deliveryTiming(results: LoadResult[]): Timing {
  const timings = results.map(({ count, times }) => {
    if (times.length !== count) throw new Error(`${count - times.length} of ${count} messages did not arrive`);
    return percentiles(times);
  });
  const medianOf = (key: keyof Timing): number => median(timings.map((timing) => timing[key]));
  return { p50: medianOf('p50'), p95: medianOf('p95'), p99: medianOf('p99') };
}

/** Sends as many messages as the program can store. @returns the load, and the processor time of a message in µs */
async function measureRate(
  server: MeasuredServer,
  target: LoadTarget,
): Promise<LoadResult & { cpuPerMessage: number }> {
  const before = await readUsage(server);
  const load = await runLoad({ name: 'closed-loop', target, warmUpMs: WARM_UP_MS, measureMs: ROUND_MS });
  const after = await readUsage(server);
  // The usage covers the warm-up too, in which messages arrive at about the same rate.
  const messages = (load.count / load.seconds) * ((WARM_UP_MS + ROUND_MS) / 1000);
  return { ...load, cpuPerMessage: (after.cpuMicroseconds - before.cpuMicroseconds) / messages };
}

async function benchMessages({ data, senders }: BenchSetup): Promise<Result[]> {
  const [server, relay, insert] = await Promise.all([
    startMeasuredServer(data),
    startRelayBaseline(),
    startInsertBaseline(data),
  ]);
  const targetOf = (kind: LoadTarget['kind'], { url }: MeasuredServer): LoadTarget => ({
    kind,
    url,
    admin: data.admin,
    senders,
  });
  const [toInsert, toRelay, toServer] = [
    targetOf('insert', insert),
    targetOf('relay', relay),
    targetOf('server', server),
  ];
  const [stored = [], relayed = [], sent = []] = await runAlternating([
    () => measureRate(insert, toInsert),
    () => measureRate(relay, toRelay),
    () => measureRate(server, toServer),
  ]);
  const [relayTiming, serverTiming] = (await runAlternating([openLoop(toRelay), openLoop(toServer)])).map(
    deliveryTiming,
  );
  await Promise.all([server.stop(), relay.stop(), insert.stop()]);
  const measured = medianRate(sent);
  const cpuOf = (results: { cpuPerMessage: number }[]): number => median(results.map((result) => result.cpuPerMessage));
  const delivery = (percentile: keyof Timing, ratioMax: number): Result => ({
    name: `delivery at ${MESSAGES_PER_SECOND} messages/s, ms, ${percentile}, compared with the relay`,
    baseline: relayTiming?.[percentile] ?? 0,
    measured: serverTiming?.[percentile] ?? 0,
    aim: { ratioMax },
  });
  return [
    {
      name: 'messages/s, compared with one insert per message',
      baseline: medianRate(stored),
      measured,
      aim: { ratioMin: 3 },
    },
    { name: 'messages/s, compared with the relay', baseline: medianRate(relayed), measured, aim: { ratioMin: 0.25 } },
    {
      name: 'processor time per message, µs, compared with the relay',
      baseline: cpuOf(relayed),
      measured: cpuOf(sent),
    },
    delivery('p50', 4),
    delivery('p99', 8),
  ];
}

/** Measures how many bytes a fresh server's process grows by per idle socket. */
async function bytesPerSocket(
  server: MeasuredServer,
  kind: LoadTarget['kind'],
  admin: BenchUser,
  users: BenchUser[],
): Promise<number> {
  const openSockets = (senders: BenchUser[]) =>
    startLoad({ name: 'idle-sockets', target: { kind, url: server.url, admin, senders } });
  // The first sockets make the server load and compile code. That memory must not count as theirs.
  await (await openSockets(users.slice(0, IDLE_WARM_UP_SOCKETS))).stop();
  await pause(SETTLE_MS);
  const before = await readRssBytes(server);
  const load = await openSockets(users);
  await pause(SETTLE_MS);
  const after = await readRssBytes(server);
  const { count } = await load.stop();
  await server.stop();
  if (count !== users.length) throw new Error(`${users.length - count} of ${users.length} idle sockets were lost`);
  return (after - before) / count;
}

async function benchMemory({ data, senders }: BenchSetup): Promise<Result[]> {
  const relayBytes = await bytesPerSocket(await startRelayBaseline(), 'relay', data.admin, senders);
  const serverBytes = await bytesPerSocket(await startMeasuredServer(data), 'server', data.admin, senders);
  return [
    {
      name: `KiB per idle socket at ${IDLE_SOCKETS}`,
      baseline: relayBytes / 1024,
      measured: serverBytes / 1024,
      aim: { ratioMax: 1.3 },
    },
  ];
}

/** Compares delivery with and without heavy reads at the same time. */
async function benchDuringReads({ data, senders }: BenchSetup): Promise<Result[]> {
  const server = await startMeasuredServer(data);
  const target: LoadTarget = { kind: 'server', url: server.url, admin: data.admin, senders };
  const readTarget: LoadTarget = { ...target, senders: [data.user] };
  const deliver = openLoop(target);
  const reads: number[] = [];
  let maxDelayMs = 0;
  const deliverDuringReads = async (): Promise<LoadResult> => {
    const load = await startLoad({ name: 'heavy-reads', target: readTarget });
    await readMaxLoopDelayMs(server);
    const outcome = await deliver();
    maxDelayMs = Math.max(maxDelayMs, await readMaxLoopDelayMs(server));
    reads.push(...(await load.stop()).times);
    return outcome;
  };
  const [idleTiming, busyTiming] = (await runAlternating([deliver, deliverDuringReads])).map(deliveryTiming);
  await server.stop();
  return [
    {
      name: 'delivery p99, ms, with heavy reads compared with none',
      baseline: idleTiming?.p99 ?? 0,
      measured: busyTiming?.p99 ?? 0,
      pauseMs: maxDelayMs,
      aim: { ratioMax: 2 },
    },
    { name: `a heavy read over ${RECORDS.toLocaleString('en')} records meanwhile, ms, p50`, measured: median(reads) },
  ];
}

/** Compares chat with two baselines in the same run: a relay without storage, and inserts without publishing. */
export async function benchChat(): Promise<void> {
  const loadAverage = loadavg()[0] ?? 0;
  if (loadAverage > availableParallelism() / 2) {
    process.stdout.write(
      `warning: other programs use this machine (load ${loadAverage.toFixed(1)}), so the times below are unreliable\n`,
    );
  }
  const rows = [
    ...(await withBenchData(RECORDS / 100, SENDERS, benchMessages)),
    ...(await withBenchData(RECORDS / 100, IDLE_SOCKETS, benchMemory)),
    ...(await withBenchData(RECORDS, SENDERS, benchDuringReads)),
  ];
  printResults(`chat; ${SENDERS} senders over REST, closed loop or ${MESSAGES_PER_SECOND} messages/s`, rows);
}
