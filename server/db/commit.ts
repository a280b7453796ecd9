import type { DatabaseHandle, Orm } from './open.ts';

/** Runs a change in a transaction; resolves with its result only after the commit is on disk. */
export type Commit = <T>(change: (tx: Orm) => T) => Promise<T>;

/** Hears of every batch: how long the event loop was held for it (milliseconds) and how many changes it took. */
export type CommitObserver = { committed: (ms: number, jobs: number) => void };

type Job = { change: (tx: Orm) => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };
type Batch = { taken: Job[]; done: { job: Job; value: unknown }[]; failed: { job: Job; error: unknown }[] };

/** One commit holds the event loop for its whole batch, so a batch stays small. */
const BATCH_MAX_JOBS = 200;
const BATCH_MAX_MS = 15;
/** While changes keep coming in, those that are here wait so long for the others: one wait for the disk serves all. */
const GATHER_MAX_MS = 1.5;

/**
 * The one door for writes. Changes that arrive together share one transaction and so one wait for the disk;
 * each runs in a savepoint of its own, so that one's failure takes nothing from its neighbours.
 */
export function createCommit({ sqlite, orm }: DatabaseHandle, observer?: CommitObserver): Commit {
  let queue: Job[] = [];
  let isScheduled = false;
  /** How long the queue was at the last look, and when it was first looked at. */
  let seen = 0;
  let gatheringSince = 0;

  const savepoint = sqlite.prepare('savepoint job');
  const release = sqlite.prepare('release job');
  const undo = sqlite.prepare('rollback to job');

  function runJob(job: Job, batch: Batch): void {
    batch.taken.push(job);
    savepoint.run();
    try {
      const value = job.change(orm);
      // What it still had to do would land in somebody else's transaction.
      if (value instanceof Promise) throw new TypeError('a change cannot wait: its transaction ends before it does');
      release.run();
      batch.done.push({ job, value });
    } catch (error) {
      // A full disk makes SQLite drop the whole transaction: then nothing of this batch was kept.
      if (!sqlite.inTransaction) throw error;
      undo.run();
      release.run();
      batch.failed.push({ job, error });
    }
  }

  const runJobs = sqlite.transaction((batch: Batch): void => {
    const deadline = performance.now() + BATCH_MAX_MS;
    while (queue.length > 0 && batch.taken.length < BATCH_MAX_JOBS && performance.now() < deadline) {
      runJob(queue.shift() as Job, batch);
    }
  });

  function runBatch(): void {
    const batch: Batch = { taken: [], done: [], failed: [] };
    const startedAt = performance.now();
    try {
      runJobs.immediate(batch);
      observer?.committed(performance.now() - startedAt, batch.taken.length);
      for (const { job, value } of batch.done) job.resolve(value);
    } catch (error) {
      if (batch.taken.length === 0) batch.taken.push(...queue.splice(0));
      const ownFault = new Set(batch.failed.map(({ job }) => job));
      for (const job of batch.taken) if (!ownFault.has(job)) job.reject(error);
    }
    for (const { job, error } of batch.failed) job.reject(error);
    isScheduled = false;
    schedule();
  }

  /** Between two looks the event loop has read whatever had arrived; when that brought nothing more, it is time. */
  function look(): void {
    const now = performance.now();
    if (seen === 0) gatheringSince = now;
    const isGrowing = queue.length > seen && queue.length < BATCH_MAX_JOBS;
    seen = queue.length;
    if (isGrowing && now - gatheringSince < GATHER_MAX_MS) setImmediate(look);
    else runBatch();
  }

  function schedule(): void {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    seen = 0;
    setImmediate(look);
  }

  return <T>(change: (tx: Orm) => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ change, resolve: resolve as (value: unknown) => void, reject });
      schedule();
    });
}
