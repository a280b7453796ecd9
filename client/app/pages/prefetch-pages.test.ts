import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setServerReachable } from '#client/lib/api/server-reachability.ts';
import { prefetchPages } from './prefetch-pages.ts';

const WELL_LATER_MS = 30_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  setServerReachable(true);
});

it('loads the other pages one after the other, well after the opened one', async () => {
  const running: (() => void)[] = [];
  const load = vi.fn(() => new Promise<void>((resolve) => running.push(resolve)));
  prefetchPages([load, load]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(WELL_LATER_MS);
  expect(load).toHaveBeenCalledTimes(1);
  running[0]?.();
  await vi.advanceTimersByTimeAsync(WELL_LATER_MS);
  expect(load).toHaveBeenCalledTimes(2);
});

it('goes on where it stopped when the server answers again', async () => {
  const first = vi.fn(async () => {});
  const second = vi.fn(async () => {}).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  prefetchPages([first, second]);
  await vi.advanceTimersByTimeAsync(WELL_LATER_MS);
  expect(second).toHaveBeenCalledTimes(1);
  setServerReachable(false);
  setServerReachable(true);
  await vi.advanceTimersByTimeAsync(WELL_LATER_MS);
  expect(second).toHaveBeenCalledTimes(2);
  expect(first).toHaveBeenCalledTimes(1);
});

it.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'loads nothing in advance for a connection with %j',
  async (connection) => {
    vi.stubGlobal('navigator', { connection });
    const load = vi.fn(async () => {});
    prefetchPages([load]);
    await vi.advanceTimersByTimeAsync(WELL_LATER_MS);
    expect(load).not.toHaveBeenCalled();
  },
);
