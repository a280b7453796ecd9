import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectTcp, Socket } from 'node:net';
import { io } from 'socket.io-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import { createConnectionLimits, socketsShare } from '#server/http/listen/connection-limits.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { connectRaw } from '#server/testing/network/raw-http.ts';
import { listen, openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import type { Connection } from './socket-types.ts';
import { createSocketLimits, type SocketLimits } from './socket-limits.ts';

const HANDSHAKE = '/socket.io/?EIO=4&transport=polling';
const [STRANGER, OFFICE] = ['203.0.113.66', '2001:db8:1:2::7'];

/** An app behind a proxy on this computer, so that a test chooses the address of each client. */
function buildLimitedApp(socketLimits: Partial<SocketLimits> = {}, hasRealClock = false): Promise<TestApp> {
  const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: [], rateLimits: true };
  return buildTestApp({
    settings,
    socketLimits,
    ...(hasRealClock ? { monotonicNow: () => performance.now() } : {}),
  });
}

const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` });

/** Opens a session of Engine.IO without a token. @returns its status and id */
async function shakeHands(test: TestApp, address: string): Promise<{ status: number; sid: string; text: string }> {
  const response = await fetch(`${await listen(test)}${HANDSHAKE}`, { headers: from(address) });
  const text = await response.text();
  return { status: response.status, sid: response.ok ? (JSON.parse(text.slice(1)) as { sid: string }).sid : '', text };
}

const statuses = async (test: TestApp, address: string, count: number): Promise<number[]> => {
  const answers: number[] = [];
  for (let index = 0; index < count; index += 1) answers.push((await shakeHands(test, address)).status);
  return answers;
};

const pollStatus = async (test: TestApp, sid: string): Promise<number> =>
  (await fetch(`${await listen(test)}${HANDSHAKE}&sid=${sid}`)).status;

/** Sends an upgrade. @returns the whole answer when the server ends the connection, else its first line */
async function upgrade(test: TestApp, address: string, query = ''): Promise<string> {
  const raw = connectTcp(Number(new URL(await listen(test)).port), '127.0.0.1');
  onTestFinished(() => void raw.destroy());
  raw.write(
    `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `X-Forwarded-For: ${address}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  let answer = '';
  return withTimeout(
    'an answer to the upgrade',
    new Promise((resolve) => {
      raw.on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
        if (answer.startsWith('HTTP/1.1 101')) resolve('101');
      });
      raw.on('error', () => undefined);
      raw.once('close', () => resolve(answer));
    }),
  );
}

describe('handshakes without a token', () => {
  it('get 503 beyond the limit of their address, and other addresses go on', async () => {
    const test = await buildLimitedApp({ unknownPerAddressMax: 3 });
    expect(await statuses(test, STRANGER, 5)).toEqual([200, 200, 200, 503, 503]);
    expect(JSON.parse((await shakeHands(test, STRANGER)).text)).toEqual({
      success: false,
      message: 'Server sedang sibuk. Coba lagi.',
    });
    expect(await upgrade(test, STRANGER)).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 5/i);
    const budi = buildTestUser(test);
    for (const transport of ['polling', 'websocket'] as const)
      await openTab(test, budi, { headers: from(OFFICE), transports: [transport] });
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(200);
  });

  it('count together for a network of IPv6', async () => {
    const test = await buildLimitedApp({ unknownPerAddressMax: 1 });
    const addresses = ['2001:db8:9:9::1', '2001:db8:9:9:ffff::2', '2001:db8:9:8::1'];
    const answers = [];
    for (const address of addresses) answers.push((await shakeHands(test, address)).status);
    expect(answers).toEqual([200, 503, 200]);
  });

  it.each(['&sid=x&sid=', '#&sid=x', '&sid='])('count however the query names a session: %s', async (query) => {
    const test = await buildLimitedApp({ unknownPerAddressMax: 1 });
    const handshakeWith = async () => {
      const raw = await connectRaw(Number(new URL(await listen(test)).port));
      raw.send(`GET ${HANDSHAKE}${query} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${STRANGER}\r\n\r\n`);
      return (await raw.answer()).status;
    };
    expect(await handshakeWith()).toBe(200);
    expect(await handshakeWith()).toBe(503);
  });

  it('get 503 beyond the limit of all, also from an address that stands for many', async () => {
    const test = await buildLimitedApp({ unknownMax: 3, unknownPerAddressMax: 1 });
    expect(await statuses(test, '127.0.0.1', 4)).toEqual([200, 200, 200, 503]);
    expect(await statuses(test, STRANGER, 1)).toEqual([503]);
  });

  it('meet a bound per address and time, without a share of what all have together for the refused', async () => {
    const test = await buildLimitedApp({ perAddressMax: 1000, unknownPerAddressMax: 1000 });
    const answered = new Map<number, number>();
    for (let tenth = 0; tenth < 7; tenth += 1) {
      for (const status of await statuses(test, STRANGER, 100)) answered.set(status, (answered.get(status) ?? 0) + 1);
      test.clock.advance(100);
    }
    expect(Object.fromEntries(answered)).toEqual({ 200: 500, 503: 200 });
    await statuses(test, STRANGER, 100);
    expect(await statuses(test, OFFICE, 1)).toEqual([200]);
    test.clock.advance(10_000);
    expect(await statuses(test, STRANGER, 1)).toEqual([200]);
  });

  it('meet a bound of all and time: no more than 100 in a tenth of a second', async () => {
    const test = await buildLimitedApp();
    expect(await statuses(test, '127.0.0.1', 101)).toEqual([...Array<number>(100).fill(200), 503]);
    test.clock.advance(100);
    expect(await statuses(test, '127.0.0.1', 1)).toEqual([200]);
  });

  it.each(['polling', 'websocket'] as const)('over %s die early and make room', async (transport) => {
    const test = await buildLimitedApp({ unknownPerAddressMax: 1, connectTimeoutMs: 50 });
    const sid = transport === 'polling' ? (await shakeHands(test, STRANGER)).sid : '';
    if (transport === 'websocket') expect(await upgrade(test, STRANGER)).toBe('101');
    // Without a poll Engine.IO would keep the session for half a minute more.
    await expect.poll(async () => (await shakeHands(test, STRANGER)).status).toBe(200);
    if (sid !== '') expect(await pollStatus(test, sid)).toBe(400);
  });

  it('end when the client sends packets instead of its token', async () => {
    const test = await buildLimitedApp();
    const { sid } = await shakeHands(test, STRANGER);
    const url = `${await listen(test)}${HANDSHAKE}&sid=${sid}`;
    const packets = Array.from({ length: 1000 }, (_, index) => `40/${index},`).join('\u001e');
    await fetch(url, { method: 'POST', body: packets }).catch(() => undefined);
    expect(await pollStatus(test, sid)).toBe(400);
  });

  it('no longer count once the token has come', async () => {
    const test = await buildLimitedApp({ unknownPerAddressMax: 1, unknownMax: 1, connectTimeoutMs: 1000 });
    const budi = buildTestUser(test);
    const tabs = [];
    for (const transport of ['polling', 'websocket', 'polling'] as const)
      tabs.push(await openTab(test, budi, { headers: from(OFFICE), transports: [transport] }));
    // The time to send a token has passed for a later stranger, and the three are still there.
    const { sid } = await shakeHands(test, STRANGER);
    await expect.poll(() => pollStatusNow(test, sid)).toBe('ended');
    expect(tabs.map(({ socket }) => socket.connected)).toEqual([true, true, true]);
  });
});

/** Whether a session is still known; the question itself is an overlapping poll that a living one would hold open. */
async function pollStatusNow(test: TestApp, sid: string): Promise<'open' | 'ended'> {
  const response = await fetch(`${await listen(test)}${HANDSHAKE}&sid=${sid}`, { method: 'OPTIONS' });
  return (await response.text()).includes('Session ID unknown') ? 'ended' : 'open';
}

describe('250 pages of an office behind one address, after a restart of the server', () => {
  it('all get their socket while a stranger floods the handshakes from another address', async () => {
    const test = await buildLimitedApp({}, true);
    const url = await listen(test);
    const accounts = Array.from({ length: 25 }, (_, index) => buildTestUser(test, { name: `Warga ${index}` }));
    const load = { isOver: false };
    const flood = async (): Promise<void> => {
      const stranger = await connectRaw(Number(new URL(url).port));
      while (!load.isOver) {
        stranger.send(`GET ${HANDSHAKE} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${STRANGER}\r\n\r\n`);
        await stranger.answer();
      }
    };
    const flooding = Promise.all(Array.from({ length: 8 }, flood));
    const sockets = accounts.flatMap(({ token }) =>
      Array.from({ length: 10 }, () =>
        io(`${url}${REALTIME_NAMESPACE}`, {
          auth: { token },
          transports: ['websocket', 'polling'],
          tryAllTransports: true,
          forceNew: true,
          reconnectionDelay: 500,
          extraHeaders: from(OFFICE),
        }),
      ),
    );
    onTestFinished(() => {
      for (const socket of sockets) socket.disconnect();
    });
    await expect.poll(() => sockets.filter(({ connected }) => connected).length).toBe(250);
    load.isOver = true;
    await flooding;
  });
});

describe('open sockets', () => {
  it('leave a share of the connections to requests: further ones get 503, requests are answered', async () => {
    const test = await buildLimitedApp({ max: 3 });
    const budi = buildTestUser(test);
    const open = [await openTab(test, budi), await openTab(test, budi), await openTab(test, budi)];
    expect(await upgrade(test, OFFICE)).toContain('HTTP/1.1 503 ');
    expect(await statuses(test, OFFICE, 1)).toEqual([503]);
    const { token } = budi;
    const response = await fetch(`${await listen(test)}/api/auth/user`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    expect(open.map(({ socket }) => socket.connected)).toEqual([true, true, true]);
    open[0]?.close();
    await expect.poll(async () => (await shakeHands(test, OFFICE)).status).toBe(200);
  });

  it('take four fifths of the connections that the process has files for', async () => {
    const report = { userLimits: { open_files: { soft: 96 + 50 } } };
    const getReport = vi.spyOn(process.report, 'getReport').mockReturnValue(report);
    onTestFinished(() => getReport.mockRestore());
    const test = await buildLimitedApp();
    expect(await statuses(test, '127.0.0.1', 41)).toEqual([...Array<number>(40).fill(200), 503]);
  });

  it('leave every request its connection while they take their whole share, and none of them is closed for it', async () => {
    const connectionsMax = 10;
    const test = await buildLimitedApp({ max: socketsShare(connectionsMax) });
    createConnectionLimits({ max: connectionsMax, isShared: () => true }).bind(test.server.server);
    const budi = buildTestUser(test);
    const open = await Promise.all(Array.from({ length: 8 }, () => openTab(test, budi)));
    expect(await upgrade(test, OFFICE)).toContain('HTTP/1.1 503 ');
    const url = `${await listen(test)}/api/auth/user`;
    for (let count = 0; count < 30; count += 1) {
      const headers = { authorization: `Bearer ${budi.token}`, connection: 'close' };
      expect((await fetch(url, { headers })).status).toBe(200);
    }
    expect(open.every(({ socket }) => socket.connected)).toBe(true);
  });

  it('leave room for those of other addresses', async () => {
    const test = await buildLimitedApp({ perAddressMax: 2 });
    const budi = buildTestUser(test);
    for (let count = 0; count < 2; count += 1) await openTab(test, budi, { headers: from(STRANGER) });
    expect(await statuses(test, STRANGER, 1)).toEqual([503]);
    await openTab(test, budi, { headers: from(OFFICE) });
  });

  it('close when their client leaves the namespace, so that an account cannot keep more than its twenty', async () => {
    const test = await buildLimitedApp();
    const budi = buildTestUser(test);
    const { sid } = await shakeHands(test, OFFICE);
    const url = `${await listen(test)}${HANDSHAKE}&sid=${sid}`;
    await fetch(url, { method: 'POST', body: `40/chat,${JSON.stringify({ token: budi.token })}` });
    await expect.poll(() => test.context.presence.counts().sockets).toBe(1);
    await fetch(url, { method: 'POST', body: '41/chat,' }).catch(() => undefined);
    await expect.poll(() => pollStatusNow(test, sid)).toBe('ended');
    expect(test.context.presence.counts().sockets).toBe(0);
  });

  it('end when they send a thousand packets within seconds, whatever these are', async () => {
    const test = await buildLimitedApp();
    const [budi, siti] = [buildTestUser(test), buildTestUser(test, { name: 'Siti' })];
    const [hostile, other] = [await openTab(test, budi), await openTab(test, siti)];
    const engine = hostile.socket.io.engine;
    for (let count = 0; count < 1001; count += 1) engine.write('0/nothing,');
    await hostile.ended();
    expect(other.socket.connected).toBe(true);
  });

  it('count a second connection beside the first against a limit', async () => {
    const test = await buildLimitedApp({ perAddressMax: 2 });
    const { sid } = await shakeHands(test, STRANGER);
    const attempts = [];
    for (let count = 0; count < 3; count += 1) attempts.push(await upgrade(test, STRANGER, `&sid=${sid}`));
    expect(attempts.slice(0, 2)).toEqual(['101', '101']);
    expect(attempts[2]).toContain('HTTP/1.1 503 ');
  });
});

/** Without a network: so many connections as the limits of a server allow would take a test a minute. */
function openLimits() {
  const limits = createSocketLimits({
    // The limit is fixed, because the usual one follows the number of files that this computer allows.
    limits: { max: 10_000 },
    addressOf: ({ headers }) => headers.from ?? null,
    rateLimits: false,
    delayRefusal: () => new Promise(() => undefined),
    monotonicNow: () => 0,
  });
  const close = vi.fn();
  /** @returns whether there is room for a connection, which stays open then */
  const connect = (address: string, hasToken: boolean): boolean => {
    const request = Object.assign(new IncomingMessage(new Socket()), { headers: { from: address } });
    const next = vi.fn();
    limits.middleware(request, new ServerResponse(request), next);
    if (next.mock.calls.length === 0) return false;
    const connection: unknown = Object.assign(new EventEmitter(), { request, close, transport: {} });
    limits.track(connection as Connection);
    if (hasToken) limits.settle(connection as Connection);
    return true;
  };
  return { connect, close };
}

describe('a server', () => {
  const countAdmitted = (admitted: boolean[]): number => admitted.filter(Boolean).length;

  it('accepts 100 connections without a token of an address, and 2,000 in all', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { connect } = openLimits();
    expect(countAdmitted(Array.from({ length: 101 }, () => connect('stranger', false)))).toBe(100);
    const others = Array.from({ length: 2000 }, (_, index) => connect(`other ${index % 40}`, false));
    expect(countAdmitted(others)).toBe(1900);
  });

  it('waits five seconds for the token of a connection', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { connect, close } = openLimits();
    connect('stranger', false);
    connect('office', true);
    vi.advanceTimersByTime(4999);
    expect(close).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(close).toHaveBeenCalledOnce();
  });

  it('accepts 250 sockets of an address', () => {
    const { connect } = openLimits();
    expect(countAdmitted(Array.from({ length: 251 }, () => connect('office', true)))).toBe(250);
    expect(connect('other', true)).toBe(true);
  });
});
