import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { runLoad, startLoad, type Outcome, type Target } from './chat-load-process.ts';
import { percentiles, printTable, type Timing } from './measure.ts';
import { addResidents, makeOffice, type BenchOffice, type Person } from './office-data.ts';
import { longestHoldMs, residentBytes, startServer, type Measured } from './server-process.ts';

const SENDERS = 50;
const PER_SECOND = 200;
const IDLE_SOCKETS = 2000;
const IDLE_WARM_UP_SOCKETS = 100;
const SETTLE_MS = 3000;
const RECORDS = 200_000;
/** Taken in turns with what it is compared to, and the median of them: a busy moment of the machine decides nothing. */
const TURNS = 3;
const WARM_UP_MS = 1500;
const TURN_MS = 3500;

type Row = { name: string; floor: number; ours: number; aim: number; more?: boolean };
type Stage = { office: BenchOffice; senders: Person[] };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function withOffice<T>(records: number, residents: number, run: (stage: Stage) => Promise<T>): Promise<T> {
  const office = makeOffice(records);
  try {
    return await run({ office, senders: addResidents(office, residents) });
  } finally {
    rmSync(office.dataDir, { recursive: true, force: true });
  }
}

const startOurs = ({ dataDir }: BenchOffice): Promise<Measured> =>
  startServer('dist/server/main.mjs', { DATA_DIR: dataDir });
const startRelay = (): Promise<Measured> => startServer('scripts/bench/floor-relay.ts', {});
const startInsert = ({ dataDir }: BenchOffice): Promise<Measured> =>
  startServer('scripts/bench/floor-insert.ts', { BENCH_DATABASE: join(dataDir, 'floor.sqlite') });

/** Runs each in turns. @returns for each what its turns found */
async function inTurns(runs: (() => Promise<Outcome>)[]): Promise<Outcome[][]> {
  const found = runs.map((): Outcome[] => []);
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [index, run] of runs.entries()) found[index]?.push(await run());
  }
  return found;
}

const median = (values: number[]): number => percentiles(values).p50;
const medianRate = (turns: Outcome[]): number => median(turns.map(({ count, seconds }) => count / seconds));

const openLoop = (target: Target) => (): Promise<Outcome> =>
  runLoad({ name: 'open-loop', target, perSecond: PER_SECOND, warmUpMs: WARM_UP_MS, measureMs: TURN_MS });

/** @throws when a message did not reach the screen: then its time would be missing from the percentiles */
function screenTiming(turns: Outcome[]): Timing {
  const timings = turns.map(({ count, times }) => {
    if (times.length !== count) throw new Error(`${count - times.length} of ${count} messages did not arrive`);
    return percentiles(times);
  });
  return { p50: median(timings.map(({ p50 }) => p50)), p99: median(timings.map(({ p99 }) => p99)) };
}

async function benchMessages({ office, senders }: Stage): Promise<Row[]> {
  const [ours, relay, insert] = await Promise.all([startOurs(office), startRelay(), startInsert(office)]);
  const target = (kind: Target['kind'], { url }: Measured): Target => ({ kind, url, desk: office.admin, senders });
  const targets = [target('insert', insert), target('relay', relay), target('ours', ours)];
  const closed = await inTurns(
    targets.map((to) => () => runLoad({ name: 'closed-loop', target: to, warmUpMs: WARM_UP_MS, measureMs: TURN_MS })),
  );
  const [stored = 0, relayed = 0, sent = 0] = closed.map(medianRate);
  const [bare, real] = (await inTurns(targets.slice(1).map(openLoop))).map(screenTiming);
  await Promise.all([ours.stop(), relay.stop(), insert.stop()]);
  const at = `send to screen at ${PER_SECOND}/s, ms,`;
  return [
    { name: 'messages/s beside one durable insert each', floor: stored, ours: sent, aim: 3, more: true },
    { name: 'messages/s beside the bare relay', floor: relayed, ours: sent, aim: 0.25, more: true },
    { name: `${at} p50 beside the relay`, floor: bare?.p50 ?? 0, ours: real?.p50 ?? 0, aim: 4 },
    { name: `${at} p99 beside the relay`, floor: bare?.p99 ?? 0, ours: real?.p99 ?? 0, aim: 8 },
  ];
}

