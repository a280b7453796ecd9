import { setTimeout as pause } from 'node:timers/promises';

/** Beyond this number refusals are answered at once: each one that waits keeps its request in memory. */
const WAITING_MAX = 1000;

/**
 * Delays the answer to a caller that sends too much. Most such callers send their next request when the last one is
 * answered, so a refusal at once would only let them send more.
 * @param delayMs 0: never
 */
export function createRefusalDelay(delayMs: number): () => Promise<void> {
  let waiting = 0;
  return async () => {
    if (delayMs === 0 || waiting >= WAITING_MAX) return;
    waiting += 1;
    await pause(delayMs);
    waiting -= 1;
  };
}
