import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import type webPush from 'web-push';
import { HOUR_MS } from '#shared/durations.ts';
import { errorCode } from '#server/files/atomic.ts';
import { isPublicAddress } from '../endpoints/public-addresses.ts';
import { createResolveName, type ResolveName } from '../endpoints/resolve-name.ts';
import { NOT_PUBLIC, type PushOutcome, type PushRequest, type PushTransport } from './push.ts';

/** From the name to the head of the answer. Push services answer within a second. */
const ANSWER_WITHIN_MS = 10_000;
const RESOLVE_WITHIN_MS = 4000;
/** Node gives up an address after a quarter of a second, which is too short for a satellite or a weak mobile network. */
const CONNECT_ATTEMPT_MS = 3000;
/** The words of a refusal; nothing of it is shown. */
const BODY_MAX_BYTES = 4096;
/** A signature is valid for so long (RFC 8292 allows a day), and is used for half of it. */
const SIGNATURE_MS = 12 * HOUR_MS;
const SIGNATURES_MAX = 200;
const ENCODING = 'aes128gcm';

/** The answer of a push service to a push that was signed with another VAPID key than that of the subscription. */
const KEY_MISMATCH = /mismatch|do not correspond/i;

type TransportOptions = {
  /** Tests answer themselves. */
  resolveName?: ResolveName;
  answerWithinMs?: number;
};

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/**
 * Finds the addresses of a push service for a new connection, so that none is opened to an address that is not public,
 * whatever the name led to when it was stored (R-PUSH-5).
 */
function createPublicLookup(resolveName: ResolveName): LookupFunction {
  async function findPublic(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const found = await resolveName(hostname);
    const [first, ...others] = found
      .filter(isPublicAddress)
      .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (!first) throw failure(found.length === 0 ? 'ENOTFOUND' : NOT_PUBLIC);
    return [first, ...others];
  }

  async function answer(...[hostname, { all }, callback]: Parameters<LookupFunction>): Promise<void> {
    try {
      const addresses = await findPublic(hostname);
      if (all) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    } catch (error) {
      callback(failure(errorCode(error) ?? 'ENOTFOUND'), '');
    }
  }
  return (...request) => void answer(...request);
}

/** Reads the beginning of a body; an endless one is cut. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= BODY_MAX_BYTES) break;
    }
  } catch {
    // The part that arrived before is enough.
  }
  return Buffer.concat(chunks).toString();
}

/** The time that a push service asks for, in seconds or as a date (RFC 9110, 10.2.3). @returns null without a usable one */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` reads much that is no date of HTTP, such as '1.5'.
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

async function readOutcome(response: IncomingMessage): Promise<PushOutcome> {
  const status = response.statusCode ?? 0;
  // A connection is used again only after the end of an answer.
  const body = await readBeginning(response);
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500) {
    return { kind: 'busy', status, retryAfterMs: parseRetryAfter(response.headers['retry-after'], Date.now()) };
  }
  // A server with another key than before can never use this subscription again.
  if ((status === 401 || status === 403) && KEY_MISMATCH.test(body)) return { kind: 'gone' };
  return { kind: 'refused', status };
}

/** Encrypts, signs and posts pushes in the thread that calls it (RFC 8030, 8291, 8292). Redirects are not followed. */
export function createPushTransport({
  resolveName = createResolveName(RESOLVE_WITHIN_MS),
  answerWithinMs = ANSWER_WITHIN_MS,
}: TransportOptions = {}): PushTransport {
  const lookup = createPublicLookup(resolveName);
  const agents = {
    checked: new HttpsAgent({ keepAlive: true, autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS }),
    allowed: new HttpsAgent({ keepAlive: true, rejectUnauthorized: false }),
    plain: new HttpAgent({ keepAlive: true }),
  };
  /** Loaded with the first push: most servers never send one. */
  let library: Promise<typeof webPush> | null = null;
  const signatures = new Map<string, { header: string; renewAt: number }>();

  async function loadLibrary(): Promise<typeof webPush> {
    library ??= import('web-push').then((loaded) => loaded.default);
    return library;
  }

  async function authorizationFor(
    origin: string,
    { subject, publicKey, privateKey }: PushRequest['vapid'],
  ): Promise<string> {
    const key = `${origin} ${subject} ${publicKey}`;
    const known = signatures.get(key);
    const nowMs = Date.now();
    // A clock that was set back would otherwise keep a signature from the future.
    if (known && known.renewAt > nowMs && known.renewAt <= nowMs + SIGNATURE_MS) return known.header;
    const expiresAtS = Math.floor((nowMs + SIGNATURE_MS) / 1000);
    const { getVapidHeaders } = await loadLibrary();
    const header = getVapidHeaders(origin, subject, publicKey, privateKey, ENCODING, expiresAtS).Authorization;
    if (signatures.size >= SIGNATURES_MAX) signatures.clear();
    signatures.set(key, { header, renewAt: nowMs + SIGNATURE_MS / 2 });
    return header;
  }

  async function encryptFor({ p256dh, auth }: Record<'p256dh' | 'auth', string>, text: string): Promise<Buffer | null> {
    const { encrypt } = await loadLibrary();
    try {
      return encrypt(p256dh, auth, text, ENCODING).cipherText;
    } catch {
      return null;
    }
  }

  async function optionsFor(url: URL, { isAllowed, ...request }: PushRequest, length: number): Promise<RequestOptions> {
    const headers = {
      ttl: String(request.ttlS),
      urgency: request.urgency,
      ...(request.topic === null ? {} : { topic: request.topic }),
      authorization: await authorizationFor(url.origin, request.vapid),
      'content-type': 'application/octet-stream',
      'content-encoding': ENCODING,
      'content-length': length,
    };
    const common = { method: 'POST', headers, signal: AbortSignal.timeout(answerWithinMs) };
    if (url.protocol === 'http:') return { ...common, agent: agents.plain };
    return isAllowed ? { ...common, agent: agents.allowed } : { ...common, agent: agents.checked, lookup };
  }

  function openRequest(url: URL, options: RequestOptions, body: Buffer): ClientRequest {
    const outgoing = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options);
    // `once` listens until the answer begins; an error after it ends the reading of the body.
    outgoing.on('error', () => undefined);
    outgoing.end(body);
    return outgoing;
  }

  async function post(url: URL, options: RequestOptions, body: Buffer): Promise<PushOutcome> {
    const outgoing = openRequest(url, options, body);
    try {
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      return await readOutcome(response);
    } catch (error) {
      // The service has closed a connection that was kept, just when it was used again.
      if (outgoing.reusedSocket && errorCode(error) === 'ECONNRESET') return post(url, options, body);
      throw error;
    }
  }

  async function send(request: PushRequest): Promise<PushOutcome> {
    const { endpoint, p256dh, auth } = request.target;
    const url = new URL(endpoint);
    if (!request.isAllowed) {
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      // No name is looked up for an address.
      const isForbidden = url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host));
      if (isForbidden) return { kind: 'unreachable', reason: NOT_PUBLIC };
    }
    const cipherText = await encryptFor({ p256dh, auth }, request.text);
    // Keys are checked when they come; these are worth nothing.
    if (!cipherText) return { kind: 'refused', status: 0 };
    return post(url, await optionsFor(url, request, cipherText.length), cipherText);
  }

  return {
    async send(request) {
      try {
        return await send(request);
      } catch (error) {
        const isTimeout = error instanceof Error && error.name === 'AbortError';
        return { kind: 'unreachable', reason: isTimeout ? 'ETIMEDOUT' : (errorCode(error) ?? String(error)) };
      }
    },
    close: async () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
