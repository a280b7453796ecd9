import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { axios } from 'acme-client';
import { DAY_MS } from '#shared/durations.ts';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { AcmeFailure, failureIn } from './acme-failure.ts';

type Adapter = Extract<NonNullable<typeof axios.defaults.adapter>, (config: never) => unknown>;

/** Node gives up an address after a quarter of a second, which is too short for a satellite or a weak mobile network. */
const CONNECT_ATTEMPT_MS = 5000;
/** A chain of certificates has a few kilobytes. */
const ANSWER_MAX_BYTES = 1_000_000;
/** A directory that asks for more is asked again earlier. */
const RETRY_AFTER_MAX_MS = 7 * DAY_MS;

export type AcmeTransport = {
  /** Sends the requests of the ACME library in place of its own client. */
  adapter: Adapter;
  /** The error in the last answer, which the library passes on without its kind. */
  lastFailure: () => AcmeFailure | null;
  /** The `Retry-After` of the last answer. */
  retryAfterMs: () => number | null;
  /** From here on so many requests may be sent. */
  allow: (requestsMax: number) => void;
  close: () => void;
};

type TransportOptions = {
  /** PEM of the authorities to trust; without it those that come with Node. */
  ca?: string[] | undefined;
  /** For one request with its whole answer. */
  timeoutMs: number;
  /** Ends all requests. */
  signal: AbortSignal;
};

/**
 * Connections to the directory. The library's own ones have no time limit, repeat errors for minutes by themselves, and
 * hide the cause of a failed connection.
 */
export function createAcmeTransport({ ca, timeoutMs, signal }: TransportOptions): AcmeTransport {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 4,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS,
    ...(ca ? { ca } : {}),
  });
  let lastFailure: AcmeFailure | null = null;
  let retryAfterMs: number | null = null;
  let requestsLeft = 0;

  const adapter: Adapter = async (config) => {
    const { url = '', method = 'get' } = config;
    // For some answers that no directory gives, the library asks again and again.
    if (requestsLeft <= 0) throw new AcmeFailure('notADirectory', `too many requests: ${url}`);
    requestsLeft -= 1;
    const body = typeof config.data === 'string' ? config.data : undefined;
    const headers = { ...config.headers.toJSON(), 'user-agent': 'pbb-kita' } as Record<string, string>;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const { response, text } = await exchange(url, { method, headers, body, agent, signal: limit });
    const status = response.statusCode ?? 0;
    retryAfterMs = readRetryAfter(response.headers['retry-after']);
    lastFailure = status >= 400 ? failureOf(status, text, retryAfterMs) : null;
    // The library itself repeats a request whose nonce was refused.
    if (lastFailure && lastFailure.kind !== 'badNonce') throw lastFailure;
    if (status >= 300 && status < 400) throw new AcmeFailure('notADirectory', `${status} ${url}`);
    return {
      data: text,
      status,
      statusText: response.statusMessage ?? '',
      headers: response.headers as Record<string, string>,
      config,
    };
  };
  return {
    adapter,
    lastFailure: () => lastFailure,
    retryAfterMs: () => retryAfterMs,
    allow: (requestsMax) => {
      requestsLeft = requestsMax;
    },
    close: () => agent.destroy(),
  };
}

type Outgoing = {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  agent: Agent;
  signal: AbortSignal;
};

/** @throws AcmeFailure with the code of the system when there is no whole answer */
function exchange(url: string, { body, ...options }: Outgoing): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => {
      const isTimeout = options.signal.aborted && isTimeoutError(options.signal.reason);
      reject(isTimeout ? new AcmeFailure('timeout', 'ETIMEDOUT') : toFailure(error));
    };
    try {
      const outgoing = request(url, { ...options, method: options.method.toUpperCase() }, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > ANSWER_MAX_BYTES) response.destroy(new Error('the answer is too long'));
        });
        response.once('error', failed);
        response.once('end', () => resolve({ response, text: Buffer.concat(chunks).toString('utf8') }));
      });
      outgoing.once('error', failed);
      outgoing.end(body);
    } catch (error) {
      failed(error);
    }
  });
}

const isTimeoutError = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

/** Several addresses that all refused are one error without a code of its own. */
function toFailure(error: unknown): AcmeFailure {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const code = errorCodeOrText(first ?? error);
  const text = first ?? error;
  return new AcmeFailure(code, text instanceof Error ? text.message : String(text));
}

function failureOf(status: number, text: string, retryAfterMs: number | null): AcmeFailure {
  return (
    failureIn(parseJson(text), retryAfterMs) ??
    new AcmeFailure(
      status === 429 ? 'rateLimited' : status === 404 ? 'notADirectory' : 'serverInternal',
      `HTTP ${status}`,
      { retryAfterMs },
    )
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Seconds, or a date (RFC 9110 10.2.3). */
function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, RETRY_AFTER_MAX_MS) : null;
}
