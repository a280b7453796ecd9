import { afterEach, expect, it, vi } from 'vitest';
import type { OfficeState } from '#shared/api/office/office.ts';
import { createOfficeClock } from './office-clock.ts';

afterEach(() => void vi.useRealTimers());

function buildClock() {
  vi.useFakeTimers();
  let [now, status]: [number, OfficeState] = [0, { open: true, until: null, opens_at: null, user_years: [2025] }];
  const published: OfficeState[] = [];
  const errors: unknown[] = [];
  let reads = 0;
  const clock = createOfficeClock({
    readStatus: async () => {
      reads += 1;
      if (status.opens_at === 'broken') throw new Error('the database does not answer');
      return status;
    },
    now: () => now,
    publish: (next) => published.push(next),
    onError: (error) => errors.push(error),
  });
  return {
    clock,
    published,
    errors,
    countReads: () => reads,
    set: (nowMs: number, next: OfficeState) => {
      [now, status] = [nowMs, next];
    },
  };
}
const closed: OfficeState = {
  open: false,
  until: null,
  opens_at: new Date(3_600_000).toISOString(),
  user_years: [2025],
};

it('publishes nothing at the start, and a change within 15 seconds after somebody set the clock', async () => {
  const { clock, published, set } = buildClock();
  await clock.check();
  set(40_000_000, closed);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(published).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(published).toEqual([closed]);
  await clock.close();
});

it('looks at the right moment, and not in a busy loop when a clock stands still', async () => {
  const { clock, published, set, countReads } = buildClock();
  set(0, { ...closed, opens_at: new Date(5000).toISOString() });
  await clock.check();
  set(5000, { open: true, until: new Date(5000).toISOString(), opens_at: null, user_years: [2025] });
  await vi.advanceTimersByTimeAsync(4999);
  expect(published).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(published).toHaveLength(1);
  const before = countReads();
  await vi.advanceTimersByTimeAsync(1000);
  expect(countReads() - before).toBeLessThanOrEqual(50);
  await clock.close();
  expect(vi.getTimerCount()).toBe(0);
});

it('goes on after an error', async () => {
  const { clock, published, errors, set } = buildClock();
  await clock.check();
  set(0, { ...closed, opens_at: 'broken' });
  await vi.advanceTimersByTimeAsync(15_000);
  set(0, closed);
  await vi.advanceTimersByTimeAsync(15_000);
  expect([errors.length, published]).toEqual([1, [closed]]);
  await clock.close();
});

it('closes once the look that is running has ended, and looks no more after it', async () => {
  const { promise, resolve } = Promise.withResolvers<OfficeState>();
  let reads = 0;
  const clock = createOfficeClock({
    readStatus: () => {
      reads += 1;
      return promise;
    },
    now: () => 0,
    publish: () => undefined,
    onError: () => undefined,
  });
  const ended: string[] = [];
  void clock.check().then(() => ended.push('look'));
  const closing = clock.close().then(() => ended.push('close'));
  resolve(closed);
  await closing;
  await clock.check();
  expect(ended).toEqual(['look', 'close']);
  expect(reads).toBe(1);
});
