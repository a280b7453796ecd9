import { createECDH } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type PushAnswer, type PushService, startPushService } from '#server/testing/network/push-service.ts';
import type { PushOutcome, PushTarget } from './push.ts';
import type { PushRequest } from './push.ts';
import { createPushThread } from './push-thread.ts';
import { createPushTransport, parseRetryAfter } from './transport.ts';

const pair = createECDH('prime256v1');
const vapid = {
  subject: 'https://pbb.desa.example',
  publicKey: pair.generateKeys('base64url'),
  privateKey: pair.getPrivateKey('base64url'),
};
const text = '{"title":"Pesan baru dari Ibu Ratna","body":"Sudah kami terima, Pak 👍"}';

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

function openTransport(options: Parameters<typeof createPushTransport>[0] = {}) {
  const transport = createPushTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

function buildRequest(overrides: Partial<PushRequest> = {}): PushRequest {
  const { endpoint, keys } = service.subscribe();
  const target: PushTarget = { endpoint, ...keys };
  return { target, text, ttlS: 3600, urgency: 'high', topic: 'percakapan', vapid, isAllowed: true, ...overrides };
}

describe('a push', () => {
  it('reaches the browser as it was written, signed for its push service', async () => {
    const transport = openTransport();
    const before = service.connections();
    const request = buildRequest();
    expect(await transport.send(request)).toEqual({ kind: 'sent' });
    // The connection and the signature serve the next one too.
    expect(await transport.send(buildRequest({ topic: null, urgency: 'normal' }))).toEqual({ kind: 'sent' });
    const [first, second] = service.received.slice(-2);
    expect(first).toMatchObject({
      text,
      subscription: { endpoint: request.target.endpoint },
      headers: { ttl: '3600', urgency: 'high', topic: 'percakapan', 'content-encoding': 'aes128gcm' },
      vapid: { aud: service.origin, sub: vapid.subject, publicKey: vapid.publicKey },
    });
    expect(second?.headers).not.toHaveProperty('topic');
    expect(second?.headers.authorization).toBe(first?.headers.authorization);
    expect(service.connections() - before).toBe(1);
    expect(service.refused).toEqual([]);
  });

  it.for<[string, PushAnswer, PushOutcome]>([
    ['201', { status: 201 }, { kind: 'sent' }],
    ['404', { status: 404 }, { kind: 'gone' }],
    ['410', { status: 410, body: 'x'.repeat(100_000) }, { kind: 'gone' }],
    ['413', { status: 413 }, { kind: 'refused', status: 413 }],
    ['400', { status: 400 }, { kind: 'refused', status: 400 }],
    ['403', { status: 403, body: '{"reason":"ExpiredJwtToken"}' }, { kind: 'refused', status: 403 }],
    ['403 for another key', { status: 403, body: '{"reason":"VapidPkHashMismatch"}' }, { kind: 'gone' }],
    ['429', { status: 429, headers: { 'retry-after': '120' } }, { kind: 'busy', status: 429, retryAfterMs: 120_000 }],
    ['500', { status: 500 }, { kind: 'busy', status: 500, retryAfterMs: null }],
    ['503', { status: 503, headers: { 'retry-after': 'soon' } }, { kind: 'busy', status: 503, retryAfterMs: null }],
    ['a connection that ends', 'reset', { kind: 'unreachable', reason: 'ECONNRESET' }],
  ])('understands %s', async ([, answer, outcome]) => {
    const request = buildRequest();
    service.answerNextOf(request.target, answer);
    expect(await openTransport().send(request)).toEqual(outcome);
  });

  it('follows no redirect', async () => {
    const request = buildRequest();
    const other = service.subscribe();
    service.answerNextOf(request.target, { status: 307, headers: { location: other.endpoint } });
    expect(await openTransport().send(request)).toEqual({ kind: 'refused', status: 307 });
    expect(service.payloadsOf(other)).toEqual([]);
  });

  it('gives up a push service that never answers, and one that never finishes its handshake', async () => {
    const sockets = new Set<Socket>();
    const blackHole = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    blackHole.listen(0, '127.0.0.1');
    await once(blackHole, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      blackHole.close();
    });
    const transport = openTransport({ answerWithinMs: 60 });
    const request = buildRequest();
    service.answerNextOf(request.target, 'silent');
    const { port } = blackHole.address() as AddressInfo;
    const endpoint = `https://127.0.0.1:${port}/kirim`;
    const outcomes = [request, buildRequest({ target: { ...request.target, endpoint } })].map(transport.send);
    expect(await Promise.all(outcomes)).toEqual([
      { kind: 'unreachable', reason: 'ETIMEDOUT' },
      { kind: 'unreachable', reason: 'ETIMEDOUT' },
    ]);
  });

  it('opens no connection to an address that is not public, whatever name leads there', async () => {
    const before = service.connections();
    const { port } = new URL(service.origin);
    const request = buildRequest({ isAllowed: false });
    const names: Record<string, string[]> = { 'rebind.example': ['127.0.0.1', '::1', '10.0.0.5'], 'none.example': [] };
    const transport = openTransport({ resolveName: async (name) => names[name] ?? [] });
    const sendTo = (origin: string): Promise<PushOutcome> =>
      transport.send({ ...request, target: { ...request.target, endpoint: `${origin}/kirim` } });
    const notPublic = { kind: 'unreachable', reason: 'NOT_PUBLIC' };
    expect(await sendTo(`https://rebind.example:${port}`)).toEqual(notPublic);
    expect(await sendTo(`https://127.0.0.1:${port}`)).toEqual(notPublic);
    expect(await sendTo(`https://[::ffff:7f00:1]:${port}`)).toEqual(notPublic);
    expect(await sendTo(`http://push.example:${port}`)).toEqual(notPublic);
    expect(await sendTo('https://none.example')).toEqual({ kind: 'unreachable', reason: 'ENOTFOUND' });
    expect(service.connections()).toBe(before);
  });

  it('leaves from a thread of its own, and one that ends leaves no push without an outcome', async () => {
    const threads: Worker[] = [];
    const threadUrl = new URL('push-thread.ts', import.meta.url).href;
    const transport = createPushThread(() => {
      const thread = new Worker(`import(${JSON.stringify(threadUrl)}).then((it) => it.servePushes())`, { eval: true });
      threads.push(thread);
      return thread;
    });
    onTestFinished(() => transport.close());
    expect(threads).toHaveLength(0);
    expect(await transport.send(buildRequest())).toEqual({ kind: 'sent' });
    const request = buildRequest();
    service.answerNextOf(request.target, 'silent');
    const pending = transport.send(request);
    await threads[0]?.terminate();
    expect(await pending).toEqual({ kind: 'unreachable', reason: 'THREAD_ENDED' });
    expect(await transport.send(buildRequest())).toEqual({ kind: 'sent' });
    expect(threads).toHaveLength(2);
  });

  it('says what kept its thread from starting or working', async () => {
    const broken = [
      () => new Worker('throw new Error("no library")', { eval: true }),
      () => {
        throw new Error('no memory');
      },
    ];
    for (const [index, start] of broken.entries()) {
      const transport = createPushThread(start);
      const error = expect.objectContaining({ message: ['no library', 'no memory'][index] });
      expect(await transport.send(buildRequest())).toEqual({ kind: 'unreachable', reason: 'THREAD_ENDED', error });
      await transport.close();
    }
  });
});

it('reads the time after which to try again, in seconds or as a date', () => {
  const nowMs = Date.parse('2026-06-10T05:00:00Z');
  expect(parseRetryAfter('0', nowMs)).toBe(0);
  expect(parseRetryAfter(' 90 ', nowMs)).toBe(90_000);
  expect(parseRetryAfter('Wed, 10 Jun 2026 05:01:00 GMT', nowMs)).toBe(60_000);
  expect(parseRetryAfter('Wed, 10 Jun 2026 04:00:00 GMT', nowMs)).toBe(0);
  for (const header of [undefined, '', '-1', '1.5', 'besok', '99999999999']) {
    expect(parseRetryAfter(header, nowMs)).toBeNull();
  }
});
