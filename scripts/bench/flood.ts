import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { drawPaymentProof } from '../seed/proof-image.ts';
import { startLoad, type LoadResult, type LoadTarget } from './load/load-process.ts';
import { sendRequest, type HttpCall } from './requests.ts';
import { percentiles, printResults, type Result } from './results.ts';
import { addUsers, createBenchData, type BenchData, type BenchUser } from './seed-data.ts';
import { readMaxLoopDelayMs, readRssBytes, readUsage, startServer, type MeasuredServer } from './server-process.ts';

const LEVELS = [24, 100, 200];
const RECORDS = 20_000;
const ATTACKER_ACCOUNTS = 3;
/** The quota of an account. These records have the longest texts. */
const LARGE_RECORDS = 500;
const HONEST_RECORDS = 20;
const SETTLE_MS = 2000;
const QUIET_MS = 15_000;
const FLOOD_MS = 30_000;
/** A failed call counts as this time, after which the client gives up (docs/requirements.md R-API-18). */
const GIVEN_UP_MS = 10_000;
const RATIO_AIM = 3;
const HANDSHAKE_HEAP_MB = 512;
const HANDSHAKE_QUIET_MS = 8000;
const HANDSHAKE_FLOOD_MS = 25_000;
const HEALTH_AIM_MS = 50;

type Timings = Map<string, number[]>;
type HonestCall = { name: string; pauseMs: number; build: () => HttpCall };

/** Adds records with long texts, which cost the server most. */
function addRecords({ databaseFile }: BenchData, { id: userId }: BenchUser, count: number, text: string): void {
  const { sqlite } = openDatabase(databaseFile);
  const insert = sqlite.prepare(
    `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, description, notes,
     status, created_at, updated_at) values (?, ?, 'Budi', 'Jl. Melati 1', 'PBB', ?, 2025, 100, ?, ?, 'proses', ?, ?)`,
  );
  sqlite.transaction(() => {
    for (let index = 0; index < count; index += 1)
      insert.run(newId(), userId, `FLOOD-${index}`, text, text, index, index);
  })();
  sqlite.close();
}

