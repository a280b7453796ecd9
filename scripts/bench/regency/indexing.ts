import { setTimeout as pause } from 'node:timers/promises';
import { sendRequest, type HttpCall } from '../requests.ts';
import { percentiles, type Result } from '../results.ts';
import { readMaxLoopDelayMs } from '../server-process.ts';
import { inboxCall } from './inbox.ts';
import { searchCall } from './message-search.ts';
import type { Regency } from './regency-calls.ts';

/** The load beside the indexing: a message and a list, then this pause. */
const LOAD_PAUSE_MS = 50;
/** The load runs this long after the indexing too, to compare. */
const CALM_MS = 10_000;

const sendCall = ({ data }: Regency, content: string): HttpCall => ({
  method: 'POST',
  path: '/api/messages/send',
  token: data.users[0]?.token ?? '',
  body: { to_user_id: data.admins[0]?.id, content },
});

/** Sends messages and reads the list until something is done. @returns the milliseconds of each */
async function loadUntil(
  regency: Regency,
  isDone: () => boolean,
): Promise<{ send: number[]; list: number[]; pauseMs: number }> {
  const [send, list]: [number[], number[]] = [[], []];
  await readMaxLoopDelayMs(regency.server);
  const timed = async (times: number[], call: HttpCall): Promise<void> => {
    const from = performance.now();
    await sendRequest(regency.server.url, call);
    times.push(performance.now() - from);
  };
  for (let n = 0; !isDone(); n += 1) {
    await timed(send, sendCall(regency, `Pesan baru nomor ${n}`));
    await timed(list, inboxCall(regency, ''));
    await pause(LOAD_PAUSE_MS);
  }
  return { send, list, pauseMs: await readMaxLoopDelayMs(regency.server) };
}

export async function waitUntilIndexed(regency: Regency): Promise<void> {
  for (;;) {
    const answer = await sendRequest(regency.server.url, searchCall(regency, 'a'));
    if ((JSON.parse(answer) as { data: { indexed_percent: number } }).data.indexed_percent === 100) return;
    await pause(1000);
  }
}

/** The server fills the search index beside a load. The baseline is the same load afterwards. */
export async function measureIndexing(regency: Regency): Promise<Result[]> {
  const startedAt = performance.now();
  const indexing = { isDone: false, seconds: 0 };
  const waitForEnd = async (): Promise<void> => {
    await waitUntilIndexed(regency);
    Object.assign(indexing, { isDone: true, seconds: (performance.now() - startedAt) / 1000 });
  };
  // The first error ends the measurement.
  const [during] = await Promise.all([loadUntil(regency, () => indexing.isDone), waitForEnd()]);
  const calmFrom = performance.now();
  const calm = await loadUntil(regency, () => performance.now() - calmFrom > CALM_MS);
  const row = (name: 'send' | 'list'): Result => ({
    name: `${name} while the index is filled, p95`,
    measured: percentiles(during[name]).p95,
    baseline: percentiles(calm[name]).p95,
    pauseMs: during.pauseMs,
  });
  return [
    { name: 'seconds until all messages are in the search index', measured: indexing.seconds },
    row('send'),
    row('list'),
  ];
}
