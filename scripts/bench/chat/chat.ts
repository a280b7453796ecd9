import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { runLoad, startLoad, type LoadResult, type LoadTarget } from './chat-load-process.ts';
import { percentiles, printTable, type Timing } from '../measure.ts';
import { addUsers, createBenchData, type BenchData, type BenchUser } from '../seed-data.ts';
import { readMaxLoopDelayMs, readRssBytes, startServer, type MeasuredServer } from '../server-process.ts';

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

type ResultRow = { name: string; baseline: number; measured: number; aim: number; higherIsBetter?: boolean };
type BenchSetup = { data: BenchData; senders: BenchUser[] };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
async function runAlternating(runs: (() => Promise<LoadResult>)[]): Promise<LoadResult[][]> {
  const results = runs.map((): LoadResult[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, run] of runs.entries()) results[index]?.push(await run());
  }
  return results;
}

const median = (values: number[]): number => percentiles(values).p50;
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

async function benchMessages({ data, senders }: BenchSetup): Promise<ResultRow[]> {
  const [server, relay, insert] = await Promise.all([
    startMeasuredServer(data),
    startRelayBaseline(),
    startInsertBaseline(data),
  ]);
  const target = (kind: LoadTarget['kind'], { url }: MeasuredServer): LoadTarget => ({
    kind,
    url,
    admin: data.admin,
    senders,
  });
  const targets = [target('insert', insert), target('relay', relay), target('server', server)];
  const closed = await runAlternating(
    targets.map((to) => () => runLoad({ name: 'closed-loop', target: to, warmUpMs: WARM_UP_MS, measureMs: ROUND_MS })),
  );
  const [stored = 0, relayed = 0, sent = 0] = closed.map(medianRate);
  const [relayTiming, serverTiming] = (await runAlternating(targets.slice(1).map(openLoop))).map(deliveryTiming);
  await Promise.all([server.stop(), relay.stop(), insert.stop()]);
  const delivery = `delivery at ${MESSAGES_PER_SECOND} messages/s, ms,`;
  return [
    {
      name: 'messages/s, compared with one insert per message',
      baseline: stored,
      measured: sent,
      aim: 3,
      higherIsBetter: true,
    },
    { name: 'messages/s, compared with the relay', baseline: relayed, measured: sent, aim: 0.25, higherIsBetter: true },
    {
      name: `${delivery} p50, compared with the relay`,
      baseline: relayTiming?.p50 ?? 0,
      measured: serverTiming?.p50 ?? 0,
      aim: 4,
    },
    {
      name: `${delivery} p99, compared with the relay`,
      baseline: relayTiming?.p99 ?? 0,
      measured: serverTiming?.p99 ?? 0,
      aim: 8,
    },
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

async function benchMemory({ data, senders }: BenchSetup): Promise<ResultRow[]> {
  const relayBytes = await bytesPerSocket(await startRelayBaseline(), 'relay', data.admin, senders);
  const serverBytes = await bytesPerSocket(await startMeasuredServer(data), 'server', data.admin, senders);
  return [
    {
      name: `KiB per idle socket at ${IDLE_SOCKETS}`,
      baseline: relayBytes / 1024,
      measured: serverBytes / 1024,
      aim: 1.3,
    },
  ];
}

/** Compares delivery with and without heavy reads at the same time. */
async function benchDuringReads({ data, senders }: BenchSetup): Promise<ResultRow[]> {
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
  const { p50, p99 } = percentiles(reads);
  process.stdout.write(
    `${reads.length} reads over ${RECORDS.toLocaleString('en')} records at the same time: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ` +
      `maximum event loop delay ${maxDelayMs.toFixed(1)} ms; delivery p50 ${idleTiming?.p50.toFixed(2)} → ${busyTiming?.p50.toFixed(2)} ms\n`,
  );
  return [
    {
      name: 'delivery p99, ms, with heavy reads compared with none',
      baseline: idleTiming?.p99 ?? 0,
      measured: busyTiming?.p99 ?? 0,
      aim: 2,
    },
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
  printTable(
    `chat; ${SENDERS} senders over REST, closed loop or ${MESSAGES_PER_SECOND} messages/s`,
    ['', 'baseline', 'server', 'ratio', 'aim', ''],
    rows.map(({ name, baseline, measured, aim, higherIsBetter }) => {
      const ratio = measured / baseline;
      const isMet = higherIsBetter ? ratio >= aim : ratio <= aim;
      return [name, baseline, measured, ratio, `${higherIsBetter ? '≥' : '≤'} ${aim}`, isMet ? 'met' : 'MISSED'];
    }),
  );
}
