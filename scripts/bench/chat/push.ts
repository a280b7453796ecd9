import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openDatabase } from '#server/db/open.ts';
import { percentiles, printTable, sendRequest, type Timing } from '../measure.ts';
import { addUsers, createBenchData, type BenchData, type BenchUser } from '../seed-data.ts';
import { findFreePort, readUsage, startServer, type MeasuredServer } from '../server-process.ts';
import { runLoad, type LoadResult } from './chat-load-process.ts';

const SENDERS = 50;
const MESSAGES_PER_SECOND = 200;
/** Each is told of every message of a sender. */
const ADMIN_DEVICES = 80;
const USER_DEVICES = 1920;
/** Answers of the office to users with a device. */
const ANSWERS_PER_SECOND = 20;
const ROUNDS = 7;
const WARM_UP_MS = 1500;
const ROUND_MS = 3500;
const RECORDS = 2000;
const AIM = 1.3;

type Case = { name: string; data: BenchData; senders: BenchUser[]; residents: BenchUser[]; server: MeasuredServer };
type Round = { timing: Timing; cpuMs: number };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values: number[]): number => percentiles(values).p50;

/** Gives each of these accounts a device at the push service. */
function addDevices({ databaseFile }: BenchData, users: BenchUser[], origin: string): void {
  const { sqlite } = openDatabase(databaseFile);
  const add = sqlite.prepare(
    `insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth, created_at)
      select id, user_id, ?, ?, ?, created_at from sessions where user_id = ?`,
  );
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  sqlite.transaction(() => {
    for (const { id } of users) {
      const path = randomBytes(24).toString('base64url');
      add.run(`${origin}/kirim/${path}`, p256dh, randomBytes(16).toString('base64url'), id);
    }
  })();
  sqlite.close();
}

/** @param origin of the push service; null: no device */
async function openCase(name: string, origin: string | null): Promise<Case> {
  const data = createBenchData(RECORDS);
  const senders = addUsers(data, SENDERS);
  const residents = addUsers(data, USER_DEVICES);
  const colleagues = addUsers(data, ADMIN_DEVICES, true);
  if (origin !== null) addDevices(data, [...residents, ...colleagues], origin);
  const environment = { DATA_DIR: data.dataDir, ...(origin === null ? {} : { PUSH_ALLOW: origin }) };
  return { name, data, senders, residents, server: await startServer('dist/server/main.mjs', environment) };
}

/** Answers of an admin, one after the other at a fixed rate. @returns stops them */
function startAnswers({ server, data, residents }: Case): () => Promise<void> {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    for (let index = 0; !stop.signal.aborted; index += 1) {
      const to = residents[index % residents.length]?.id;
      const body = { to_user_id: to, content: `Sudah kami terima, terima kasih. ${index}` };
      await sendRequest(server.url, { method: 'POST', path: '/api/messages/send', token: data.admin.token, body });
      await pause(1000 / ANSWERS_PER_SECOND);
    }
  };
  const finished = run();
  return async () => {
    stop.abort();
    await finished;
  };
}

async function measure(measured: Case): Promise<Round> {
  const { server, data, senders } = measured;
  const target = { kind: 'server' as const, url: server.url, admin: data.admin, senders };
  const stopAnswers = startAnswers(measured);
  const before = await readUsage(server);
  const load = { name: 'open-loop' as const, target, perSecond: MESSAGES_PER_SECOND };
  const { count, times }: LoadResult = await runLoad({ ...load, warmUpMs: WARM_UP_MS, measureMs: ROUND_MS });
  const after = await readUsage(server);
  await stopAnswers();
  if (times.length !== count) throw new Error(`${count - times.length} of ${count} messages did not arrive`);
  const messages = (MESSAGES_PER_SECOND * (WARM_UP_MS + ROUND_MS)) / 1000;
  return { timing: percentiles(times), cpuMs: (after.cpuMicroseconds - before.cpuMicroseconds) / 1000 / messages };
}

async function readPushes({ server, data }: Case): Promise<string> {
  const answer = await sendRequest(server.url, { method: 'GET', path: '/api/admin/system', token: data.admin.token });
  const { push } = (JSON.parse(answer) as { data: { push: { sent: number; waiting: number } } }).data;
  return `${push.sent} sent, ${push.waiting} wait`;
}

/** Accepts connections and says nothing, as a firewall that swallows packets. */
async function openBlackHole(): Promise<{ origin: string; server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, server, sockets };
}

/**
 * The chat with 2,000 devices: their push service refuses connections, or swallows them. Each is compared with a server
 * of the same run that has no device.
 */
export async function benchPush(): Promise<void> {
  const blackHole = await openBlackHole();
  const cases = [
    await openCase('no device', null),
    await openCase('push service refuses connections', `https://127.0.0.1:${await findFreePort()}`),
    await openCase('push service swallows connections', blackHole.origin),
  ];
  const rounds = cases.map((): Round[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each round begins with another one, because other programs make some seconds slower than others.
    for (let turn = 0; turn < cases.length; turn += 1) {
      const index = (round + turn) % cases.length;
      const measured = cases[index];
      if (measured) rounds[index]?.push(await measure(measured));
    }
  }
  const pushes = await Promise.all(cases.map(readPushes));
  await Promise.all(cases.map(({ server }) => server.stop()));
  for (const { data } of cases) rmSync(data.dataDir, { recursive: true, force: true });
  for (const socket of blackHole.sockets) socket.destroy();
  blackHole.server.close();

  const of = (index: number, read: (round: Round) => number): number => median((rounds[index] ?? []).map(read));
  const baseline = of(0, ({ timing }) => timing.p99);
  printTable(
    `chat with ${USER_DEVICES + ADMIN_DEVICES} devices; ${MESSAGES_PER_SECOND} messages/s, median of ${ROUNDS} rounds, ms`,
    ['', 'p50', 'p99', 'p99 ratio', 'CPU/message', 'pushes', `aim ≤ ${AIM}`],
    cases.map(({ name }, index) => {
      const p99 = of(index, ({ timing }) => timing.p99);
      const ratio = p99 / baseline;
      const isMet = index === 0 ? '' : ratio <= AIM ? 'met' : 'MISSED';
      const p50 = of(index, ({ timing }) => timing.p50);
      return [name, p50, p99, ratio, of(index, ({ cpuMs }) => cpuMs), pushes[index] ?? '', isMet];
    }),
  );
}
