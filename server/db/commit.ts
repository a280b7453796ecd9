import type { DatabaseHandle, Orm } from './open.ts';

/** Runs a change in a transaction; resolves with its result only after the commit is on disk. */
export type Commit = <T>(change: (tx: Orm) => T) => Promise<T>;

type Job = { change: (tx: Orm) => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** One commit holds the event loop for its whole batch, so a batch stays small. */
const BATCH_MAX_JOBS = 200;
const BATCH_MAX_MS = 15;

/**
 * The one door for writes. Changes that arrive together share one transaction and so one wait for the disk;
 * each runs in a savepoint of its own, so that one's failure takes nothing from its neighbours.
 */
export function createCommit({ sqlite, orm }: DatabaseHandle): Commit {
  let queue: Job[] = [];
  let scheduled = false;

  function runBatch(): void {
    scheduled = false;
    const done: { job: Job; value: unknown }[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    const taken: Job[] = [];
    try {
      sqlite
        .transaction(() => {
          const deadline = performance.now() + BATCH_MAX_MS;
          while (queue.length > 0 && taken.length < BATCH_MAX_JOBS && performance.now() < deadline) {
            const job = queue.shift() as Job;
            taken.push(job);
            try {
              done.push({ job, value: orm.transaction((tx) => job.change(tx as unknown as Orm)) });
            } catch (error) {
              // A full disk makes SQLite drop the whole transaction: then nothing of this batch was kept.
              if (!sqlite.inTransaction) throw error;
              failed.push({ job, error });
            }
          }
        })
        .immediate();
      for (const { job, value } of done) job.resolve(value);
    } catch (error) {
      if (taken.length === 0) taken.push(...queue.splice(0));
      const ownFault = new Set(failed.map(({ job }) => job));
      for (const job of taken) if (!ownFault.has(job)) job.reject(error);
    }
    for (const { job, error } of failed) job.reject(error);
    schedule();
  }

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(runBatch);
  }

  return <T>(change: (tx: Orm) => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ change, resolve: resolve as (value: unknown) => void, reject });
      schedule();
    });
}
