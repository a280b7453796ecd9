import { createFairQueue } from '../db/fair-queue.ts';
import { serverBusy } from '../http/errors.ts';

/** The line in which a caller waits, and for how long. */
export type GateOptions = {
  /** Its address, or its account. They take turns, and where a line is full, the one with most makes room for others. */
  holder: string;
  /** Aborted when the caller has hung up and would not read the answer. */
  signal?: AbortSignal | undefined;
  /** Waits in a line apart, which has every second turn. */
  isPreferred?: boolean;
};

type Waiting = { start: () => void; refuse: () => void };

/**
 * Runs a bounded number of tasks at once and lets a bounded number of others wait. Password hashes run in libuv's pool of
 * four threads, which also reads files and compresses answers: without a bound, a flood of logins would hold up all three.
 * @param maxWaiting of preferred callers, and of all others
 */
export function createGate({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
  let running = 0;
  /** Accounts are free, so preferred callers may be a flood too: neither line keeps the other one waiting. */
  const [preferred, others] = [createFairQueue<Waiting>(), createFairQueue<Waiting>()];
  let isTurnOfOthers = false;

  /** @throws 503 when its line is full, when another one needs its place more, or when it hung up while it waited */
  async function waitForTurn({ holder, signal, isPreferred = false }: GateOptions): Promise<void> {
    if (signal?.aborted) throw serverBusy();
    if (running < maxRunning) {
      running += 1;
      return;
    }
    const line = isPreferred ? preferred : others;
    if (line.size() >= maxWaiting) {
      const crowding = line.takeFromCrowd(holder);
      if (!crowding) throw serverBusy();
      crowding.refuse();
    }
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { start: turn.resolve, refuse: () => turn.reject(serverBusy()) };
    line.push(holder, waiting);
    const hangUp = (): void => {
      line.remove(holder, waiting);
      waiting.refuse();
    };
    signal?.addEventListener('abort', hangUp);
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener('abort', hangUp);
    }
  }

  /** The place of a task that has ended goes to one that waits, so no newer one comes before it. */
  function leave(): void {
    const next = isTurnOfOthers ? (others.take() ?? preferred.take()) : (preferred.take() ?? others.take());
    isTurnOfOthers = !isTurnOfOthers;
    if (next) next.start();
    else running -= 1;
  }

  return async function runInTurn<T>(task: () => Promise<T>, options: GateOptions): Promise<T> {
    await waitForTurn(options);
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
