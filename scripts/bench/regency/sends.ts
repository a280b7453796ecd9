import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../kill/api-call.ts';
import { connectUsers } from '../load/chat-clients.ts';
import { startLoad } from '../load/load-process.ts';
import { fixedRateRows, type Office } from '../load/message-rounds.ts';
import { sendRequest } from '../requests.ts';
import { printResults, type Result } from '../results.ts';
import { type BenchUser, SECRET } from '../seed-data.ts';
import {
  type MeasuredServer,
  readLongestTurnMs,
  readMaxLoopDelayMs,
  readUsage,
  startServer,
} from '../server-process.ts';
import { waitUntilIndexed } from './indexing.ts';
import { copyRegencyData, type RegencyCopy } from './regency-copy.ts';

const RECORDS = 1_000_000;
/** The server takes 10,000 connections, requests included. */
const SOCKETS_MAX = 9500;
/** The server takes this many sockets of one account. */
const SOCKETS_PER_USER = 20;
const SENDERS = 50;
const MANY_ADMINS = 300;
const ROUNDS = 3;
/** 300 admins write some 20 messages a second. */
const USUAL_RATES = [
  { admins: 20, perSecond: 200 },
  { admins: MANY_ADMINS, perSecond: 20 },
];
const HIGHEST_RATE = { admins: MANY_ADMINS, perSecond: 200 };
const OFFICE_CHANGES = 10;
const SETTLE_MS = 1500;
const PHOTOS = 40;
const BETWEEN_PHOTOS_MS = 100;
/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Measured = Office & { server: MeasuredServer };

/** A small office has fewer admins than asked for; the same number is measured once. */
async function sendFixedRates(
  office: Measured,
  rates: { admins: number; perSecond: number }[],
  suffix: string,
): Promise<Result[]> {
  const rows = new Map<string, Result[]>();
  for (const { admins, perSecond } of rates) {
    const key = `${perSecond}/s to ${Math.min(admins, office.admins.length)}`;
    if (rows.has(key)) continue;
    rows.set(key, await fixedRateRows(office, { admins, perSecond, roundCount: ROUNDS, suffix }));
  }
  return [...rows.values()].flat();
}

/** The longest pause, and the processor time of the longest turn: a pause is also the wait for a core. */
async function readPauses(server: MeasuredServer): Promise<{ pauseMs: number; turnMs: number }> {
  return { pauseMs: await readMaxLoopDelayMs(server), turnMs: await readLongestTurnMs(server) };
}

const TURN_AIM = { max: 50 };
const pauseRows = (name: string, { pauseMs, turnMs }: { pauseMs: number; turnMs: number }): Result[] => [
  { name: `${name}, longest pause, ms`, measured: pauseMs, isPause: true },
  { name: `${name}, processor time of the longest turn, ms`, measured: turnMs, aim: TURN_AIM },
];

async function setHours({ url }: MeasuredServer, { token }: BenchUser, isClosedToday: boolean): Promise<void> {
  const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, open: '00:00', close: '23:59' }));
  const body = { days, holidays: [], closed_today: isClosedToday };
  await sendRequest(url, { method: 'PUT', path: '/api/admin/office-hours', token, body });
}

/** The office opens and closes, and its only admin comes and goes, while thousands of users are connected. */
async function publishToAll({ server, admins }: Measured, sockets: number): Promise<Result[]> {
  const [admin = { id: '', token: '' }] = admins;
  const name = (what: string): string => `${sockets.toLocaleString('en')} sockets: ${what}`;
  await readPauses(server);
  for (let change = 0; change < OFFICE_CHANGES; change += 1) {
    await setHours(server, admin, change % 2 === 1);
    await pause(SETTLE_MS / 3);
  }
  const office = await readPauses(server);
  for (let change = 0; change < OFFICE_CHANGES / 2; change += 1) {
    const opened = await connectUsers(server.url, [admin], ({ token }) => ({ token }));
    await pause(SETTLE_MS / 3);
    for (const socket of opened) socket.disconnect();
    await pause(SETTLE_MS / 3);
  }
  const presence = await readPauses(server);
  await pause(SETTLE_MS);
  return [
    ...pauseRows(name('the office opens and closes'), office),
    ...pauseRows(name('the only admin comes and goes'), presence),
  ];
}

