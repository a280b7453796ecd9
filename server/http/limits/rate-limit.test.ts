import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { createKeyedQueue, createRateLimit } from './rate-limit.ts';

/** @returns the seconds to wait, or null when the key is below the limit */
function retryAfterSeconds(check: () => void): number | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    return Number(error.headers['retry-after']);
  }
}

describe('createRateLimit', () => {
  it('decides like a count of all events in the last window (property test)', () => {
    const steps = fc.array(
      fc.record({
        key: fc.constantFrom('a', 'b'),
        pauseMs: fc.integer({ min: 0, max: 700 }),
        act: fc.constantFrom('try', 'try', 'try', 'try', 'count', 'reset'),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (list, max) => {
        const windowMs = 1000;
        let now = 0;
        const limit = createRateLimit(max, windowMs, () => now);
        let all: { key: string; at: number }[] = [];
        for (const { key, pauseMs, act } of list) {
          now += pauseMs;
          const inWindow = all.filter((one) => one.key === key && one.at > now - windowMs);
          const allowed = inWindow.length < max;
          // The key may go on once one of the last `max` events has left the window.
          const allowedAt = (inWindow.at(-max)?.at ?? 0) + windowMs;
          const expected = allowed ? null : Math.max(1, Math.ceil((allowedAt - now) / 1000));
          expect(retryAfterSeconds(() => limit.check(key))).toBe(expected);
          if (act === 'reset') {
            limit.reset(key);
            all = all.filter((one) => one.key !== key);
          } else if (act === 'count' || allowed) {
            limit.count(key);
            all.push({ key, at: now });
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('allows the key again after the reported waiting time', () => {
    let now = 0;
    const limit = createRateLimit(2, 10_000, () => now);
    limit.count('a');
    now = 2500;
    limit.count('a');
    now = 2600;
    expect(retryAfterSeconds(() => limit.check('a'))).toBe(8);
    now += 8000;
    expect(retryAfterSeconds(() => limit.check('a'))).toBeNull();
  });

  it('stores a bounded number of keys and evicts the least recently used one first', () => {
    const limit = createRateLimit(1, 1000, () => 0, 100);
    limit.count('early');
    limit.count('busy');
    for (let key = 0; key < 98; key += 1) limit.count(String(key));
    limit.count('busy');
    for (let key = 98; key < 150; key += 1) limit.count(String(key));
    expect(limit.size()).toBe(100);
    expect(retryAfterSeconds(() => limit.check('early'))).toBeNull();
    expect(retryAfterSeconds(() => limit.check('busy'))).toBe(1);
  });

  it('stores no more times of a key than it needs', () => {
    const limit = createRateLimit(3, 60_000, () => 0);
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 20_000; round += 1) limit.count('a');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
    expect(retryAfterSeconds(() => limit.check('a'))).toBe(60);
  });
});

describe('createKeyedQueue', () => {
  it('runs the tasks of one key in order, and tasks of other keys at once', async () => {
    const enqueue = createKeyedQueue();
    const log: string[] = [];
    const release = Promise.withResolvers<void>();
    const first = enqueue('a', async () => {
      log.push('a1 starts');
      await release.promise;
      log.push('a1 ends');
      return 1;
    });
    const second = enqueue('a', async () => {
      log.push('a2');
      return 2;
    });
    expect(await enqueue('b', async () => log.push('b'))).toBe(2);
    release.resolve();
    expect(await Promise.all([first, second])).toEqual([1, 2]);
    expect(log).toEqual(['a1 starts', 'b', 'a1 ends', 'a2']);
  });

  it('answers 503 to a task of a key for which too many wait, and takes the next one again', async () => {
    const enqueue = createKeyedQueue(2);
    const release = Promise.withResolvers<void>();
    const first = enqueue('a', () => release.promise);
    const second = enqueue('a', async () => 'second');
    await expect(enqueue('a', async () => 'third')).rejects.toMatchObject({ status: 503 });
    expect(await enqueue('b', async () => 'other')).toBe('other');
    release.resolve();
    await Promise.all([first, second]);
    expect(await enqueue('a', async () => 'again')).toBe('again');
  });

  it('runs the next task after one that fails', async () => {
    const enqueue = createKeyedQueue();
    const failing = enqueue('a', () => Promise.reject(new Error('no')));
    const next = enqueue('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await enqueue('a', async () => 'again')).toBe('again');
  });
});
