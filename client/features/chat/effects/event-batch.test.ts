import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEventBatch } from './event-batch.ts';

let batch: ReturnType<typeof createEventBatch>;
let applied: number[] = [];
const run = (from: number, to: number) => {
  for (let number = from; number <= to; number += 1) batch.run(() => applied.push(number));
};

beforeEach(() => {
  vi.useFakeTimers();
  applied = [];
  batch = createEventBatch();
});
afterEach(() => batch.stop());

it('applies few events at once', async () => {
  for (let second = 0; second < 5; second += 1) {
    run(second * 20, second * 20 + 19);
    expect(applied).toHaveLength((second + 1) * 20);
    await vi.advanceTimersByTimeAsync(1000);
  }
});

it('applies many events together, in order, until they become few again', async () => {
  run(1, 100);
  expect(applied).toHaveLength(31);
  await vi.advanceTimersByTimeAsync(100);
  expect(applied).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  run(101, 120);
  expect(applied).toHaveLength(100);
  await vi.advanceTimersByTimeAsync(100);
  expect(applied).toHaveLength(120);
  // A tenth of a second without any ends it.
  await vi.advanceTimersByTimeAsync(1000);
  run(121, 121);
  expect(applied.at(-1)).toBe(121);
});

it('applies everything at once in a hidden page, and before what has to come after it', () => {
  run(1, 40);
  batch.flush();
  expect(applied).toHaveLength(40);
  run(41, 45);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  run(46, 46);
  expect(applied).toHaveLength(46);
  expect(applied).toEqual(applied.toSorted((a, b) => a - b));
});

it('goes on after an event that failed', async () => {
  run(1, 40);
  batch.run(() => {
    throw new Error('failed');
  });
  run(41, 42);
  expect(() => vi.advanceTimersByTime(100)).toThrow('failed');
  await vi.advanceTimersByTimeAsync(100);
  expect(applied).toHaveLength(42);
});
