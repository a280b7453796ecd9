/** Resolves when everything that could go on by now has gone on, as far as it waits for nothing but the database. */
const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** A change that is committed, with its result. */
type Committed = { job: { resolve: (value: unknown) => void }; value: unknown };

/**
 * Lets the callers of committed changes go on, that of a change before that of the next one, so that events are published in the
 * order of the changes.
 */
export function createResumedCallers() {
  let running: Promise<void> | null = null;
  return {
    /** Resolves when all have gone on. */
    async resume(committed: readonly Committed[]): Promise<void> {
      let end = (): void => {};
      running = new Promise((resolve) => {
        end = resolve;
      });
      for (const { job, value } of committed) {
        job.resolve(value);
        await tick();
      }
      running = null;
      end();
    },
    /** As `Engine.settled`. */
    settled: (): Promise<void> => running ?? tick(),
  };
}
