import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { MINUTE_MS } from '#shared/durations.ts';
import { type PushOutcome, type PushRequest, type PushTransport, THREAD_ENDED } from './push.ts';
import { createPushTransport } from './transport.ts';

type Order = { id: number; request: PushRequest };
type Report = { id: number; outcome: PushOutcome };

/**
 * The thread ends after so long without a push, and its memory is free again. Each start takes half a second of a
 * processor, so this is longer than the pauses between pushes to a push service that does not answer.
 */
const IDLE_MS = 10 * MINUTE_MS;
/** The thread of slow queries has the same: while every core is busy, the chat comes first. */
const NICENESS = 5;

const threadEnded = (error: unknown): PushOutcome => ({
  kind: 'unreachable',
  reason: THREAD_ENDED,
  ...(error === undefined ? {} : { error }),
});

/**
 * Sends pushes from a thread of its own, because each costs half a millisecond of encryption, and a dead push service many
 * connections. The thread starts with the first push.
 * @param startWorker starts a thread that calls `servePushes`
 */
export function createPushThread(startWorker: () => Worker): PushTransport {
  const pending = new Map<number, (outcome: PushOutcome) => void>();
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;

  function settle(id: number, outcome: PushOutcome): void {
    const resolve = pending.get(id);
    pending.delete(id);
    resolve?.(outcome);
  }

  function endThread(cause?: unknown): Promise<unknown> {
    clearTimeout(idleTimer);
    const ending = worker;
    worker = null;
    for (const id of pending.keys()) settle(id, threadEnded(cause));
    return ending?.terminate() ?? Promise.resolve();
  }

  function launch(): Worker {
    const started = startWorker();
    started.unref();
    started.on('message', ({ id, outcome }: Report) => {
      settle(id, outcome);
      if (pending.size === 0) idleTimer = setTimeout(() => void endThread(), IDLE_MS).unref();
    });
    const handleEnd = (cause?: unknown): void => {
      if (worker === started) void endThread(cause);
    };
    started.on('error', handleEnd);
    started.on('exit', () => handleEnd());
    return started;
  }

  return {
    send(request) {
      clearTimeout(idleTimer);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        try {
          worker ??= launch();
          worker.postMessage({ id, request } satisfies Order);
          pending.set(id, resolve);
        } catch (error) {
          resolve(threadEnded(error));
        }
      });
    },
    close: async () => {
      await endThread();
    },
  };
}

/** Runs inside the worker thread. */
export function servePushes(): void {
  if (process.platform === 'linux') setPriority(NICENESS);
  const transport = createPushTransport();
  parentPort?.on('message', ({ id, request }: Order) => {
    void transport.send(request).then((outcome) => parentPort?.postMessage({ id, outcome } satisfies Report));
  });
}
