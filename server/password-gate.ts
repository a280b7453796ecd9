import { serverBusy } from './http/errors.ts';

/** How a caller waits for its turn. */
export type GateOptions = {
  /** Aborted when the caller has hung up and would not read the answer. */
  signal?: AbortSignal | undefined;
  /** Goes before all others that wait, and takes the place of one of them when the queue is full. */
  isPreferred?: boolean;
};

type Waiting = { start: () => void; refuse: () => void; isPreferred: boolean };

/**
 * Runs a bounded number of tasks at once and lets a bounded number of others wait. Password hashes run in libuv's pool of
 * four threads, which also reads files and compresses answers: without a bound, a flood of logins would hold up all three.
 */
export function createGate({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
  let running = 0;
  /** Preferred callers first, otherwise in the order of arrival. */
  const queue: Waiting[] = [];

  function remove(waiting: Waiting): void {
    const index = queue.indexOf(waiting);
    if (index >= 0) queue.splice(index, 1);
  }

  /** @throws 503 when the queue is full, or when the caller hung up while it waited */
  async function waitForTurn({ signal, isPreferred = false }: GateOptions): Promise<void> {
    if (signal?.aborted) throw serverBusy();
    if (running < maxRunning) {
      running += 1;
      return;
    }
    if (queue.length >= maxWaiting) {
      const last = queue.at(-1);
      if (!isPreferred || !last || last.isPreferred) throw serverBusy();
      remove(last);
      last.refuse();
    }
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { start: turn.resolve, refuse: () => turn.reject(serverBusy()), isPreferred };
    const firstOther = isPreferred ? queue.findIndex((other) => !other.isPreferred) : -1;
    queue.splice(firstOther < 0 ? queue.length : firstOther, 0, waiting);
    const hangUp = (): void => {
      remove(waiting);
      waiting.refuse();
    };
    signal?.addEventListener('abort', hangUp);
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener('abort', hangUp);
    }
  }

  /** The place of a task that has ended goes to the first task that waits, so no newer one comes before it. */
  function leave(): void {
    const next = queue.shift();
    if (next) next.start();
    else running -= 1;
  }

  return async function runInTurn<T>(task: () => Promise<T>, options: GateOptions = {}): Promise<T> {
    await waitForTurn(options);
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
