import { Agent, request } from 'node:http';
import { percentiles, type Timing } from './results.ts';

export type HttpCall = {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string;
  body?: unknown;
  /** On a connection of its own: one that is kept may belong to a server that was killed. */
  isAlone?: boolean;
};

const WARM_UP_ROUNDS = 20;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request and resolves with the whole answer. @throws when the status is not 2xx */
export function sendRequest(url: string, { method, path, token, body, isAlone = false }: HttpCall): Promise<string> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      `${url}${path}`,
      {
        method,
        agent: isAlone ? false : agent,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`));
        });
      },
    );
    clientRequest.on('error', reject);
    clientRequest.end(payload);
  });
}

/** Repeats a call one after the other, after a warm-up. @param before each call, not measured @returns milliseconds */
export async function measureTiming(
  url: string,
  call: () => HttpCall,
  rounds: number,
  before: () => Promise<unknown> = async () => undefined,
): Promise<Timing> {
  for (let round = 0; round < Math.min(WARM_UP_ROUNDS, rounds); round += 1) {
    await before();
    await sendRequest(url, call());
  }
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await before();
    const from = performance.now();
    await sendRequest(url, call());
    times.push(performance.now() - from);
  }
  return percentiles(times);
}
