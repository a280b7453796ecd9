import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ListenerTask, LoadResult, TaskControl } from './load-process.ts';
import { EVENT, openRawSocket } from './raw-socket.ts';

const CONNECT_CONCURRENCY = 50;

/**
 * Opens sockets that send nothing, until the parent stops the load.
 * @returns the number that is still open; `outcomes` has for each event the fewest and the most that one socket got
 */
export async function listen({ stopSignal, reportReady }: TaskControl, task: ListenerTask): Promise<LoadResult> {
  const from = performance.now();
  const sockets: Socket[] = [];
  const counts: Map<string, number>[] = [];
  const open = async (token: string): Promise<void> => {
    const events = new Map<string, number>();
    counts.push(events);
    const onText = (frame: Buffer): void => {
      const name = frame.toString('latin1', EVENT.length, frame.indexOf('"', EVENT.length));
      events.set(name, (events.get(name) ?? 0) + 1);
    };
    sockets.push(await openRawSocket(task.url, { auth: { token, unread_changes: true }, onText }));
  };
  for (let first = 0; first < task.listeners.length; first += CONNECT_CONCURRENCY) {
    const next = task.listeners.slice(first, first + CONNECT_CONCURRENCY);
    await Promise.all(next.map(({ token }) => open(token)));
  }
  reportReady();
  if (!stopSignal.aborted) await once(stopSignal, 'abort');
  const count = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.destroy();
  const outcomes: Record<string, number> = {};
  for (const name of new Set(counts.flatMap((events) => [...events.keys()]))) {
    const each = counts.map((events) => events.get(name) ?? 0);
    Object.assign(outcomes, { [`${name}, fewest`]: Math.min(...each), [`${name}, most`]: Math.max(...each) });
  }
  return { count, times: [], seconds: (performance.now() - from) / 1000, outcomes };
}
