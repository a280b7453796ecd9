import { request as httpRequest } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { describe, expect, it } from 'vitest';
import { UNAVAILABLE } from '#shared/events.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { listen, openTab, connectErrorMessage, waitForPendingEvents, type Tab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';

/** Two tabs that must receive nothing of the attack, and the URL to attack. */
async function startTestServer() {
  const test = await buildTestApp();
  const [admin, budi, mallory] = [buildAdmin(test), buildTestUser(test), buildTestUser(test, { name: 'Mallory' })];
  const tabs = [await openTab(test, admin), await openTab(test, budi)];
  await waitForPendingEvents(test, ...tabs);
  for (const tab of tabs) tab.clearReceived();
  return { test, admin, budi, mallory, tabs, url: await listen(test) };
}

/** Only the presence of the attacker may be published; no other event. */
async function expectUnharmed(test: TestApp, tabs: Tab[]): Promise<void> {
  await waitForPendingEvents(test, ...tabs);
  expect(tabs.flatMap((tab) => tab.received().filter(({ event }) => event !== 'presence'))).toEqual([]);
  expect(tabs.every(({ socket }) => socket.connected)).toBe(true);
  expect((await test.call('GET', '/healthz')).status).toBe(200);
}

/** A client that sends exactly the given frames. */
async function openRawWebSocket(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const frames: string[] = [];
  let wake = (): void => undefined;
  const state = { isOver: false };
  socket.addEventListener('message', ({ data }) => {
    frames.push(String(data));
    wake();
  });
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', () => {
    state.isOver = true;
    wake();
  });
  const waitForFrame = async (what: string, matches: (frame: string) => boolean): Promise<void> => {
    while (!state.isOver && !frames.some(matches)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await withTimeout(what, promise);
    }
  };
  await waitForFrame('the open packet', (frame) => frame.startsWith('0'));
  return {
    frames,
    send: (...sentFrames: (string | Uint8Array<ArrayBuffer>)[]): void => {
      for (const frame of sentFrames) socket.send(frame);
    },
    /** Resolves when every earlier frame was handled, or the server closed the connection. */
    roundTrip: async (): Promise<'open' | 'closed'> => {
      if (!state.isOver) socket.send('40/nothing,');
      await waitForFrame('the refusal of /nothing', (frame) => frame.startsWith('44/nothing'));
      return state.isOver ? 'closed' : 'open';
    },
    waitForFrame,
    close: (): void => socket.close(),
  };
}

async function openRawChatSocket(url: string, token: string) {
  const raw = await openRawWebSocket(url);
  raw.send(`40/chat,${JSON.stringify({ token })}`);
  await raw.waitForFrame('the connection', (frame) => frame.startsWith('40/chat'));
  raw.frames.length = 0;
  return raw;
}

const eventFrame = (...data: unknown[]): string => `42/chat,${JSON.stringify(data)}`;
const nestedListFrame = (depth: number): string => `42/chat,["typing",${'['.repeat(depth)}${']'.repeat(depth)}]`;
const nestedObjectFrame = (depth: number): string =>
  `42/chat,["delivered",${'{"up_to":'.repeat(depth)}1${'}'.repeat(depth)}]`;
const binaryFrame = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(0xff);

const wrongPayloads: unknown[] = [null, true, 5, -0, '', 'x', [], {}, [[]], [{ typing: true }], { typing: 'true' }];
const wrongFields: unknown[] = [
  { typing: 1 },
  { typing: true, user_id: {} },
  { typing: true, user_id: '' },
  { typing: true, user_id: ['x'] },
  { typing: true, user_id: 'x'.repeat(65) },
  { up_to: 5 },
  { up_to: '-1' },
  { up_to: '1e3' },
  { up_to: '0x10' },
  { up_to: '9'.repeat(16) },
  { up_to: ' 1' },
  { up_to: null },
  { user_id: 5 },
  { user_id: undefined },
  { user_id: 'tidak-ada' },
];

