import { errorCode } from '#server/files/atomic.ts';
import type { CommitObserver } from '../database.ts';
import type { Engine, Work, WriteOptions } from '../engine.ts';
import type { RunPart, SharedConnection } from './connection.ts';
import { createResumedCallers } from '../resumed-callers.ts';
import type { Sqlite } from './connect.ts';

type OpenConnection = { sqlite: Sqlite; connection: SharedConnection };

type Job = {
  change: Work<unknown>;
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
/** So long a step of other work lets all changes that people wait for go first. */
const STEP_WAIT_MAX_MS = 100;
/** The wait of a change while another program holds the database. Then its caller gets a 503 and may try again. */
const LOCK_WAIT_MAX_MS = 4000;
/** The first tries follow quickly, because most locks last a moment. */
const LOCK_RETRY = { firstMs: 2, maxMs: 50 };

/**
 * The only way to write. Changes that arrive together share one transaction and one wait for the disk. Each change runs in
 * its own savepoint, so that a change that fails does not affect the others. While another program holds the database,
 * changes wait in their order and the event loop stays free for reads. A step, which does not wait for the disk, has a batch of its
 * own after the changes that do: they would wait for its end. The caller of a change goes on before that of the next one does,
 * so that events are published in the order of the changes.
 */
export function createWriteQueue(
  { sqlite, connection }: OpenConnection,
  observer?: CommitObserver,
  lockWaitMaxMs = LOCK_WAIT_MAX_MS,
): Pick<Engine, 'write' | 'settled'> {
  const queue: Job[] = [];
  /** Those that need not be durable. */
  const steps: Job[] = [];
  const callers = createResumedCallers();
  let lockRetryMs = LOCK_RETRY.firstMs;
  let isScheduled = false;
  /** As `openDatabase` has set it: each commit waits for the disk. */
  let isSyncOn = true;
  /** The length of the queue at the last poll, and the time of the first poll. */
  let lastQueueLength = 0;
  let pollingSince = 0;

  const begin = sqlite.prepare('begin immediate');
  const commit = sqlite.prepare('commit');
  const rollbackAll = sqlite.prepare('rollback');
  const savepoint = sqlite.prepare('savepoint job');
  const release = sqlite.prepare('release job');
  const rollback = sqlite.prepare('rollback to job');
  // Waiting for a lock inside SQLite would block the event loop.
  sqlite.pragma('busy_timeout = 0');

  /** SQLite takes another setting only between transactions. */
  function setSync(isOn: boolean): void {
    if (isOn !== isSyncOn) sqlite.pragma(`synchronous = ${isOn ? 'FULL' : 'NORMAL'}`);
    isSyncOn = isOn;
  }

  async function runJob(runPart: RunPart, job: Job, batch: Batch): Promise<void> {
    batch.attempted.push(job);
    savepoint.run();
    try {
      const value = await runPart(job.change);
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

  function isStepNext(): boolean {
    const [step] = steps;
    if (!step) return false;
    return queue.length === 0 || performance.now() - step.queuedAt > STEP_WAIT_MAX_MS;
  }

  async function runJobs(runPart: RunPart, batch: Batch): Promise<void> {
    const deadline = performance.now() + BATCH_MAX_MS;
    const isStep = isStepNext();
    const [jobs, jobsMax] = isStep ? [steps, 1] : [queue, BATCH_MAX_JOBS];
    setSync(!isStep);
    begin.run();
    try {
      while (batch.attempted.length < jobsMax && performance.now() < deadline) {
        const job = jobs.shift();
        if (!job) break;
        await runJob(runPart, job, batch);
      }
      commit.run();
    } catch (error) {
      if (sqlite.inTransaction) rollbackAll.run();
      throw error;
    }
  }

  async function runBatch(): Promise<void> {
    const batch: Batch = { attempted: [], succeeded: [], failed: [] };
    const startedAt = performance.now();
    try {
      await connection.transact((runPart) => runJobs(runPart, batch));
      lockRetryMs = LOCK_RETRY.firstMs;
      observer?.committed(performance.now() - startedAt, batch.attempted.length);
      await callers.resume(batch.succeeded);
    } catch (error) {
      if (batch.attempted.length === 0 && errorCode(error)?.startsWith('SQLITE_BUSY')) return waitForLock(error);
      if (batch.attempted.length === 0) batch.attempted.push(...queue.splice(0), ...steps.splice(0));
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
    for (const jobs of [queue, steps]) {
      const firstYoung = jobs.findIndex(({ queuedAt }) => queuedAt > since);
      for (const job of jobs.splice(0, firstYoung < 0 ? jobs.length : firstYoung)) job.reject(error);
    }
    setTimeout(() => void runBatch(), lockRetryMs);
    lockRetryMs = Math.min(2 * lockRetryMs, LOCK_RETRY.maxMs);
  }

  /** Between two polls the event loop reads what has arrived. When no change was added, the batch starts. */
  function poll(): void {
    const now = performance.now();
    if (lastQueueLength === 0) pollingSince = now;
    const length = queue.length + steps.length;
    const isGrowing = length > lastQueueLength && length < BATCH_MAX_JOBS;
    lastQueueLength = length;
    if (isGrowing && now - pollingSince < BATCH_WAIT_MAX_MS) setImmediate(poll);
    else void runBatch();
  }

  function schedule(): void {
    if (isScheduled || queue.length + steps.length === 0) return;
    isScheduled = true;
    lastQueueLength = 0;
    setImmediate(poll);
  }

  return {
    write: <T>(change: Work<T>, { isDurable = true }: WriteOptions = {}): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const queuedAt = performance.now();
        const job = { change, resolve: resolve as (value: unknown) => void, reject, queuedAt };
        (isDurable ? queue : steps).push(job);
        schedule();
      }),
    settled: callers.settled,
  };
}

/** The engine of a server: reads, and all its writes in one queue. */
export function createEngine(database: OpenConnection, observer?: CommitObserver): Engine {
  const { read, snapshot } = database.connection;
  return { read, snapshot, ...createWriteQueue(database, observer) };
}
