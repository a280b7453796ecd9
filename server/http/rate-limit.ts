import { tooMany } from './errors.ts';

/** At most this many keys are remembered; beyond it the oldest are forgotten first, so that memory stays bounded. */
const KEYS_MAX = 50_000;

/**
 * Counts what happened per key in a sliding window; the heart of every limit (contract 2: 429).
 * @param max happenings allowed in the window
 * @param windowMs length of the window
 */
export function createWindowLimit(max: number, windowMs: number, now: () => number, keysMax = KEYS_MAX) {
  /** Per key the newest `max` instants, oldest first: more are never needed to decide. */
  const timesByKey = new Map<string, number[]>();

  const recent = (key: string): number[] => {
    const since = now() - windowMs;
    return (timesByKey.get(key) ?? []).filter((at) => at > since);
  };

  return {
    /** @throws 429 when the key has used up its window */
    check(key: string): void {
      const times = recent(key);
      const [oldest] = times;
      if (times.length < max || oldest === undefined) return;
      throw tooMany(Math.max(1, Math.ceil((oldest + windowMs - now()) / 1000)));
    },
    /** Counts one now. */
    count(key: string): void {
      const times = [...recent(key), now()].slice(-max);
      // Put back at the end, so that the first key is always the one that was quiet longest.
      timesByKey.delete(key);
      timesByKey.set(key, times);
      const leastRecentKey = timesByKey.size > keysMax ? timesByKey.keys().next().value : undefined;
      if (leastRecentKey !== undefined) timesByKey.delete(leastRecentKey);
    },
    forget(key: string): void {
      timesByKey.delete(key);
    },
    /** How many keys are remembered. */
    size: (): number => timesByKey.size,
  };
}
export type WindowLimit = ReturnType<typeof createWindowLimit>;

/** Runs the tasks of one key one after the other, in the order in which they came; other keys are not held up. */
export function createKeyedQueue() {
  const tails = new Map<string, Promise<unknown>>();
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task);
    const tail = result.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
