import type { DatabaseHandle, Transaction } from './open.ts';

/** Runs a change in a transaction; resolves with its result only after the commit is on disk. */
export type Write = <T>(change: (tx: Transaction) => T) => Promise<T>;

/** Hears of every batch: how long the event loop was held for it (milliseconds) and how many changes it took. */
export type WriteQueueObserver = { committed: (ms: number, jobs: number) => void };

type Job = {
  change: (tx: Transaction) => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};
type Batch = { attempted: Job[]; succeeded: { job: Job; value: unknown }[]; failed: { job: Job; error: unknown }[] };

/** One commit holds the event loop for its whole batch, so a batch stays small. */
const BATCH_MAX_JOBS = 200;
const BATCH_MAX_MS = 15;
/** While changes keep coming in, those that are here wait so long for the others: one wait for the disk serves all. */
const BATCH_WAIT_MAX_MS = 1.5;

/**
 * The one door for writes. Changes that arrive together share one transaction and so one wait for the disk;
 * each runs in a savepoint of its own, so that one's failure takes nothing from its neighbours.
 */
export function createWriteQueue({ sqlite, orm }: DatabaseHandle, observer?: WriteQueueObserver): Write {
  let queue: Job[] = [];
  let isScheduled = false;
  /** How long the queue was at the last look, and when it was first looked at. */
  let lastQueueLength = 0;
  let pollingSince = 0;

  const savepoint = sqlite.prepare('savepoint job');
  const release = sqlite.prepare('release job');
  const rollback = sqlite.prepare('rollback to job');

  function runJob(tx: Transaction, job: Job, batch: Batch): void {
    batch.attempted.push(job);
    savepoint.run();
    try {
      const value = job.change(tx);
      // What it still had to do would land in somebody else's transaction.
      if (value instanceof Promise) throw new TypeError('a change cannot wait: its transaction ends before it does');
      release.run();
      batch.succeeded.push({ job, value });
    } catch (error) {
      // A full disk makes SQLite drop the whole transaction: then nothing of this batch was kept.
      if (!sqlite.inTransaction) throw error;
      rollback.run();
      release.run();
      batch.failed.push({ job, error });
    }
  }

  function runJobs(tx: Transaction, batch: Batch): void {
    const deadline = performance.now() + BATCH_MAX_MS;
    while (batch.attempted.length < BATCH_MAX_JOBS && performance.now() < deadline) {
      const job = queue.shift();
      if (!job) return;
      runJob(tx, job, batch);
    }
  }

  function runBatch(): void {
    const batch: Batch = { attempted: [], succeeded: [], failed: [] };
    const startedAt = performance.now();
    try {
      orm.transaction((tx) => runJobs(tx, batch), { behavior: 'immediate' });
      observer?.committed(performance.now() - startedAt, batch.attempted.length);
      for (const { job, value } of batch.succeeded) job.resolve(value);
    } catch (error) {
      if (batch.attempted.length === 0) batch.attempted.push(...queue.splice(0));
      const failedJobs = new Set(batch.failed.map(({ job }) => job));
      for (const job of batch.attempted) if (!failedJobs.has(job)) job.reject(error);
    }
    for (const { job, error } of batch.failed) job.reject(error);
    isScheduled = false;
    schedule();
  }

  /** Between two looks the event loop has read whatever had arrived; when that brought nothing more, it is time. */
  function poll(): void {
    const now = performance.now();
    if (lastQueueLength === 0) pollingSince = now;
    const isGrowing = queue.length > lastQueueLength && queue.length < BATCH_MAX_JOBS;
    lastQueueLength = queue.length;
    if (isGrowing && now - pollingSince < BATCH_WAIT_MAX_MS) setImmediate(poll);
    else runBatch();
  }

  function schedule(): void {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    lastQueueLength = 0;
    setImmediate(poll);
  }

  return <T>(change: (tx: Transaction) => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ change, resolve: resolve as (value: unknown) => void, reject });
      schedule();
    });
}
