import { tooMany } from './errors.ts';

/** Beyond this number of keys the least recently used one is evicted, so that memory stays bounded. */
const KEYS_MAX = 50_000;

/**
 * A rate limit per key with a sliding window (docs/requirements.md R-API-13).
 * @param max how many events the window allows
 */
export function createRateLimit(max: number, windowMs: number, now: () => number, keysMax = KEYS_MAX) {
  /** Per key the newest `max` times, oldest first; older ones cannot change the result. */
  const timesByKey = new Map<string, number[]>();

  const recent = (key: string): number[] => {
    const since = now() - windowMs;
    return (timesByKey.get(key) ?? []).filter((at) => at > since);
  };

  return {
    /** @throws 429 when the key has reached the limit */
    check(key: string): void {
      const times = recent(key);
      const [oldest] = times;
      if (times.length < max || oldest === undefined) return;
      throw tooMany(Math.max(1, Math.ceil((oldest + windowMs - now()) / 1000)));
    },
    /** Counts one event of the key. */
    count(key: string): void {
      const times = [...recent(key), now()].slice(-max);
      // Moved to the end of the map: the first key is always the least recently used one.
      timesByKey.delete(key);
      timesByKey.set(key, times);
      const leastRecentKey = timesByKey.size > keysMax ? timesByKey.keys().next().value : undefined;
      if (leastRecentKey !== undefined) timesByKey.delete(leastRecentKey);
    },
    /** Deletes the count of the key. */
    reset(key: string): void {
      timesByKey.delete(key);
    },
    /** The number of stored keys. */
    size: (): number => timesByKey.size,
  };
}

/** Runs the tasks of one key one after the other; tasks of other keys do not wait for them. */
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
