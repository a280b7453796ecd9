import { uptime } from 'node:os';

/** The interval at which the computer's uptime is read; on Linux that is a small file. */
const UPTIME_READ_MS = 30_000;

/**
 * A clock in milliseconds that only runs forward, whatever happens to the clock of the computer. Limits and waiting times are
 * measured with it. `performance.now()` alone stands still on Linux while the computer sleeps; the uptime does not.
 */
export function createMonotonicClock(
  runningMs: () => number = () => performance.now(),
  uptimeMs: () => number = () => uptime() * 1000,
): () => number {
  const offsetMs = uptimeMs() - runningMs();
  let sleptMs = 0;
  let readAt = runningMs();
  return () => {
    const at = runningMs();
    if (at - readAt >= UPTIME_READ_MS) {
      readAt = at;
      sleptMs = Math.max(sleptMs, uptimeMs() - at - offsetMs);
    }
    return at + sleptMs;
  };
}
