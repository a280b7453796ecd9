import { request } from 'node:http';
import { connect, type Socket as TcpSocket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import type { BenchUser } from '../seed-data.ts';
import { callApi } from './api-call.ts';
import { countOutcome, type Ledger } from './ledger.ts';
import type { LoadClock } from './load-clock.ts';
import { sendUntilAcknowledged } from './senders.ts';

/** Everything a flood needs. On Linux the strangers come from addresses of their own within 127.0.0.0/8. */
export type FloodTarget = { url: string; admin: BenchUser; hostile: BenchUser; ledger: Ledger; clock: LoadClock };

const strangerAddress = process.platform === 'linux' ? { localAddress: '127.0.0.66' } : {};

/** One account sends as fast as it can with several messages under way; the rate limit answers most of them with 429. */
async function floodMessages({ url, admin, hostile, ledger, clock }: FloodTarget, wave: number): Promise<void> {
  const sender = { url, token: hostile.token, receiverId: admin.id };
  const flood = async (worker: number): Promise<void> => {
    const name = `flood-${wave}-${worker}`;
    const messages = Array.from({ length: 40 }, (_, index) => ({
      clientId: `${name}-${index}`,
      content: `Banjir ${index}`,
      acknowledgedId: null,
    }));
    ledger.lanes.push({ name, senderId: hostile.id, userId: hostile.id, messages });
    for (const message of messages) await sendUntilAcknowledged(ledger, clock, sender, message);
  };
  await Promise.all(Array.from({ length: 8 }, (_, worker) => flood(worker)));
}

/** Connections that say nothing, or half a request, and stay open for some seconds. */
async function floodConnections({ url }: FloodTarget): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets: TcpSocket[] = [];
  for (let count = 0; count < 150; count += 1) {
    const socket = connect({ host: hostname, port: Number(port), ...strangerAddress });
    socket.on('error', () => undefined);
    if (count % 2 === 0) socket.write('GET /api/tax-records HTTP/1.1\r\nHost: x\r\nX-Half: ');
    sockets.push(socket);
  }
  await wait(4000);
  for (const socket of sockets) socket.destroy();
}

/** Sockets with a wrong token, and one with the right token that sends far more events than the limit. */
async function floodSockets({ url, hostile }: FloodTarget): Promise<void> {
  const connectSocket = (token: string) =>
    io(`${url}${REALTIME_NAMESPACE}`, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
  const strangers = Array.from({ length: 60 }, () => connectSocket('bukan.token.saya'));
  const known = connectSocket(hostile.token);
  known.on('connect', () => {
    for (let count = 0; count < 1000; count += 1) known.emit('typing', { typing: count % 2 === 0 });
  });
  await wait(3000);
  for (const socket of [...strangers, known]) socket.disconnect();
}

/** Bodies that are too large, cut off or malformed, and wrong passwords. */
async function floodBodies({ url, hostile, ledger }: FloodTarget): Promise<void> {
  const post = (path: string, body: unknown) => ({ method: 'POST' as const, path, token: hostile.token, body });
  const form = new FormData();
  form.append('payment_proof', new Blob([new Uint8Array(6 * 2 ** 20)], { type: 'image/png' }), 'besar.png');
  const calls = [
    post('/api/tax-records', form),
    post('/api/messages/send', { content: 'x'.repeat(3 * 2 ** 20) }),
    post('/api/messages/send', { to_user_id: '../..', content: '\u0000' }),
    ...Array.from({ length: 12 }, () =>
      post('/api/auth/login', { email: 'admin@pbb.local', password: 'salah-sekali' }),
    ),
  ];
  for (const call of calls) countOutcome(ledger, 'flood', await callApi(url, call));
  await Promise.all(Array.from({ length: 20 }, () => abortUpload(url, hostile.token)));
}

/** Announces a body of a megabyte, sends a part of it and goes away. */
function abortUpload(url: string, token: string): Promise<void> {
  return new Promise((resolve) => {
    const upload = request(`${url}/api/tax-records`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 1_000_000,
      },
    });
    upload.on('error', () => undefined).on('close', resolve);
    upload.write(Buffer.alloc(20_000, 'x'), () => upload.destroy());
  });
}

/** The heavy reads of admins, several at a time. */
async function floodReads({ url, admin, ledger }: FloodTarget): Promise<void> {
  const paths = [
    '/api/admin/statistics',
    '/api/admin/tax-records?search=melati%2077',
    '/api/admin/tax-records?limit=1000&page=2',
    '/api/messages/conversations?limit=100&all=1',
    '/api/admin/system',
  ];
  const calls = Array.from({ length: 8 }, () => paths).flat();
  for (let from = 0; from < calls.length; from += 4) {
    const batch = calls.slice(from, from + 4).map((path) => callApi(url, { method: 'GET', path, token: admin.token }));
    for (const result of await Promise.all(batch)) countOutcome(ledger, 'read', result);
  }
}

/** The floods of one minute, in this order. */
export const floods: ((target: FloodTarget, wave: number) => Promise<void>)[] = [
  floodMessages,
  floodConnections,
  floodSockets,
  floodBodies,
  floodReads,
];
