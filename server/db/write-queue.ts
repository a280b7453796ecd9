import { errorCode } from '#server/files/atomic.ts';
import type { DatabaseHandle, Transaction } from './open.ts';

/** Runs a change in a transaction and resolves with its result after the commit is on the disk. */
export type Write = <T>(change: (tx: Transaction) => T) => Promise<T>;

/** Called after each batch with the time that it blocked the event loop (milliseconds) and the number of its changes. */
export type WriteQueueObserver = { committed: (ms: number, jobs: number) => void };

type Job = {
  change: (tx: Transaction) => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  queuedAt: number;
};
type Batch = { attempted: Job[]; succeeded: { job: Job; value: unknown }[]; failed: { job: Job; error: unknown }[] };

/** A batch blocks the event loop until its commit, so a batch stays small. */
const BATCH_MAX_JOBS = 200;
const BATCH_MAX_MS = 15;
/** While changes keep arriving, the queue waits at most this long for more, as all share one wait for the disk. */
const BATCH_WAIT_MAX_MS = 1.5;
/** The wait of a change while another program holds the database. Then its caller gets a 503 and may try again. */
const LOCK_WAIT_MAX_MS = 4000;
/** The first tries follow quickly, because most locks last a moment. */
const LOCK_RETRY = { firstMs: 2, maxMs: 50 };

/**
 * The only way to write. Changes that arrive together share one transaction and one wait for the disk. Each change runs in
 * its own savepoint, so that a change that fails does not affect the others. While another program holds the database,
 * changes wait in their order and the event loop stays free for reads.
 */
export function createWriteQueue(
  { sqlite, orm }: DatabaseHandle,
  observer?: WriteQueueObserver,
  lockWaitMaxMs = LOCK_WAIT_MAX_MS,
): Write {
  let queue: Job[] = [];
  let lockRetryMs = LOCK_RETRY.firstMs;
  let isScheduled = false;
  /** The length of the queue at the last poll, and the time of the first poll. */
  let lastQueueLength = 0;
  let pollingSince = 0;

  const savepoint = sqlite.prepare('savepoint job');
  const release = sqlite.prepare('release job');
  const rollback = sqlite.prepare('rollback to job');
  // Waiting for a lock inside SQLite would block the event loop.
  sqlite.pragma('busy_timeout = 0');

  function runJob(tx: Transaction, job: Job, batch: Batch): void {
    batch.attempted.push(job);
    savepoint.run();
    try {
      const value = job.change(tx);
      // The rest of an asynchronous change would run inside another transaction.
      if (value instanceof Promise) throw new TypeError('a change cannot wait: its transaction ends before it does');
      release.run();
      batch.succeeded.push({ job, value });
    } catch (error) {
      // On a full disk SQLite rolls back the whole transaction: then nothing of this batch is stored.
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
      lockRetryMs = LOCK_RETRY.firstMs;
      observer?.committed(performance.now() - startedAt, batch.attempted.length);
      for (const { job, value } of batch.succeeded) job.resolve(value);
    } catch (error) {
      if (batch.attempted.length === 0 && errorCode(error)?.startsWith('SQLITE_BUSY')) return waitForLock(error);
      if (batch.attempted.length === 0) batch.attempted.push(...queue.splice(0));
      const failedJobs = new Set(batch.failed.map(({ job }) => job));
      for (const job of batch.attempted) if (!failedJobs.has(job)) job.reject(error);
    }
    for (const { job, error } of batch.failed) job.reject(error);
    isScheduled = false;
    schedule();
  }

  /** Tries again later, and rejects the changes that have waited too long. */
  function waitForLock(error: unknown): void {
    const since = performance.now() - lockWaitMaxMs;
    const firstYoung = queue.findIndex(({ queuedAt }) => queuedAt > since);
    for (const job of queue.splice(0, firstYoung < 0 ? queue.length : firstYoung)) job.reject(error);
    setTimeout(runBatch, lockRetryMs);
    lockRetryMs = Math.min(2 * lockRetryMs, LOCK_RETRY.maxMs);
  }

  /** Between two polls the event loop reads what has arrived. When no change was added, the batch starts. */
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
      queue.push({ change, resolve: resolve as (value: unknown) => void, reject, queuedAt: performance.now() });
      schedule();
    });
}
