import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PushPayload } from '#shared/push.ts';
import { openLocalAuthority } from '#server/operations/tls/local-authority.ts';
import { buildHostNetwork } from './host-network.ts';
import { withTimeout } from '../with-timeout.ts';

/** The first push of a server waits for its thread to start, which takes seconds on a busy machine. */
const NEXT_PUSH_MS = 50_000;

/**
 * A push service on this computer, as those of browsers are: https with its own certificate, it checks who sends (RFC 8292) and
 * decrypts what arrives (RFC 8291). Its origin belongs into `PUSH_ALLOW`. It uses nothing of a test runner, so tests in
 * Chromium use it too.
 */

/** The reference implementation of RFC 8188 and 8291; it has no types. */
const require = createRequire(import.meta.url);
const { decrypt } = require('http_ece') as {
  decrypt: (body: Buffer, keys: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer }) => Buffer;
};

/** The body of `PUT /api/push/subscription`. */
export type TestSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/** The answer of the service to one push. */
export type PushAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Only when the test calls `release`. */
  | 'held'
  /** Never. */
  | 'silent'
  /** Ends the connection. */
  | 'reset';

export type ReceivedPush = {
  subscription: TestSubscription;
  /** The payload that the service worker of the browser gets. */
  payload: PushPayload;
  /** The bytes as they were encrypted. */
  text: string;
  headers: IncomingMessage['headers'];
  vapid: { aud: string; exp: number; sub: string; publicKey: string };
  /** The status that the service answered; null: none. */
  status: number | null;
};

/** A push of which something was wrong; the service answers 400. */
export type RefusedPush = { path: string; reason: string };

type Subscriber = { subscription: TestSubscription; privateKey: ECDH; authSecret: Buffer; answers: PushAnswer[] };

const CREATED: PushAnswer = { status: 201 };
const DAY_S = 86_400;

/** @throws when the header is not a valid signature for this origin */
function readVapid(header: string | undefined, origin: string): ReceivedPush['vapid'] {
  const [, token = '', publicKey = ''] = /^vapid t=([^,\s]+),\s*k=(\S+)$/.exec(header ?? '') ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65) throw new Error('no VAPID key');
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the VAPID signature is wrong');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Omit<ReceivedPush['vapid'], 'publicKey'>;
  const nowS = Date.now() / 1000;
  if (claims.aud !== origin) throw new Error(`the VAPID audience is ${claims.aud}`);
  if (claims.exp <= nowS || claims.exp > nowS + DAY_S) throw new Error(`VAPID ends at ${claims.exp}`);
  if (!/^(mailto:.+@|https:\/\/)/.test(claims.sub)) throw new Error(`the VAPID subject is ${claims.sub}`);
  return { ...claims, publicKey };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function startPushService() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-push-'));
  const readHost = () => buildHostNetwork('layanan', '127.0.0.1/8');
  const certificate = openLocalAuthority({ folder: join(folder, 'tls'), readHost, now: Date.now }).current();

  const subscribers = new Map<string, Subscriber>();
  const received: ReceivedPush[] = [];
  const refused: RefusedPush[] = [];
  const answers: PushAnswer[] = [];
  const held: (() => void)[] = [];
  const sockets = new Set<Socket>();
  let defaultAnswer: PushAnswer = CREATED;
  let connections = 0;
  let notifyWaiting: (() => void)[] = [];
  let nextIndex = 0;

  function wake(): void {
    const waiting = notifyWaiting;
    notifyWaiting = [];
    for (const notify of waiting) notify();
  }

  function answer(request: IncomingMessage, response: ServerResponse, how: PushAnswer): void {
    if (how === 'silent') return;
    if (how === 'held') return void held.push(() => answer(request, response, CREATED));
    if (how === 'reset') return void request.socket.destroy();
    response.writeHead(how.status, how.headers).end(how.body);
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await readBody(request);
    const subscriber = subscribers.get(path);
    // A redirect would lead to a path without a subscription.
    if (!subscriber) {
      refused.push({ path, reason: 'no such subscription' });
      response.writeHead(410).end();
      return wake();
    }
    try {
      if (request.method !== 'POST') throw new Error(`the method is ${request.method}`);
      const { ttl, 'content-encoding': encoding } = request.headers;
      if (ttl === undefined || !/^\d+$/.test(String(ttl))) throw new Error(`the TTL is ${String(ttl)}`);
      if (encoding !== 'aes128gcm') throw new Error(`the encoding is ${encoding}`);
      const vapid = readVapid(request.headers.authorization, origin);
      const { privateKey, authSecret, subscription } = subscriber;
      const text = decrypt(body, { version: 'aes128gcm', privateKey, authSecret }).toString();
      const how = subscriber.answers.shift() ?? answers.shift() ?? defaultAnswer;
      const status = typeof how === 'object' ? how.status : null;
      const payload = JSON.parse(text) as PushPayload;
      received.push({ subscription, payload, text, headers: request.headers, vapid, status });
      answer(request, response, how);
    } catch (error) {
      refused.push({ path, reason: String(error) });
      response.writeHead(400).end(String(error));
    }
    wake();
  }

  const server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** As in `https://127.0.0.1:41234`. */
    origin,
    /** Every push that could be decrypted, in its order, whatever the answer was. */
    received,
    refused,
    /** The number of connections that were opened. */
    connections: (): number => connections,

    /** A new subscription, as the browser of a visitor makes it. */
    subscribe(): TestSubscription {
      const privateKey = createECDH('prime256v1');
      const p256dh = privateKey.generateKeys('base64url');
      const authSecret = randomBytes(16);
      const path = `/kirim/${randomBytes(24).toString('base64url')}`;
      const subscription = { endpoint: `${origin}${path}`, keys: { p256dh, auth: authSecret.toString('base64url') } };
      subscribers.set(path, { subscription, privateKey, authSecret, answers: [] });
      return subscription;
    },
    /** The next pushes get these answers, in this order, whoever they are for; all others the default. */
    answerNext: (...next: PushAnswer[]): void => void answers.push(...next),
    /** The same for one subscription. */
    answerNextOf({ endpoint }: Pick<TestSubscription, 'endpoint'>, ...next: PushAnswer[]): void {
      subscribers.get(new URL(endpoint).pathname)?.answers.push(...next);
    },
    /** 201 unless set. */
    setDefaultAnswer(next: PushAnswer): void {
      defaultAnswer = next;
    },
    /** Answers everything that is held. */
    release(): void {
      for (const send of held.splice(0)) send();
    },
    /** The payloads that one subscription got. */
    payloadsOf: ({ endpoint }: Pick<TestSubscription, 'endpoint'>): PushPayload[] =>
      received.flatMap(({ subscription, payload }) => (subscription.endpoint === endpoint ? [payload] : [])),
    /** The next push that `next` has not returned yet; waits for it. */
    async next(): Promise<ReceivedPush> {
      for (;;) {
        const push = received[nextIndex];
        if (push) {
          nextIndex += 1;
          return push;
        }
        if (refused.length > 0)
          throw new Error(`a push was refused: ${refused.map(({ reason }) => reason).join(', ')}`);
        await withTimeout('a push', new Promise<void>((resolve) => notifyWaiting.push(resolve)), NEXT_PUSH_MS);
      }
    },
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type PushService = Awaited<ReturnType<typeof startPushService>>;
