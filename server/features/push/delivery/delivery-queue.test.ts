import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/durations.ts';
import { createDeliveryQueue, type Job, type JobKey, QUEUE_LIMITS, type QueueLimits } from './delivery-queue.ts';

const FCM = 'https://fcm.example';
const MOZILLA = 'https://mozilla.example';

/** Without chance: every backoff has its middle length. */
function openQueue(limits: Partial<QueueLimits> = {}) {
  let nowMs = 0;
  const queue = createDeliveryQueue(
    () => nowMs,
    () => 0.5,
    { ...QUEUE_LIMITS, ...limits },
  );
  return {
    queue,
    advance: (ms: number) => void (nowMs += ms),
    add: (name: string, origin = FCM) => queue.add(keyOf(name), origin),
    /** Everything that may be sent now, by name. */
    takeAll: (): string[] => {
      const names: string[] = [];
      for (let job = queue.take(); job; job = queue.take()) names.push(job.sessionId);
      return names;
    },
    take: (): Job => {
      const job = queue.take();
      if (!job) throw new Error('nothing is due');
      return job;
    },
  };
}
const keyOf = (sessionId: string): JobKey => ({ sessionId, userId: 'budi', side: 'user' });
const accepted = { hasAnswered: true, isAccepted: true };

describe('the queue of pushes', () => {
  it('keeps the order, holds each conversation of a device once, and sends again what changed meanwhile', () => {
    const { queue, add, take, takeAll } = openQueue();
    for (const name of ['a', 'b', 'a']) expect(add(name)).toBe(true);
    expect(queue.size()).toBe(2);
    const first = take();
    expect(first.sessionId).toBe('a');
    // A newer message, while the older one is on its way.
    add('a');
    queue.finish(first, accepted);
    expect(takeAll()).toEqual(['b', 'a']);
  });

  it('refuses more than its bounds, also for each push service, and lets push services take turns', () => {
    const { queue, add, takeAll } = openQueue({ jobsMax: 5, jobsPerOriginMax: 3, runningPerOriginMax: 2 });
    expect(['a', 'b', 'c', 'd'].map((name) => add(name))).toEqual([true, true, true, false]);
    expect(['x', 'y', 'z'].map((name) => add(name, MOZILLA))).toEqual([true, true, false]);
    // A job that is there learns of a change even when the queue is full.
    expect(add('a')).toBe(true);
    expect(queue.hasRoom()).toBe(false);
    expect(takeAll()).toEqual(['a', 'x', 'b', 'y']);
  });

  it('offers 10,000 places, 8,000 of them for a push service', () => {
    const { add } = openQueue();
    const addMany = (count: number, origin: string): number =>
      Array.from({ length: count }, (_, index) => add(`${origin} ${index}`, origin)).filter(Boolean).length;
    expect(addMany(8001, FCM)).toBe(8000);
    expect(addMany(2001, MOZILLA)).toBe(2000);
  });

  it('leaves places for known push services, however many new ones somebody invents', () => {
    const { queue, add, take, takeAll } = openQueue({ runningMax: 4, runningUnprovenMax: 2 });
    add('a');
    queue.finish(take(), accepted);
    for (const index of [1, 2, 3]) add(`invented ${index}`, `https://${index}.example`);
    add('b');
    add('c');
    expect(takeAll()).toEqual(['b', 'invented 1', 'invented 2', 'c']);
  });

  it('waits as long as a busy push service asks, otherwise first less than a minute and then longer each time', () => {
    const { queue, add, advance, take, takeAll } = openQueue();
    add('a');
    queue.retry(take(), 120_000);
    advance(119_999);
    expect(takeAll()).toEqual([]);
    advance(1);
    for (const waitMs of [16_000, 32_000]) {
      queue.retry(take(), null);
      advance(waitMs - 1);
      expect(takeAll()).toEqual([]);
      advance(1);
    }
    queue.finish(take(), accepted);
    add('b');
    queue.retry(take(), null);
    advance(8000);
    expect(takeAll()).toEqual(['b']);
  });

  it('asks a push service that does not answer with one push only, ever less often, and catches up when it answers', () => {
    const { queue, add, advance, take, takeAll } = openQueue();
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    const [a, b, c] = [take(), take(), take()];
    queue.retry(c, null);
    // Two that failed together count as one failure.
    queue.unreachable(b);
    queue.unreachable(a);
    expect(takeAll()).toEqual([]);
    add('other', MOZILLA);
    expect(takeAll()).toEqual(['other']);
    advance(4000);
    const probe = take();
    expect([probe.sessionId, takeAll()]).toEqual(['a', []]);
    queue.unreachable(probe);
    advance(7999);
    expect(takeAll()).toEqual([]);
    for (let failure = 3; failure < 20; failure += 1) {
      advance(5 * MINUTE_MS);
      queue.unreachable(take());
    }
    advance(5 * MINUTE_MS);
    queue.finish(take(), accepted);
    expect(takeAll()).toEqual(['b', 'd', 'c']);
  });

  it('spares a push service that is too busy for several pushes in a row', () => {
    const { queue, add, advance, take, takeAll } = openQueue();
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    for (const job of [take(), take(), take()]) queue.retry(job, null);
    expect(takeAll()).toEqual([]);
    advance(8000);
    expect(takeAll()).toHaveLength(1);
  });

  it('holds what has its time, and releases it earlier when asked', () => {
    const { queue, add, advance, take, takeAll } = openQueue();
    add('a');
    queue.hold(take(), MINUTE_MS);
    advance(MINUTE_MS - 1);
    expect(takeAll()).toEqual([]);
    queue.releaseHeld(({ sessionId }) => sessionId === 'a');
    queue.hold(take(), MINUTE_MS);
    advance(MINUTE_MS);
    expect(takeAll()).toEqual(['a']);
  });

  it('forgets what is dropped, but not what is on its way', () => {
    const { queue, add, take, takeAll } = openQueue();
    add('a');
    add('b');
    const running = take();
    for (const job of queue.jobsOfUser('budi')) queue.drop(job);
    expect(takeAll()).toEqual([]);
    expect(queue.hasJobsOfSession('a')).toBe(true);
    queue.finish(running, { hasAnswered: false });
    expect([queue.size(), queue.jobsOfUser('budi'), queue.hasJobsOfSession('a')]).toEqual([0, [], false]);
  });
});
