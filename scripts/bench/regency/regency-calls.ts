import { measureTiming, sendRequest, type HttpCall } from '../requests.ts';
import type { Result } from '../results.ts';
import { type MeasuredServer, readMaxLoopDelayMs } from '../server-process.ts';
import type { RegencyCopy } from './regency-copy.ts';

export type Regency = { server: MeasuredServer; data: RegencyCopy };

/** A row of the table: calls that are repeated in turns. Each group of rows is a file beside this one. */
export type CallRow = { name: string; calls: readonly HttpCall[]; maxMs: number; maxKb?: number };

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

/** @returns the p95 with its aim, and the size of the answer where that has an aim */
export async function measureRow({ server }: Regency, { name, calls, maxMs, maxKb }: CallRow): Promise<Result[]> {
  let next = 0;
  const nextCall = (): HttpCall => calls[next++ % calls.length] ?? { method: 'GET', path: '/' };
  await readMaxLoopDelayMs(server);
  const { p95 } = await measureTiming(server.url, nextCall, ROUNDS);
  const row = { name: `${name}, p95`, measured: p95, pauseMs: await readMaxLoopDelayMs(server), aim: { max: maxMs } };
  if (maxKb === undefined) return [row];
  const bytes = Buffer.byteLength(await sendRequest(server.url, nextCall()));
  return [row, { name: `${name}, kB`, measured: bytes / 1000, aim: { max: maxKb } }];
}
