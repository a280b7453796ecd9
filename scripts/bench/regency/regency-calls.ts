import { measureTiming, sendRequest, type HttpCall } from '../requests.ts';
import type { Result } from '../results.ts';
import { type MeasuredServer, readMaxLoopDelayMs } from '../server-process.ts';
import type { RegencyCopy } from './regency-copy.ts';

export type Regency = { server: MeasuredServer; data: RegencyCopy };

/**
 * A row of the table: calls that are repeated in turns. Each group of rows is a file beside this one.
 * `before`: the call before each of them, which is not measured.
 */
export type CallRow = {
  name: string;
  calls: readonly HttpCall[];
  maxMs: number;
  maxKb?: number;
  before?: () => HttpCall;
};

const ROUNDS = 60;

export const adminToken = ({ data }: Regency): string => data.admins[0]?.token ?? '';

export const adminGet = (regency: Regency, path: string): HttpCall => ({
  method: 'GET',
  path: `/api${path}`,
  token: adminToken(regency),
});

/** @returns calls that send messages to the office, each by the next user */
export function createNextMessage({ users, admins }: RegencyCopy): () => HttpCall {
  let count = 0;
  return () => {
    count += 1;
    const token = users[count % users.length]?.token ?? '';
    const body = {
      to_user_id: admins[0]?.id,
      content: `Pesan nomor ${count}`,
      client_id: `bench-${count}-${Date.now()}`,
    };
    return { method: 'POST', path: '/api/messages/send', token, body };
  };
}

/** @returns calls that add records, each of the next user */
export function createNextRecord({ users }: RegencyCopy): () => HttpCall {
  let count = 0;
  return () => {
    count += 1;
    const token = users[count % users.length]?.token ?? '';
    const body = { name: 'Budi', address: 'Jl. Melati 1', spt_number: `BENCH-${count}-${Date.now()}`, amount: 150_000 };
    return { method: 'POST', path: '/api/tax-records', token, body };
  };
}

/** @returns the p95 with its aim, and the size of the answer where that has an aim */
export async function measureRow({ server }: Regency, row: CallRow): Promise<Result[]> {
  const { name, calls, maxMs, maxKb, before } = row;
  let next = 0;
  const nextCall = (): HttpCall => calls[next++ % calls.length] ?? { method: 'GET', path: '/' };
  await readMaxLoopDelayMs(server);
  const sendBefore = before && (() => sendRequest(server.url, before()));
  const { p95 } = await measureTiming(server.url, nextCall, ROUNDS, sendBefore);
  const timing = {
    name: `${name}, p95`,
    measured: p95,
    pauseMs: await readMaxLoopDelayMs(server),
    aim: { max: maxMs },
  };
  if (maxKb === undefined) return [timing];
  const bytes = Buffer.byteLength(await sendRequest(server.url, nextCall()));
  return [timing, { name: `${name}, kB`, measured: bytes / 1000, aim: { max: maxKb } }];
}
