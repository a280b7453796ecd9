import { serverBusy, tooMany } from '../errors.ts';

/** Beyond this number of keys the least recently used one is evicted, so that memory stays bounded. */
const KEYS_MAX = 50_000;

/**
 * A rate limit per key with a sliding window (docs/requirements.md R-API-13).
 * @param max how many events the window allows
 * @param monotonicNow not the clock of the computer: one that is put right would lock or open a key for days
 */
export function createRateLimit(max: number, windowMs: number, monotonicNow: () => number, keysMax = KEYS_MAX) {
  /** Per key the newest `max` times, oldest first; older ones cannot change the result. */
  const timesByKey = new Map<string, number[]>();

  const recent = (key: string): number[] => {
    const since = monotonicNow() - windowMs;
    return (timesByKey.get(key) ?? []).filter((at) => at > since);
  };

  return {
    /** Whether any event of the key counts. */
    has: (key: string): boolean => recent(key).length > 0,
    isReached: (key: string): boolean => recent(key).length >= max,
    /** @throws 429 when the key has reached the limit */
    check(key: string): void {
      const times = recent(key);
      const [oldest] = times;
      if (times.length < max || oldest === undefined) return;
      throw tooMany(Math.max(1, Math.ceil((oldest + windowMs - monotonicNow()) / 1000)));
    },
    /** Counts one event of the key. @returns its time, for `takeBack` */
    count(key: string): number {
      const at = monotonicNow();
      const times = [...recent(key), at].slice(-max);
      // Moved to the end of the map: the first key is always the least recently used one.
      timesByKey.delete(key);
      timesByKey.set(key, times);
      const leastRecentKey = timesByKey.size > keysMax ? timesByKey.keys().next().value : undefined;
      if (leastRecentKey !== undefined) timesByKey.delete(leastRecentKey);
      return at;
    },
    /** Takes one event of the key back. @param at what `count` returned; the newest one without it */
    takeBack(key: string, at = recent(key).at(-1)): void {
      const times = recent(key);
      const index = at === undefined ? -1 : times.indexOf(at);
      if (index >= 0) timesByKey.set(key, times.toSpliced(index, 1));
    },
    /** Deletes the count of the key. */
    reset(key: string): void {
      timesByKey.delete(key);
    },
    /** The number of stored keys. */
    size: (): number => timesByKey.size,
  };
}

/**
 * Runs the tasks of one key one after the other; tasks of other keys do not wait for them.
 * @param max how many tasks of one key may wait or run; the next one gets 503
 */
export function createKeyedQueue(max = Number.POSITIVE_INFINITY) {
  type Line = { tail: Promise<unknown>; length: number };
  const lines = new Map<string, Line>();
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const line: Line = lines.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (line.length >= max) throw serverBusy();
    const result = line.tail.then(task);
    line.tail = result.catch(() => undefined);
    line.length += 1;
    lines.set(key, line);
    try {
      return await result;
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}