/** Bytes that a fresh server's process grows by for each socket that says nothing. */
async function bytesPerSocket(server: Measured, kind: Target['kind'], desk: Person, all: Person[]): Promise<number> {
  const open = (senders: Person[]) =>
    startLoad({ name: 'idle-sockets', target: { kind, url: server.url, desk, senders } });
  // What the first sockets make the server load and compile is no socket's own.
  await (await open(all.slice(0, IDLE_WARM_UP_SOCKETS))).end();
  await pause(SETTLE_MS);
  const before = await residentBytes(server);
  const load = await open(all);
  await pause(SETTLE_MS);
  const after = await residentBytes(server);
  const { count } = await load.end();
  await server.stop();
  if (count !== all.length) throw new Error(`${all.length - count} of ${all.length} idle sockets were lost`);
  return (after - before) / count;
}

async function benchMemory({ office, senders }: Stage): Promise<Row[]> {
  const bare = await bytesPerSocket(await startRelay(), 'relay', office.admin, senders);
  const real = await bytesPerSocket(await startOurs(office), 'ours', office.admin, senders);
  return [{ name: `KiB per idle socket at ${IDLE_SOCKETS}`, floor: bare / 1024, ours: real / 1024, aim: 1.3 }];
}

/** The same delivery with and without somebody who reads all the time. */
async function benchBesideReads({ office, senders }: Stage): Promise<Row[]> {
  const server = await startOurs(office);
  const target: Target = { kind: 'ours', url: server.url, desk: office.admin, senders };
  const reading: Target = { ...target, senders: [office.resident] };
  const deliver = openLoop(target);
  const reads: number[] = [];
  let held = 0;
  const besideReads = async (): Promise<Outcome> => {
    const load = await startLoad({ name: 'office-reads', target: reading });
    await longestHoldMs(server);
    const outcome = await deliver();
    held = Math.max(held, await longestHoldMs(server));
    reads.push(...(await load.end()).times);
    return outcome;
  };
  const [calm, busy] = (await inTurns([deliver, besideReads])).map(screenTiming);
  await server.stop();
  const { p50, p99 } = percentiles(reads);
  process.stdout.write(
    `${reads.length} reads over ${RECORDS.toLocaleString('en')} records meanwhile: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ` +
      `the loop was held for ${held.toFixed(1)} ms at most; send to screen p50 ${calm?.p50.toFixed(2)} → ${busy?.p50.toFixed(2)} ms\n`,
  );
  return [
    { name: 'delivery p99, ms, with heavy reads ÷ without', floor: calm?.p99 ?? 0, ours: busy?.p99 ?? 0, aim: 2 },
  ];
}

/** Chat beside a relay that stores nothing and a store that tells nobody, all in the same run. */
export async function benchChat(): Promise<void> {
  const busy = loadavg()[0] ?? 0;
  if (busy > availableParallelism() / 2) {
    process.stdout.write(`the machine has other work (load ${busy.toFixed(1)}): times below say more about that\n`);
  }
  const rows = [
    ...(await withOffice(RECORDS / 100, SENDERS, benchMessages)),
    ...(await withOffice(RECORDS / 100, IDLE_SOCKETS, benchMemory)),
    ...(await withOffice(RECORDS, SENDERS, benchBesideReads)),
  ];
  printTable(
    `chat; ${SENDERS} senders over REST, closed loop or ${PER_SECOND}/s`,
    ['', 'floor', 'ours', 'ratio', 'aim', ''],
    rows.map(({ name, floor, ours, aim, more }) => {
      const ratio = ours / floor;
      const isMet = more ? ratio >= aim : ratio <= aim;
      return [name, floor, ours, ratio, `${more ? '≥' : '≤'} ${aim}`, isMet ? 'met' : 'MISSED'];
    }),
  );
}
