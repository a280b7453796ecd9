import { setTimeout as pause } from 'node:timers/promises';
import { measureTiming, type HttpCall } from '../requests.ts';
import type { Result } from '../results.ts';
import { readMaxLoopDelayMs } from '../server-process.ts';
import { adminGet, type CallRow, type Regency } from './regency-calls.ts';

const INBOX_ROUNDS = 300;
const INBOX_P95_MS = 20;

const LISTS: [name: string, query: string][] = [
  ['all, latest activity first', 'all=1'],
  ['all, page 100', 'all=1&page=100'],
  ['waiting, longest wait first', 'state=waiting&sort=waiting'],
  ['waiting, page 50', 'state=waiting&sort=waiting&page=50'],
  ['unclaimed', 'state=unclaimed&sort=waiting'],
  ['unread', 'unread=1'],
  ['snoozed', 'state=snoozed'],
  ['mine', 'state=mine'],
  ['100 rows', 'all=1&limit=100'],
];

export const inboxCall = (regency: Regency, query: string): HttpCall =>
  adminGet(regency, `/messages/conversations?${query}`);

/** The lists of the inbox as rows, without snoozes that end meanwhile. */
export const inboxRows = (regency: Regency): CallRow[] =>
  LISTS.map(([name, query]) => ({ name: `inbox: ${name}`, calls: [inboxCall(regency, query)], maxMs: INBOX_P95_MS }));

async function measureList(regency: Regency, name: string, query: string): Promise<Result> {
  const { server } = regency;
  await readMaxLoopDelayMs(server);
  const { p95 } = await measureTiming(server.url, () => inboxCall(regency, query), INBOX_ROUNDS);
  return {
    name: `inbox: ${name}, p95`,
    measured: p95,
    pauseMs: await readMaxLoopDelayMs(server),
    aim: { max: INBOX_P95_MS },
  };
}

/** The lists of the inbox, the last of them while snoozes end. */
export async function measureInbox(regency: Regency): Promise<Result[]> {
  const rows: Result[] = [];
  for (const [name, query] of LISTS) rows.push(await measureList(regency, name, query));
  const remainingMs = regency.data.snoozesEndAtMs - Date.now();
  if (remainingMs < 0) {
    process.stdout.write('the snoozes ended before they could be measured\n');
    return rows;
  }
  await pause(remainingMs);
  const name = `waiting, while ${regency.data.sizes.snoozesEnding.toLocaleString('en')} snoozes end`;
  return [...rows, await measureList(regency, name, 'state=waiting&sort=waiting')];
}
