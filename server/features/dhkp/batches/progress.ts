import type { BatchProgress, ServerToClientEvents } from '#shared/events.ts';
import type { Publish } from '#server/realtime/publish.ts';
import type { BatchRecord } from './batch-queries.ts';

const BATCH_INTERVAL_MS = 500;
const LIST_INTERVAL_MS = 1000;

/** Sends the newest of several payloads of one key, at most once in an interval; the last one is always sent. */
function createJoinedEvents<Payload>(intervalMs: number, send: (payload: Payload) => void) {
  const waiting = new Map<string, { payload: Payload | null; timer: NodeJS.Timeout }>();

  function sendAndWait(key: string, payload: Payload): void {
    const timer = setTimeout(() => {
      const next = waiting.get(key)?.payload ?? null;
      waiting.delete(key);
      if (next !== null) sendAndWait(key, next);
    }, intervalMs).unref();
    waiting.set(key, { payload: null, timer });
    send(payload);
  }

  return {
    add(key: string, payload: Payload): void {
      const before = waiting.get(key);
      if (before) before.payload = payload;
      else sendAndWait(key, payload);
    },
    close(): void {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

type ListPayload = Parameters<ServerToClientEvents['dhkp:changed']>[0];

/** The state of a batch on the wire: a batch that is being put back is being worked on. */
export const wireState = (state: BatchRecord['state']): BatchProgress['state'] =>
  state === 'reverting' ? 'applying' : state;

/** The events of the office's list, to admins alone (R-DHKP-15). */
export function createDhkpEvents({ toAdmins }: Pick<Publish, 'toAdmins'>) {
  const batches = createJoinedEvents<BatchProgress>(BATCH_INTERVAL_MS, (payload) => toAdmins('dhkp:batch', payload));
  const lists = createJoinedEvents<ListPayload>(LIST_INTERVAL_MS, (payload) => toAdmins('dhkp:changed', payload));
  return {
    report: ({ id, state, doneRows, totalRows }: Pick<BatchRecord, 'id' | 'state' | 'doneRows' | 'totalRows'>): void =>
      batches.add(id, { id, state: wireState(state), done: Math.max(0, doneRows), total: totalRows }),
    listChanged: (year: number): void => lists.add(String(year), { year }),
    close(): void {
      batches.close();
      lists.close();
    },
  };
}
export type DhkpEvents = ReturnType<typeof createDhkpEvents>;
export type ReportProgress = DhkpEvents['report'];