/** @throws when a socket closed, or got fewer or more of the events to all users than another one */
async function besideSockets(
  { server }: Measured,
  listeners: BenchUser[],
  measure: () => Promise<Result[]>,
): Promise<Result[]> {
  const load = await startLoad({ name: 'listeners', url: server.url, listeners });
  await pause(SETTLE_MS);
  const rows = await measure();
  await pause(SETTLE_MS);
  const { count, outcomes = {} } = await load.stop();
  if (count !== listeners.length) throw new Error(`${listeners.length - count} of ${listeners.length} sockets closed`);
  for (const event of ['office', 'presence']) {
    const [fewest, most] = [outcomes[`${event}, fewest`], outcomes[`${event}, most`]];
    if (fewest !== most) throw new Error(`sockets got ${fewest} to ${most} times ${event}`);
  }
  if (outcomes['office, fewest'] !== OFFICE_CHANGES) throw new Error(`not every socket got ${OFFICE_CHANGES} changes`);
  return rows;
}

async function uploadPhoto({ url }: MeasuredServer, { token }: BenchUser): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([PIXEL], { type: 'image/png' }), 'struk.png');
  const { status, body } = await callApi(url, { method: 'POST', path: '/api/messages/attachments', token, body: form });
  if (status !== 201) throw new Error(`a photo was answered with ${status}`);
  return (body as { data: { id: string } }).data.id;
}

/** Each admin's session gets links of its own. The baseline is the same without photos. */
async function sendPhotos(office: Measured): Promise<Result[]> {
  const { server, senders } = office;
  const admins = office.admins.slice(0, MANY_ADMINS);
  const photos: { sender: BenchUser; ids: string[] }[] = [];
  for (const sender of senders.slice(0, PHOTOS)) photos.push({ sender, ids: [await uploadPhoto(server, sender)] });
  const load = await startLoad({ name: 'listeners', url: server.url, listeners: admins });
  const measure = async (withPhotos: boolean) => {
    await pause(SETTLE_MS);
    await readPauses(server);
    const before = await readUsage(server);
    for (const { sender, ids } of photos) {
      const body = {
        to_user_id: admins[0]?.id,
        content: 'Bukti bayar',
        client_id: crypto.randomUUID(),
        attachment_ids: withPhotos ? ids : [],
      };
      await sendRequest(server.url, { method: 'POST', path: '/api/messages/send', token: sender.token, body });
      await pause(BETWEEN_PHOTOS_MS);
    }
    const used = (await readUsage(server)).cpuMicroseconds - before.cpuMicroseconds;
    return { ms: used / 1000 / photos.length, ...(await readPauses(server)) };
  };
  const text = await measure(false);
  const photo = await measure(true);
  await pause(SETTLE_MS);
  const { outcomes = {} } = await load.stop();
  const expected = 2 * photos.length;
  if (outcomes['message:new, fewest'] !== expected || outcomes['message:new, most'] !== expected)
    throw new Error('an admin did not get each message once');
  const name = (what: string): string => `a photo to ${admins.length} admins, beside a text: ${what}`;
  return [
    { name: name('processor time, ms'), baseline: text.ms, measured: photo.ms },
    { name: name('longest pause, ms'), baseline: text.pauseMs, measured: photo.pauseMs, isPause: true },
    {
      name: name('processor time of the longest turn, ms'),
      baseline: text.turnMs,
      measured: photo.turnMs,
      aim: TURN_AIM,
    },
  ];
}

/** @param socketCount of users, besides those of the senders and admins */
export async function measureSends(
  data: RegencyCopy,
  settings: Record<string, string>,
  socketCount = SOCKETS_MAX,
): Promise<Result[]> {
  const server = await startServer('dist/server/main.mjs', { ...settings, DATA_DIR: data.dataDir });
  const [senders, others] = [data.users.slice(0, SENDERS), data.users.slice(SENDERS)];
  const office = { server, servers: [server], senders, admins: data.admins };
  const sockets = Math.min(socketCount, others.length * SOCKETS_PER_USER);
  const listeners = Array.from(
    { length: sockets },
    (_, index) => others[index % others.length] ?? data.users[0],
  ).filter((user) => user !== undefined);
  try {
    // The server would fill its search index beside the sends.
    await waitUntilIndexed({ server, data });
    return [
      ...(await sendFixedRates(office, [...USUAL_RATES, HIGHEST_RATE], '')),
      ...(await sendPhotos(office)),
      ...(await besideSockets(office, listeners, async () => [
        ...(await publishToAll(office, sockets)),
        ...(await sendFixedRates(office, USUAL_RATES, `, ${sockets.toLocaleString('en')} sockets`)),
      ])),
    ];
  } finally {
    await server.stop();
  }
}

/** Sends to many admins and events to many users, in an office of the size of a regency. */
export async function benchSends(records = RECORDS, sockets = SOCKETS_MAX): Promise<void> {
  const data = copyRegencyData(records);
  try {
    const rows = await measureSends(data, { JWT_SECRET: SECRET, BACKUP_EVERY_HOURS: '0' }, sockets);
    printResults(`sends in a regency with ${records.toLocaleString('en')} records; ${SENDERS} senders`, rows);
  } finally {
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
