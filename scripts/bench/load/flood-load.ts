import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchUser } from '../seed-data.ts';
import type { LoadResult, LoadTarget, TaskControl } from './load-process.ts';

/** The hostile clients of the part `flood`. They use the accounts of the senders. */

/** Another address than that of the measuring user: limits of an address must not be those of the user. */
const ATTACK_ADDRESS = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
const RETRY_MS = 50;
const MESSAGE_PERIOD_MS = 200;
const STALLED_BYTES = 200_000;

const outcomes: Record<string, number> = {};
const count = (kind: string, outcome: string | number): void => {
  const key = `${kind} ${outcome}`;
  outcomes[key] = (outcomes[key] ?? 0) + 1;
};

type Call = { method: string; path: string; token?: string; body?: unknown };
type Attack = (target: LoadTarget, index: number) => Promise<void>;

const openAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 1, localAddress: ATTACK_ADDRESS });

/** @returns the status, or that the connection was cut */
function sendCall(agent: Agent, url: string, { method, path, token, body }: Call): Promise<string | number> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const call = request(`${url}${path}`, {
      method,
      agent,
      headers: {
        'accept-encoding': 'gzip',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
      },
    });
    call.on('response', (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', () => resolve('cut'));
    call.end(payload);
  });
}

/** One connection that sends its next request as soon as the last one is answered. */
async function repeatCall(kind: string, { url }: LoadTarget, nextCall: () => Call): Promise<never> {
  const agent = openAgent();
  for (;;) {
    const outcome = await sendCall(agent, url, nextCall());
    count(kind, outcome);
    if (outcome === 'cut') await pause(RETRY_MS);
  }
}

/** Opens a connection again whenever the server has closed it. */
async function repeatConnection(kind: string, { url }: LoadTarget, open: (socket: Socket) => void): Promise<never> {
  const { port } = new URL(url);
  for (;;) {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACK_ADDRESS });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.once('connect', () => open(socket));
    count(kind, 'opened');
    await closed;
    await pause(RETRY_MS);
  }
}

const senderOf = ({ senders }: LoadTarget, index: number): BenchUser => {
  const sender = senders[index % senders.length];
  if (!sender) throw new Error('the attack has no accounts');
  return sender;
};

const login: Attack = (target) =>
  repeatCall('login', target, () => {
    const email = `${randomUUID()}@contoh.id`;
    return { method: 'POST', path: '/api/auth/login', body: { email, password: 'bukan-password' } };
  });

const register: Attack = (target) =>
  repeatCall('register', target, () => {
    const body = { name: 'Penyerang', email: `${randomUUID()}@contoh.id`, password: 'password-panjang' };
    return { method: 'POST', path: '/api/auth/register', body: { ...body, password_confirmation: body.password } };
  });

const listRecords: Attack = (target, index) =>
  repeatCall('list', target, () => ({ method: 'GET', path: '/api/tax-records', token: senderOf(target, index).token }));

const search: Attack = (target) =>
  repeatCall('search', target, () => ({
    method: 'GET',
    path: `/api/admin/tax-records?search=${randomUUID()}`,
    token: target.admin.token,
  }));

/** Sends a part of a photo and then nothing. */
const stallUpload: Attack = (target, index) =>
  repeatConnection('upload', target, (socket) => {
    socket.resume();
    socket.write(
      `POST /api/tax-records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${senderOf(target, index).token}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="payment_proof"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
    );
    socket.write(randomBytes(STALLED_BYTES));
  });

/** Opens a WebSocket, and reads nothing once it has sent its token. */
const ignoreSocket: Attack = (target, index) =>
  repeatConnection('deaf socket', target, (socket) => {
    socket.write(
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    socket.once('data', () => {
      socket.pause();
      socket.write(textFrame(`40/chat,${JSON.stringify({ token: senderOf(target, index).token })}`));
      // An answer to a ping that was never read.
      const pong = setInterval(() => socket.write(textFrame('3')), 5000);
      socket.once('close', () => clearInterval(pong));
    });
  });

/** A WebSocket frame of a client, masked with zeros. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126 ? [payload.length | 0x80] : [126 | 0x80, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
}

const staySilent: Attack = (target) => repeatConnection('silent', target, (socket) => void socket.resume());

const feedAgent = openAgent();

const attacks: Attack[] = [login, register, listRecords, stallUpload, ignoreSocket, staySilent, search];

/** Gives the deaf sockets something to keep: the largest messages, as often as an account may send them. */
async function feedSockets(target: LoadTarget): Promise<never> {
  const { token } = senderOf(target, 0);
  const content = '😀'.repeat(2000);
  for (;;) {
    const body = { to_user_id: target.admin.id, content, client_id: randomUUID() };
    count(
      'message',
      await sendCall(feedAgent, target.url, { method: 'POST', path: '/api/messages/send', token, body }),
    );
    await pause(MESSAGE_PERIOD_MS);
  }
}

/** Floods the server until the parent stops the load. */
export async function flood(
  { stopSignal, reportReady }: TaskControl,
  { target, connections }: { target: LoadTarget; connections: number },
): Promise<LoadResult> {
  // Real attackers have processors of their own; here they must not take those of the server.
  setPriority(19);
  const from = performance.now();
  for (let index = 0; index < connections; index += 1) {
    const attack = attacks[index % attacks.length];
    if (attack) void attack(target, Math.floor(index / attacks.length));
  }
  void feedSockets(target);
  reportReady();
  await once(stopSignal, 'abort');
  return { count: connections, times: [], seconds: (performance.now() - from) / 1000, outcomes };
}
