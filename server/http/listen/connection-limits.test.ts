import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectRaw } from '#server/testing/network/raw-http.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { createSharedCheck } from '../trusted-proxies.ts';
import { createConnectionLimits, readConnectionsMax, socketsShare } from './connection-limits.ts';

const GET = 'GET / HTTP/1.1\r\nHost: pbb\r\n\r\n';

/** A server with small limits whose answers are sent by the test. */
async function startLimitedServer(limits: { max?: number; perAddressMax?: number; shared?: string }) {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    server.emit('waiting');
  });
  const { shared, ...counts } = limits;
  createConnectionLimits({ max: 100, perAddressMax: 100, isShared: (address) => address === shared, ...counts }).bind(
    server,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  const upgraded: Duplex[] = [];
  server.on('upgrade', (_request, socket: Duplex) => upgraded.push(socket));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const openBusy = async () => {
    const connection = await connectRaw(port);
    const isWaiting = once(server, 'waiting');
    connection.send(GET);
    await isWaiting;
    return connection;
  };
  onTestFinished(() => {
    for (const socket of upgraded) socket.destroy();
  });
  return { server, port, responses, openBusy };
}

describe('the limit of an address', () => {
  it('closes the connection that has been idle longest to make room for another', async () => {
    const { port, responses, openBusy } = await startLimitedServer({ perAddressMax: 3 });
    const used = await openBusy();
    const silent = await connectRaw(port);
    responses[0]?.setHeader('content-length', 2).end('ok');
    await used.answer();
    const busy = await openBusy();
    const next = await openBusy();
    await silent.ended();
    responses[2]?.setHeader('content-length', 2).end('ok');
    expect((await next.answer()).status).toBe(200);
    expect([used.socket.closed, busy.socket.closed]).toEqual([false, false]);
  });

  it('refuses a connection while all others are busy', async () => {
    const { port, responses, openBusy } = await startLimitedServer({ perAddressMax: 2 });
    const [first] = [await openBusy(), await openBusy()];
    const refused = await connectRaw(port);
    await refused.ended();
    responses[0]?.setHeader('content-length', 2).end('ok');
    expect((await first.answer()).status).toBe(200);
  });

  it('does not count WebSockets, which have limits of their own', async () => {
    const { port, openBusy, server } = await startLimitedServer({ perAddressMax: 2 });
    server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
    for (let count = 0; count < 3; count += 1) {
      const webSocket = await connectRaw(port);
      webSocket.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      expect((await webSocket.answer()).status).toBe(101);
    }
    const opened = [await openBusy(), await openBusy()];
    const refused = await connectRaw(port);
    await refused.ended();
    expect(opened.map(({ socket }) => socket.closed)).toEqual([false, false]);
  });

  it('does not count for an address that stands for many clients', async () => {
    const { openBusy } = await startLimitedServer({ perAddressMax: 1, shared: '127.0.0.1' });
    const opened = [await openBusy(), await openBusy(), await openBusy()];
    expect(opened.map(({ socket }) => socket.closed)).toEqual([false, false, false]);
  });
});

it('answers requests that a connection sends without waiting, and cuts one with more than twenty under way', async () => {
  const { port, responses } = await startLimitedServer({});
  const [polite, greedy] = [await connectRaw(port), await connectRaw(port)];
  polite.send(GET.repeat(20));
  await expect.poll(() => responses.length).toBe(20);
  greedy.send(GET.repeat(1000));
  await greedy.ended();
  expect(responses).toHaveLength(40);
  for (const response of responses) response.setHeader('content-length', 2).end('ok');
  for (let count = 0; count < 20; count += 1) expect((await polite.answer()).status).toBe(200);
  polite.send(GET);
  await expect.poll(() => responses.length).toBe(41);
});

it('bounds the TLS handshakes of an address and time, and not those of others', () => {
  const clock = { at: 0 };
  const isShared = (address: string): boolean => address === '127.0.0.1';
  const limits = createConnectionLimits({ max: 100, handshakesMax: 2, monotonicNow: () => clock.at, isShared });
  const acceptFrom = (address: string): boolean =>
    limits.acceptHandshake(Object.defineProperty(new Socket(), 'remoteAddress', { value: address }));
  const stranger = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2::3'];
  expect(stranger.map(acceptFrom)).toEqual([true, true, false]);
  expect(['192.0.2.1', '127.0.0.1', '127.0.0.1', '127.0.0.1'].map(acceptFrom)).toEqual([true, true, true, true]);
  clock.at = 10_000;
  expect(acceptFrom('2001:db8:1:2::1')).toBe(true);
});

it('takes an idle connection from the address with the most, when there is no room at all', async () => {
  const { port } = await startLimitedServer({ max: 3, shared: '127.0.0.1' });
  const many = [await connectRaw(port), await connectRaw(port), await connectRaw(port)];
  await connectRaw(port);
  await many[0]?.ended();
  expect(many.slice(1).map(({ socket }) => socket.closed)).toEqual([false, false]);
});

it.each([
  ['2001:db8:1:2::7', '2001:db8:1:2:3:4:5:6', true],
  ['2001:db8::7', '2001:db8::1:2:3:4', true],
  ['2001:db8:1:2::7', '2001:db8:1:3::7', false],
  ['::ffff:10.0.0.5', '10.0.0.5', true],
  ['10.0.0.5', '10.0.0.6', false],
])('counts %s and %s together: %s', (first, second, isSame) => {
  const limits = createConnectionLimits({ max: 100, perAddressMax: 1, isShared: () => false });
  const accept = (address: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
    limits.accept(socket);
    return socket;
  };
  const sockets = [accept(first), accept(second)];
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([isSame, false]);
});

it.each(['::1', '::ffff:127.0.0.1', '127.0.0.1'])('asks about the whole address %s whether it is shared', (address) => {
  const isShared = createSharedCheck({ trustedProxies: null, rateLimits: true });
  const limits = createConnectionLimits({ max: 100, perAddressMax: 1, isShared });
  const sockets = Array.from({ length: 3 }, () =>
    Object.defineProperty(new Socket(), 'remoteAddress', { value: address }),
  );
  expect(sockets.map(limits.accept)).toEqual([true, true, true]);
});

it('keeps a fifth of the connections for requests', () => {
  expect(socketsShare(12_500)).toBe(10_000);
  expect(socketsShare(32)).toBe(25);
});

it('leaves room for other files below the limit of the process', () => {
  expect(readConnectionsMax()).toBeGreaterThanOrEqual(32);
  expect(readConnectionsMax()).toBeLessThanOrEqual(12_500);
});

it('closes connections that send no request, or do not read their answer, after a while', async () => {
  const { server } = await buildTestApp();
  expect(server.server).toMatchObject({ headersTimeout: 20_000, requestTimeout: 120_000, timeout: 60_000 });
});

it('answers half a request that takes too long, and not a connection that sent nothing', async () => {
  const { server } = await buildTestApp();
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const received = async (bytes: string): Promise<string> => {
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    const client = connect(Number(new URL(address).port), '127.0.0.1');
    onTestFinished(() => void client.destroy());
    const [socket] = await accepted;
    if (bytes !== '') {
      const arrived = once(socket, 'data');
      client.write(bytes);
      await withTimeout('the bytes', arrived);
    }
    let answer = '';
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const ended = once(client, 'close');
    server.server.emit('clientError', Object.assign(new Error('x'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    await withTimeout('the end of the connection', ended);
    return answer;
  };
  expect(await received('')).toBe('');
  expect(await received('GET / HT')).toContain('HTTP/1.1 4');
});