const ignoredFrames: [string, (string | Uint8Array<ArrayBuffer>)[]][] = [
  ['no payload', [eventFrame('typing'), eventFrame('viewing'), eventFrame('delivered')]],
  ['wrong payloads', wrongPayloads.flatMap((p) => [eventFrame('viewing', p), eventFrame('delivered', p)])],
  ['wrong typing', wrongPayloads.map((p) => eventFrame('typing', p))],
  ['wrong fields', wrongFields.flatMap((p) => [eventFrame('delivered', p), eventFrame('viewing', p)])],
  ['wrong typing fields', wrongFields.map((p) => eventFrame('typing', p))],
  ['many arguments', [eventFrame('viewing', ...Array.from({ length: 2000 }, () => 0))]],
  ['no event at all', ['42/chat', '42/chat,']],
  ['events of the server', ['message:new', 'unread', 'session:ended', 'presence'].map((name) => eventFrame(name, {}))],
  [
    'names of the emitter',
    ['error', 'toString', '__proto__', 'constructor', 'end', 'data', ''].map((n) => eventFrame(n)),
  ],
  ['errors of every kind', [null, 0, 'x', {}, { stack: 5 }, []].map((payload) => eventFrame('error', payload))],
  ['numbers as names', [eventFrame(0), eventFrame(-1, {}), eventFrame(1e300)]],
  ['prototypes', ['42/chat,["typing",{"__proto__":{"typing":true}}]', '42/chat,["delivered",{"__proto__":null}]']],
  ['huge numbers', ['42/chat,["delivered",{"up_to":1e999}]', `42/chat,["delivered",${'9'.repeat(5000)}]`]],
  ['an acknowledgement without a request', ['43/chat,0["x"]', '43/chat,99999999999999999999[]']],
  ['deep lists', [nestedListFrame(5000)]],
  ['deep objects', [nestedObjectFrame(1500)]],
  ['binary', ['451-/chat,["viewing",{"user_id":{"_placeholder":true,"num":0}}]', binaryFrame(16)]],
  ['binary as payload', ['451-/chat,["typing",{"_placeholder":true,"num":0}]', binaryFrame(16)]],
  ['control packets of the transport', ['1', '3', '3probe', '5', '6']],
];

const disconnectingFrames: [string, (string | Uint8Array<ArrayBuffer>)[]][] = [
  ['80 KB of lists', [nestedListFrame(40_000)]],
  ['80 KB of objects', [nestedObjectFrame(9000)]],
  ['a huge text', [eventFrame('typing', 'x'.repeat(100_000))]],
  [
    'a huge array',
    [
      eventFrame(
        'typing',
        Array.from({ length: 50_000 }, () => 1),
      ),
    ],
  ],
  ['a huge binary', [binaryFrame(1_000_000)]],
  ['binary without announcement', [binaryFrame(3)]],
  ['an attachment that never was', ['451-/chat,["typing",{"_placeholder":true,"num":7}]', binaryFrame(3)]],
  ['too many attachments', ['4599-/chat,["typing"]']],
  ['endless attachments', ['459999999999999-/chat,[]']],
  ['text instead of the attachment', ['451-/chat,["typing",{"_placeholder":true,"num":0}]', eventFrame('typing')]],
  ['reserved names', [eventFrame('disconnect', 'x')]],
  ['a reserved emitter name', [eventFrame('newListener', 'x')]],
  ['no list', ['42/chat,{}']],
  ['an empty list', ['42/chat,[]']],
  ['null as name', ['42/chat,[null]']],
  ['half a JSON', ['42/chat,["typing",{']],
  ['an unknown packet', ['49/chat,[]']],
  ['no packet', ['4']],
  ['an unknown engine packet', ['9']],
  ['nothing', ['']],
  ['a second connection', ['40/chat,{}']],
  ['a refusal of its own', ['44/chat,{"message":"x"}']],
  ['a ping against the direction', ['2']],
  ['base64 that is none', ['b4!!!!', eventFrame('typing')]],
];

describe('a hostile socket', () => {
  it.each(ignoredFrames)('gets no answer to %s, and no other tab gets an event', async (_name, frames) => {
    const { test, mallory, tabs, url } = await startTestServer();
    const raw = await openRawChatSocket(url, mallory.token);
    raw.send(...frames);
    expect(await raw.roundTrip()).toBe('open');
    // No answer of any kind, and no event except the first `presence`.
    expect(raw.frames.filter((frame) => !frame.startsWith('44/nothing') && !frame.includes('presence'))).toEqual([]);
    await expectUnharmed(test, tabs);
    raw.close();
  });

  it.each(disconnectingFrames)('loses its connection, without other tabs, after %s', async (_name, frames) => {
    const { test, mallory, tabs, url } = await startTestServer();
    const raw = await openRawChatSocket(url, mallory.token);
    raw.send(...frames);
    expect(await raw.roundTrip()).toBe('closed');
    await expectUnharmed(test, tabs);
    expect((await openTab(test, mallory)).socket.connected).toBe(true);
  });

  it('gets no acknowledgement, whatever it requests', async () => {
    const { test, mallory, tabs, url } = await startTestServer();
    const raw = await openRawChatSocket(url, mallory.token);
    raw.send('42/chat,1["viewing",{"user_id":null}]', '42/chat,2["delivered",{"up_to":"1"}]', '42/chat,3["nothing"]');
    await raw.roundTrip();
    expect(raw.frames.some((frame) => frame.startsWith('43'))).toBe(false);
    await expectUnharmed(test, tabs);
    raw.close();
  });

  it('gets nothing before it has sent a token', async () => {
    const { test, tabs, url } = await startTestServer();
    for (const frame of [eventFrame('typing', { typing: true }), '40/chat,null', '40/chat,"x"', '41/chat']) {
      const raw = await openRawWebSocket(url);
      raw.send(frame);
      expect([frame, await raw.roundTrip()]).toEqual([frame, 'closed']);
    }
    for (const frame of [
      '40',
      '40/chat',
      '40/chat,5',
      '40/chat,{}',
      '40/chat,{"pid":{},"offset":{}}',
      '40/chat,{"token":{}}',
    ]) {
      const raw = await openRawWebSocket(url);
      raw.send(frame);
      await raw.roundTrip();
      expect(raw.frames.find((said) => said.includes('unauthorized'))).toBeDefined();
      raw.close();
    }
    await expectUnharmed(test, tabs);
  });
});

