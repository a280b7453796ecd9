import { expect, it } from 'vitest';
import { createMonotonicClock } from './monotonic-clock.ts';

it('counts the time for which the computer slept, and never runs back', () => {
  let runningMs = 1000;
  let uptimeMs = 500_000;
  const now = createMonotonicClock(
    () => runningMs,
    () => uptimeMs,
  );
  const start = now();
  const pass = (running: number, asleep = 0): number => {
    runningMs += running;
    uptimeMs += running + asleep;
    return now() - start;
  };
  expect(pass(60_000)).toBe(60_000);
  // Eight hours asleep; noticed when the uptime is read again.
  expect(pass(30_000, 8 * 3_600_000)).toBe(90_000 + 8 * 3_600_000);
  expect(pass(60_000, -50)).toBe(150_000 + 8 * 3_600_000);
});