/** Uploads an image as the user does. @returns its link */
async function uploadProof(url: string, { token }: BenchUser): Promise<string> {
  const list = JSON.parse(await sendRequest(url, { method: 'GET', path: '/api/tax-records?limit=1', token })) as {
    data: { data: { id: string }[] };
  };
  const form = new FormData();
  form.set('payment_proof', new Blob([new Uint8Array(drawPaymentProof(1))], { type: 'image/png' }), 'bukti.png');
  const response = await fetch(`${url}/api/tax-records/${list.data.data[0]?.id}/payment-proof`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { data } = (await response.json()) as { data: { payment_proof: string } };
  return data.payment_proof;
}

/** The calls of one user, each repeated with a short pause, all beside each other as in a browser. */
function honestCalls(imagePath: string, { token }: BenchUser, admin: BenchUser): HonestCall[] {
  const message = () => ({ to_user_id: admin.id, content: 'Selamat pagi', client_id: crypto.randomUUID() });
  return [
    { name: 'healthz', pauseMs: 50, build: () => ({ method: 'GET', path: '/healthz' }) },
    { name: 'image', pauseMs: 50, build: () => ({ method: 'GET', path: imagePath }) },
    { name: 'list', pauseMs: 50, build: () => ({ method: 'GET', path: '/api/tax-records', token }) },
    // Slow enough for the limit of messages.
    {
      name: 'message',
      pauseMs: 210,
      build: () => ({ method: 'POST', path: '/api/messages/send', token, body: message() }),
    },
  ];
}

async function measure(url: string, calls: HonestCall[], durationMs: number): Promise<Timings> {
  const end = performance.now() + durationMs;
  const timings: Timings = new Map();
  await Promise.all(
    calls.map(async ({ name, pauseMs, build }) => {
      const times: number[] = [];
      timings.set(name, times);
      while (performance.now() < end) {
        const startedAt = performance.now();
        const isAnswered = await sendRequest(url, build()).then(
          () => true,
          () => false,
        );
        times.push(isAnswered ? performance.now() - startedAt : GIVEN_UP_MS);
        await pause(pauseMs);
      }
    }),
  );
  return timings;
}

const startFloodedServer = (
  { dataDir }: BenchData,
  environment: Record<string, string> = {},
): Promise<MeasuredServer> =>
  startServer('dist/server/main.mjs', { DATA_DIR: dataDir, RATE_LIMITS: 'on', ...environment });

const printOutcomes = ({ outcomes }: LoadResult): void =>
  void process.stdout.write(`answers to the hostile clients: ${JSON.stringify(outcomes)}\n`);

async function benchLevel(
  data: BenchData,
  connections: number,
  honest: BenchUser,
  residents: BenchUser[],
): Promise<void> {
  const server = await startFloodedServer(data);
  const calls = honestCalls(await uploadProof(server.url, honest), honest, data.admin);
  await measure(server.url, calls, SETTLE_MS);
  const quiet = await measure(server.url, calls, QUIET_MS);
  await readMaxLoopDelayMs(server);
  const target: LoadTarget = { kind: 'server', url: server.url, admin: data.admin, senders: residents };
  const load = await startLoad({ name: 'flood', target, connections });
  const flooded = await measure(server.url, calls, FLOOD_MS);
  const pauseMs = await readMaxLoopDelayMs(server);
  const outcome = await load.stop();
  const rssMb = (await readRssBytes(server)) / 2 ** 20;
  await server.stop();

  const rows = calls.flatMap(({ name }): Result[] => {
    const [before, during] = [percentiles(quiet.get(name) ?? []), percentiles(flooded.get(name) ?? [])];
    const aim = name === 'healthz' ? { max: HEALTH_AIM_MS } : { ratioMax: RATIO_AIM };
    return [
      { name: `${name}, ms, p50`, baseline: before.p50, measured: during.p50 },
      { name: `${name}, ms, p99`, baseline: before.p99, measured: during.p99, pauseMs, aim },
    ];
  });
  const memory: Result = { name: 'memory of the server after it, MiB', measured: rssMb };
  printResults(`${connections} hostile connections, compared with none`, [...rows, memory]);
  printOutcomes(outcome);
}

/** A stranger opens sessions of Engine.IO without end, on connections that stay open. The server has a small heap. */
async function benchHandshakes(data: BenchData, { token }: BenchUser): Promise<void> {
  const server = await startFloodedServer(data, { NODE_OPTIONS: `--max-old-space-size=${HANDSHAKE_HEAP_MB}` });
  const startedRssMb = (await readUsage(server)).rssBytes / 2 ** 20;
  const name = 'own account';
  const calls: HonestCall[] = [{ name, pauseMs: 20, build: () => ({ method: 'GET', path: '/api/auth/user', token }) }];
  await measure(server.url, calls, SETTLE_MS);
  const quiet = percentiles((await measure(server.url, calls, HANDSHAKE_QUIET_MS)).get(name) ?? []);
  const load = await startLoad({ name: 'handshakes', url: server.url });
  const during = percentiles((await measure(server.url, calls, HANDSHAKE_FLOOD_MS)).get(name) ?? []);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  const rssMb = isAlive ? (await readUsage(server)).rssBytes / 2 ** 20 : NaN;
  const outcome = await load.stop();
  if (isAlive) await server.stop();

  printResults(`handshakes without a session, heap of ${HANDSHAKE_HEAP_MB} MB, compared with none`, [
    { name: `${name}, ms, p50`, baseline: quiet.p50, measured: during.p50 },
    { name: `${name}, ms, p95`, baseline: quiet.p95, measured: during.p95, aim: { ratioMax: RATIO_AIM } },
    { name: 'memory of the server, MiB', baseline: startedRssMb, measured: rssMb },
    { name: 'servers that ended', measured: isAlive ? 0 : 1, aim: { max: 0 } },
  ]);
  printOutcomes(outcome);
}

/**
 * Measures what one user notices while hostile clients flood the server: logins with made-up accounts, registrations, the
 * largest lists, stalled uploads, sockets that do not read, silent connections, and searches without a hit;
 * then, while a stranger opens handshakes.
 * @param levels numbers of hostile connections; 0 runs the flood of handshakes
 */
export async function benchFlood(...levels: number[]): Promise<void> {
  process.stdout.write(
    `flood: limits are on; the hostile clients run at the lowest priority on the same ${availableParallelism()} processors; load ${(loadavg()[0] ?? 0).toFixed(1)}\n`,
  );
  for (const connections of levels.length > 0 ? levels : [...LEVELS, 0]) {
    const data = createBenchData(RECORDS);
    try {
      const [honest, ...residents] = addUsers(data, ATTACKER_ACCOUNTS + 1);
      if (!honest) throw new Error('no account was made');
      addRecords(data, honest, HONEST_RECORDS, 'Rumah');
      for (const resident of residents) addRecords(data, resident, LARGE_RECORDS, 'Keterangan '.repeat(450));
      if (connections > 0) await benchLevel(data, connections, honest, residents);
      else await benchHandshakes(data, honest);
    } finally {
      rmSync(data.dataDir, { recursive: true, force: true });
    }
  }
}