describe('a hostile request to /socket.io', () => {
  const query = '/socket.io/?EIO=4&transport=polling';
  it.each([
    ['an unknown sid', 'GET', `${query}&sid=x`, undefined],
    ['a sid of the prototype', 'GET', `${query}&sid=__proto__`, undefined],
    ['another sid of the prototype', 'POST', `${query}&sid=constructor`, 'x'],
    ['an unknown transport', 'GET', '/socket.io/?EIO=4&transport=__proto__', undefined],
    ['a WebSocket without upgrade', 'GET', '/socket.io/?EIO=4&transport=websocket', undefined],
    ['an unknown version', 'GET', '/socket.io/?EIO=9&transport=polling', undefined],
    ['an old version', 'GET', '/socket.io/?EIO=3&transport=polling', undefined],
    ['no query', 'GET', '/socket.io/', undefined],
    ['a broken query', 'GET', '/socket.io/?%&=%zz&EIO', undefined],
    ['another method', 'DELETE', query, undefined],
    ['a body of garbage', 'POST', query, '\u0000\u001e\u001e4'],
    ['a client script', 'GET', '/socket.io/socket.io.js', undefined],
  ])('gets a refusal: %s', async (_name, method, path, body) => {
    const { test, tabs, url } = await startTestServer();
    expect(await requestStatus(`${url}${path}`, method, body)).toBeGreaterThanOrEqual(400);
    await expectUnharmed(test, tabs);
  });

  it.each([['\u001e\u001e'], ['x'], ['4'], ['42/chat,["error",null]'], ['b!!!'], ['4'.repeat(20_000)], ['']])(
    'does no harm with the polling body %.20j',
    async (body) => {
      const { test, tabs, url } = await startTestServer();
      const opened = await (await fetch(`${url}${query}`)).text();
      const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
      await requestStatus(`${url}${query}&sid=${sid}`, 'POST', body);
      await expectUnharmed(test, tabs);
    },
  );

  it('does no harm with garbage after the upgrade', async () => {
    const { test, tabs, url } = await startTestServer();
    const { port } = new URL(url);
    const raw = connectTcp(Number(port), '127.0.0.1');
    raw.on('error', () => undefined);
    raw.write(
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const ended = new Promise<void>((resolve) => raw.once('close', () => resolve()));
    raw.write(Buffer.alloc(4096, 0xff));
    raw.resume();
    await withTimeout('the end of the connection', ended);
    await expectUnharmed(test, tabs);
  });
});

async function requestStatus(url: string, method: string, body: string | undefined): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = httpRequest(url, { method, headers: { 'content-type': 'text/plain', connection: 'close' } });
  request.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  request.on('error', reject);
  request.end(body);
  return withTimeout(`the answer to ${method} ${url}`, promise);
}

describe('an account that opens connection after connection', () => {
  it('gets twenty sockets and no more, and does not limit other accounts', async () => {
    const { test, mallory, tabs } = await startTestServer();
    const opened = await Promise.all(Array.from({ length: 20 }, () => openTab(test, mallory)));
    expect(await connectErrorMessage(test, { token: mallory.token })).toBe(UNAVAILABLE);
    const other = buildTestUser(test, { name: 'Siti' });
    await openTab(test, other);
    const [first] = opened;
    first?.close();
    await expect.poll(() => test.context.presence.counts().sockets).toBe(22);
    await openTab(test, mallory);
    await expectUnharmed(test, tabs);
  });
});
