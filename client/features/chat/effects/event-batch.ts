/** More events than this in a second are no conversation any more: nobody reads them one by one. */
const SINGLE_EVENTS_PER_SECOND = 30;
const SECOND_MS = 1000;
const BATCH_INTERVAL_MS = 100;

/**
 * Applies events at once while they are few. While they are many, all of a tenth of a second together: each event that is
 * applied alone draws the page once more, and the keys of an admin would wait for that.
 */
export function createEventBatch() {
  const waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let secondStartedAtMs = Number.NEGATIVE_INFINITY;
  let countInSecond = 0;

  function applyWaiting(): void {
    for (let apply = waiting.shift(); apply !== undefined; apply = waiting.shift()) apply();
  }

  function applyBatch(): void {
    timer = undefined;
    const hadEvents = waiting.length > 0;
    // The next batch comes also when an event of this one fails.
    if (hadEvents) timer = setTimeout(applyBatch, BATCH_INTERVAL_MS);
    applyWaiting();
  }

  return {
    /** Applies an event now or with the next batch, always in the order of the calls. */
    run(apply: () => void): void {
      // The timers of a hidden page are slow, and nothing of it is drawn.
      if (timer !== undefined && document.visibilityState === 'visible') {
        waiting.push(apply);
        return;
      }
      applyWaiting();
      const nowMs = performance.now();
      if (nowMs - secondStartedAtMs >= SECOND_MS) {
        secondStartedAtMs = nowMs;
        countInSecond = 0;
      }
      countInSecond += 1;
      if (countInSecond > SINGLE_EVENTS_PER_SECOND) timer ??= setTimeout(applyBatch, BATCH_INTERVAL_MS);
      apply();
    },
    /** Applies what waits, before something that has to come after it. */
    flush: applyWaiting,
    stop(): void {
      clearTimeout(timer);
      waiting.length = 0;
    },
  };
}
