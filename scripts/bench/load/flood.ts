import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { openDatabase } from '#server/db/open.ts';
import { drawPaymentProof } from '../../seed/proof-image.ts';
import { root } from '../../bootstrap.mjs';
import type { AttackReport, AttackTask } from './flood-attack.ts';
import type { HandshakeTask } from './handshake-attack.ts';
import { percentiles, printTable, sendRequest, type HttpCall } from '../measure.ts';
import { addUsers, createBenchData, type BenchData, type BenchUser } from '../seed-data.ts';
import { readMaxLoopDelayMs, readRssBytes, readUsage, startServer, type MeasuredServer } from '../server-process.ts';

const LEVELS = [24, 100, 200];
const RECORDS = 20_000;
const ATTACKER_ACCOUNTS = 3;
/** As many as the quota of an account permits, with the longest texts. */
const LARGE_RECORDS = 500;
const HONEST_RECORDS = 20;
const QUIET_MS = 15_000;
const FLOOD_MS = 30_000;
/** What a failed call counts as: the client gives up after this time (R-API-18). */
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

/** What one user does, each call over and over with a short pause, all beside each other as in a browser. */
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

/** @returns ends the attack */
function startAttack(
  script: 'flood-attack.ts' | 'handshake-attack.ts',
  task: AttackTask | HandshakeTask,
): () => Promise<AttackReport> {
  const child = fork(join(root, 'scripts/bench/load', script), [], { cwd: root });
  child.send(task);
  return async () => {
    child.send('stop');
    const [report] = (await once(child, 'message')) as [AttackReport];
    return report;
  };
}

async function benchLevel(data: BenchData, task: Omit<AttackTask, 'url'>, honest: BenchUser): Promise<boolean> {
  const server: MeasuredServer = await startServer('dist/server/main.mjs', {
    DATA_DIR: data.dataDir,
    RATE_LIMITS: 'on',
  });
  const calls = honestCalls(await uploadProof(server.url, honest), honest, data.admin);
  await measure(server.url, calls, 2000);
  const quiet = await measure(server.url, calls, QUIET_MS);
  await readMaxLoopDelayMs(server);
  const stopAttack = startAttack('flood-attack.ts', { ...task, url: server.url });
  const flooded = await measure(server.url, calls, FLOOD_MS);
  const maxDelayMs = await readMaxLoopDelayMs(server);
  const report = await stopAttack();
  const rssMb = (await readRssBytes(server)) / 2 ** 20;
  await server.stop();

  const rows = calls.map(({ name }) => {
    const [before, during] = [percentiles(quiet.get(name) ?? []), percentiles(flooded.get(name) ?? [])];
    const ratio = during.p99 / before.p99;
    const isMet = name === 'healthz' ? during.p99 < HEALTH_AIM_MS : ratio < RATIO_AIM;
    return { name, before, during, ratio, isMet };
  });
  printTable(
    `${task.connections} hostile connections; milliseconds; event loop delay up to ${maxDelayMs.toFixed(0)} ms; ${rssMb.toFixed(0)} MB`,
    ['', 'quiet p50', 'quiet p99', 'flood p50', 'flood p99', 'p50 ratio', 'p99 ratio', 'aim', ''],
    rows.map(({ name, before, during, ratio, isMet }) => [
      name,
      before.p50,
      before.p99,
      during.p50,
      during.p99,
      during.p50 / before.p50,
      ratio,
      name === 'healthz' ? `p99 < ${HEALTH_AIM_MS} ms` : `ratio < ${RATIO_AIM}`,
      isMet ? 'met' : 'MISSED',
    ]),
  );
  process.stdout.write(`hostile: ${JSON.stringify(report)}\n`);
  return rows.every(({ isMet }) => isMet);
}

/**
 * A stranger opens sessions of Engine.IO without end, on connections that stay open. The server has a small heap.
 * @returns whether the process lives and another person notices little
 */
async function benchHandshakes(data: BenchData, { token }: BenchUser): Promise<boolean> {
  const server: MeasuredServer = await startServer('dist/server/main.mjs', {
    DATA_DIR: data.dataDir,
    RATE_LIMITS: 'on',
    NODE_OPTIONS: `--max-old-space-size=${HANDSHAKE_HEAP_MB}`,
  });
  const startedRssMb = (await readUsage(server)).rssBytes / 2 ** 20;
  const calls: HonestCall[] = [
    { name: 'own account', pauseMs: 20, build: () => ({ method: 'GET', path: '/api/auth/user', token }) },
  ];
  await measure(server.url, calls, 2000);
  const quiet = percentiles((await measure(server.url, calls, HANDSHAKE_QUIET_MS)).get('own account') ?? []);
  const stopAttack = startAttack('handshake-attack.ts', { url: server.url });
  const during = percentiles((await measure(server.url, calls, HANDSHAKE_FLOOD_MS)).get('own account') ?? []);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  const rssMb = isAlive ? (await readUsage(server)).rssBytes / 2 ** 20 : NaN;
  const report = await stopAttack();
  if (isAlive) await server.stop();

  const ratio = during.p95 / quiet.p95;
  const isMet = isAlive && ratio < RATIO_AIM;
  printTable(
    `handshakes without a session, heap of ${HANDSHAKE_HEAP_MB} MB: the process ${isAlive ? 'lives' : 'is GONE'}; ${startedRssMb.toFixed(0)} → ${rssMb.toFixed(0)} MB; milliseconds`,
    ['', 'quiet p50', 'quiet p95', 'flood p50', 'flood p95', 'p95 ratio', 'aim', ''],
    [
      [
        'own account',
        quiet.p50,
        quiet.p95,
        during.p50,
        during.p95,
        ratio,
        `lives, ratio < ${RATIO_AIM}`,
        isMet ? 'met' : 'MISSED',
      ],
    ],
  );
  process.stdout.write(`hostile: ${JSON.stringify(report)}\n`);
  return isMet;
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
  let isMet = true;
  for (const connections of levels.length > 0 ? levels : [...LEVELS, 0]) {
    const data = createBenchData(RECORDS);
    try {
      const [honest, ...residents] = addUsers(data, ATTACKER_ACCOUNTS + 1);
      if (!honest) throw new Error('no account was made');
      addRecords(data, honest, HONEST_RECORDS, 'Rumah');
      for (const resident of residents) addRecords(data, resident, LARGE_RECORDS, 'Keterangan '.repeat(450));
      const hasMet =
        connections > 0
          ? await benchLevel(data, { connections, residents, admin: data.admin }, honest)
          : await benchHandshakes(data, honest);
      isMet = hasMet && isMet;
    } finally {
      rmSync(data.dataDir, { recursive: true, force: true });
    }
  }
  process.stdout.write(isMet ? 'flood: all aims met\n' : 'flood: aims MISSED\n');
}
